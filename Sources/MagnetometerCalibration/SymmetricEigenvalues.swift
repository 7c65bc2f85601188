import Geometry

/// Eigenvalues and eigenvectors of a symmetric 3×3 matrix by Jacobi's rotations (Golub and Van Loan, Matrix
/// Computations, 8.5).
struct SymmetricEigenvalues {
    /// Ascending.
    private(set) var values = Vector3.zero
    /// Unit eigenvector of the smallest value.
    private(set) var smallest = Vector3(0, 0, 1)
    /// Unit eigenvector of the largest value.
    private(set) var largest = Vector3(1, 0, 0)

    /// Decomposes a symmetric matrix.
    init(_ matrix: Matrix3) {
        var matrix = matrix
        var vectors = Matrix3.identity
        for _ in 0..<24 {
            var row = 0
            var column = 1
            if abs(matrix[0, 2]) > abs(matrix[row, column]) { (row, column) = (0, 2) }
            if abs(matrix[1, 2]) > abs(matrix[row, column]) { (row, column) = (1, 2) }
            let off = matrix[row, column]
            guard abs(off) > 1e-14 * (abs(matrix[row, row]) + abs(matrix[column, column])), off.isFinite else { break }
            let theta = (matrix[column, column] - matrix[row, row]) / (2 * off)
            let tangent = (theta < 0 ? -1 : 1) / (abs(theta) + (theta * theta + 1).squareRoot())
            let cosine = 1 / (tangent * tangent + 1).squareRoot()
            var rotation = Matrix3.identity
            rotation[row, row] = cosine
            rotation[column, column] = cosine
            rotation[row, column] = tangent * cosine
            rotation[column, row] = -tangent * cosine
            matrix = rotation.transposed * matrix * rotation
            vectors = vectors * rotation
        }
        let diagonal = Vector3(matrix[0, 0], matrix[1, 1], matrix[2, 2])
        var order = (0, 1, 2)
        if diagonal[order.1] < diagonal[order.0] { order = (order.1, order.0, order.2) }
        if diagonal[order.2] < diagonal[order.1] { order = (order.0, order.2, order.1) }
        if diagonal[order.1] < diagonal[order.0] { order = (order.1, order.0, order.2) }
        values = Vector3(diagonal[order.0], diagonal[order.1], diagonal[order.2])
        let columns = vectors.transposed
        smallest = columns[row: order.0]
        largest = columns[row: order.2]
    }
}
