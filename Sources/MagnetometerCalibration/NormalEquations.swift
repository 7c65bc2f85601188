/// The normal equations JᵀWJ·x = JᵀWr of a least-squares problem with at most ten unknowns, in fixed storage, solved
/// by Cholesky's decomposition.
struct NormalEquations {
    /// Most unknowns that fit.
    static let capacity = 10
    /// One number per unknown.
    typealias Row = InlineArray<10, Double>

    /// Number of unknowns in use, 1…10.
    let size: Int
    private var matrix = InlineArray<100, Double>(repeating: 0)
    private var right = Row(repeating: 0)

    /// Empty equations of the given number of unknowns.
    init(size: Int) {
        precondition(size >= 1 && size <= Self.capacity, "NormalEquations has 1 to 10 unknowns")
        self.size = size
    }

    /// Adds one observation: derivative of the model in each unknown, observed minus modelled, and weight.
    mutating func add(_ derivatives: Row, residual: Double, weight: Double) {
        for row in 0..<size {
            let weighted = weight * derivatives[row]
            right[row] += weighted * residual
            for column in 0...row { matrix[row * Self.capacity + column] += weighted * derivatives[column] }
        }
    }

    /// The solution and the decomposition it came from; nil if the unknowns are not determined.
    func solved() -> (solution: Row, factor: CholeskyFactor)? {
        guard let factor = CholeskyFactor(lowerTriangle: matrix, size: size) else { return nil }
        return (factor.solve(right), factor)
    }
}

/// Cholesky's decomposition of a positive definite matrix of at most ten rows.
struct CholeskyFactor {
    private let size: Int
    private var lower: InlineArray<100, Double>

    /// Decomposes the matrix whose lower triangle is given, ten numbers a row; nil unless it is positive definite
    /// beyond rounding.
    init?(lowerTriangle matrix: InlineArray<100, Double>, size: Int) {
        let stride = NormalEquations.capacity
        self.size = size
        lower = matrix
        for column in 0..<size {
            var pivot = lower[column * stride + column]
            let original = pivot
            for inner in 0..<column {
                let element = lower[column * stride + inner]
                pivot -= element * element
            }
            guard pivot.isFinite, pivot > original * 1e-13, pivot > 0 else { return nil }
            let root = pivot.squareRoot()
            lower[column * stride + column] = root
            for row in (column + 1)..<max(size, column + 1) {
                var sum = lower[row * stride + column]
                for inner in 0..<column { sum -= lower[row * stride + inner] * lower[column * stride + inner] }
                lower[row * stride + column] = sum / root
            }
        }
    }

    /// The solution for a right-hand side.
    func solve(_ right: NormalEquations.Row) -> NormalEquations.Row {
        let stride = NormalEquations.capacity
        var solution = right
        for row in 0..<size {
            var sum = solution[row]
            for inner in 0..<row { sum -= lower[row * stride + inner] * solution[inner] }
            solution[row] = sum / lower[row * stride + row]
        }
        for row in (0..<size).reversed() {
            var sum = solution[row]
            for inner in (row + 1)..<max(size, row + 1) { sum -= lower[inner * stride + row] * solution[inner] }
            solution[row] = sum / lower[row * stride + row]
        }
        return solution
    }

    /// A column of the inverse.
    func inverseColumn(_ index: Int) -> NormalEquations.Row {
        var unit = NormalEquations.Row(repeating: 0)
        unit[index] = 1
        return solve(unit)
    }
}
