/// Least squares with a few unknowns by the normal equations and Gauss's elimination; not for the hot path.
struct PlainEquations {
    private let size: Int
    private var matrix: [[Double]]
    private var right: [Double]
    private var squares = 0.0

    init(size: Int) {
        self.size = size
        matrix = Array(repeating: Array(repeating: 0, count: size), count: size)
        right = Array(repeating: 0, count: size)
    }

    /// Adds coefficients · unknowns = value.
    mutating func add(_ coefficients: [Double], value: Double) {
        squares += value * value
        for row in 0..<size {
            right[row] += coefficients[row] * value
            for column in 0..<size { matrix[row][column] += coefficients[row] * coefficients[column] }
        }
    }

    /// Sum of the squares that a solution leaves over.
    func squares(of solution: [Double]) -> Double {
        max(0, squares - zip(solution, right).reduce(0) { $0 + $1.0 * $1.1 })
    }

    /// The solution; nil if the unknowns are not determined.
    var solution: [Double]? {
        var matrix = matrix
        var right = right
        let scales = (0..<size).map { matrix[$0][$0] }
        for step in 0..<size {
            guard let pivot = (step..<size).max(by: { abs(matrix[$0][step]) < abs(matrix[$1][step]) }),
                abs(matrix[pivot][step]) > 1e-9 * scales[step]
            else { return nil }
            matrix.swapAt(step, pivot)
            right.swapAt(step, pivot)
            for row in (step + 1)..<size {
                let factor = matrix[row][step] / matrix[step][step]
                for column in step..<size { matrix[row][column] -= factor * matrix[step][column] }
                right[row] -= factor * right[step]
            }
        }
        for row in (0..<size).reversed() {
            for column in (row + 1)..<size { right[row] -= matrix[row][column] * right[column] }
            right[row] /= matrix[row][row]
        }
        return right
    }
}
