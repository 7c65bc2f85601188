/// A 3×3 matrix stored as three rows, so that `matrix * vector` is three inner products.
@frozen
public struct Matrix3: Hashable, Sendable {
    /// First row.
    public var row0: Vector3
    /// Second row.
    public var row1: Vector3
    /// Third row.
    public var row2: Vector3

    /// A matrix of three rows.
    @inlinable
    public init(_ row0: Vector3, _ row1: Vector3, _ row2: Vector3) {
        self.row0 = row0
        self.row1 = row1
        self.row2 = row2
    }

    /// A diagonal matrix.
    @inlinable
    public init(diagonal: Vector3) {
        self.init(Vector3(diagonal.x, 0, 0), Vector3(0, diagonal.y, 0), Vector3(0, 0, diagonal.z))
    }

    /// Nine numbers in row-major order; nil for any other count.
    public init?(rowMajor values: [Double]) {
        guard values.count == 9 else { return nil }
        self.init(
            Vector3(values[0], values[1], values[2]), Vector3(values[3], values[4], values[5]),
            Vector3(values[6], values[7], values[8]))
    }

    /// The identity.
    public static let identity = Matrix3(diagonal: Vector3(1, 1, 1))

    /// The zero matrix.
    public static let zero = Matrix3(.zero, .zero, .zero)

    /// The nine numbers in row-major order.
    public var rowMajor: [Double] {
        [row0.x, row0.y, row0.z, row1.x, row1.y, row1.z, row2.x, row2.y, row2.z]
    }

    /// Element by row and column, each 0, 1 or 2; any other index traps.
    @inlinable
    public subscript(row: Int, column: Int) -> Double {
        get { self[row: row][column] }
        set {
            switch row {
            case 0: row0[column] = newValue
            case 1: row1[column] = newValue
            case 2: row2[column] = newValue
            default: preconditionFailure("Matrix3 has the rows 0, 1 and 2")
            }
        }
    }

    /// Row by index 0, 1, 2; any other index traps.
    @inlinable
    public subscript(row index: Int) -> Vector3 {
        switch index {
        case 0: row0
        case 1: row1
        case 2: row2
        default: preconditionFailure("Matrix3 has the rows 0, 1 and 2")
        }
    }

    /// Matrix with rows and columns exchanged.
    @inlinable
    public var transposed: Matrix3 {
        Matrix3(
            Vector3(row0.x, row1.x, row2.x), Vector3(row0.y, row1.y, row2.y), Vector3(row0.z, row1.z, row2.z))
    }

    /// Determinant: +1 for a rotation, −1 for a reflection.
    @inlinable
    public var determinant: Double { row0.dot(row1.cross(row2)) }

    /// Inverse by the adjugate, nil if the determinant is zero or not finite.
    public var inverse: Matrix3? {
        let determinant = determinant
        guard determinant.isFinite, determinant != 0 else { return nil }
        let factor = 1 / determinant
        let columns = Matrix3(
            row1.cross(row2) * factor, row2.cross(row0) * factor, row0.cross(row1) * factor)
        return columns.transposed
    }

    /// True if no element is NaN or infinite.
    @inlinable
    public var isFinite: Bool { row0.isFinite && row1.isFinite && row2.isFinite }

    /// Matrix times column vector.
    @inlinable
    public static func * (matrix: Matrix3, vector: Vector3) -> Vector3 {
        Vector3(matrix.row0.dot(vector), matrix.row1.dot(vector), matrix.row2.dot(vector))
    }

    /// Matrix product.
    @inlinable
    public static func * (left: Matrix3, right: Matrix3) -> Matrix3 {
        let columns = right.transposed
        return Matrix3(
            Vector3(left.row0.dot(columns.row0), left.row0.dot(columns.row1), left.row0.dot(columns.row2)),
            Vector3(left.row1.dot(columns.row0), left.row1.dot(columns.row1), left.row1.dot(columns.row2)),
            Vector3(left.row2.dot(columns.row0), left.row2.dot(columns.row1), left.row2.dot(columns.row2)))
    }

    /// Element-wise scaling.
    @inlinable
    public static func * (matrix: Matrix3, factor: Double) -> Matrix3 {
        Matrix3(matrix.row0 * factor, matrix.row1 * factor, matrix.row2 * factor)
    }

    /// Element-wise sum.
    @inlinable
    public static func + (left: Matrix3, right: Matrix3) -> Matrix3 {
        Matrix3(left.row0 + right.row0, left.row1 + right.row1, left.row2 + right.row2)
    }
}
