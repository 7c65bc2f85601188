/// How a chip is mounted: `device = matrix * chip`, as the IIO ABI's `mount_matrix` says
/// (Documentation/ABI/testing/sysfs-bus-iio and Documentation/devicetree/bindings/iio/mount-matrix.txt of Linux).
public struct MountMatrix: Hashable, Sendable {
    /// Chip frame to device frame.
    public let matrix: Matrix3

    /// Largest element, either sign: those of a turn are at most 1; beyond it no vector is left of what is measured.
    static let largest = 100.0

    /// A matrix as it is; nil if an element is not finite or beyond ±100, or the determinant is 0 within 1e-6.
    public init?(_ matrix: Matrix3) {
        for row in 0..<3 {
            for column in 0..<3 where !(abs(matrix[row, column]) <= Self.largest) { return nil }
        }
        guard abs(matrix.determinant) > 1e-6 else { return nil }
        self.matrix = matrix
    }

    /// The text that the kernel prints: rows separated by `;`, elements by `,`, white space around elements. Elements
    /// are reals such as `-0.984807753012208`. Nil for anything else.
    public init?(kernelText text: String) {
        var values: [Double] = []
        let rows = text.split(separator: ";", omittingEmptySubsequences: false)
        guard rows.count == 3 else { return nil }
        for row in rows {
            let elements = row.split(separator: ",", omittingEmptySubsequences: false)
            guard elements.count == 3 else { return nil }
            for element in elements {
                guard let value = Double(Self.trimmed(element)), value.isFinite else { return nil }
                values.append(value)
            }
        }
        guard let matrix = Matrix3(rowMajor: values) else { return nil }
        self.init(matrix)
    }

    /// Without white space and the terminating NUL that a reader may have kept, at both ends.
    private static func trimmed(_ text: Substring) -> Substring {
        var rest = text
        while let first = rest.first, first.isWhitespace || first == "\0" { rest.removeFirst() }
        while let last = rest.last, last.isWhitespace || last == "\0" { rest.removeLast() }
        return rest
    }

    /// No turn between chip and device, which is also what drivers print when nothing was declared.
    public static let identity = MountMatrix(unchecked: .identity)

    private init(unchecked matrix: Matrix3) { self.matrix = matrix }

    /// True if the matrix mirrors: right for screen rotation at most, never a turn of a chip.
    public var isReflection: Bool { matrix.determinant < 0 }

    /// True if the rows are orthogonal unit vectors within 1 % and the determinant is positive.
    public var isRotation: Bool {
        guard !isReflection else { return false }
        let product = matrix * matrix.transposed
        for row in 0..<3 {
            for column in 0..<3 where abs(product[row, column] - (row == column ? 1 : 0)) > 0.01 { return false }
        }
        return true
    }
}
