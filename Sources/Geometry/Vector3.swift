/// A vector of three components. Frame and unit belong to the value's owner; everywhere in this package the
/// device frame is x to the right edge, y to the top edge, z out of the screen, and the earth frame is x east,
/// y north, z up.
@frozen
public struct Vector3: Hashable, Sendable {
    /// First component.
    public var x: Double
    /// Second component.
    public var y: Double
    /// Third component.
    public var z: Double

    /// A vector of the given components.
    @inlinable
    public init(_ x: Double, _ y: Double, _ z: Double) {
        self.x = x
        self.y = y
        self.z = z
    }

    /// (0, 0, 0).
    public static let zero = Vector3(0, 0, 0)

    /// Components by index 0, 1, 2; any other index traps.
    @inlinable
    public subscript(index: Int) -> Double {
        get {
            switch index {
            case 0: x
            case 1: y
            case 2: z
            default: preconditionFailure("Vector3 has the indices 0, 1 and 2")
            }
        }
        set {
            switch index {
            case 0: x = newValue
            case 1: y = newValue
            case 2: z = newValue
            default: preconditionFailure("Vector3 has the indices 0, 1 and 2")
            }
        }
    }

    /// Sum of squares.
    @inlinable
    public var squaredLength: Double { x * x + y * y + z * z }

    /// Euclidean length.
    @inlinable
    public var length: Double { squaredLength.squareRoot() }

    /// True if no component is NaN or infinite.
    @inlinable
    public var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }

    /// Inner product.
    @inlinable
    public func dot(_ other: Vector3) -> Double { x * other.x + y * other.y + z * other.z }

    /// Right-handed cross product.
    @inlinable
    public func cross(_ other: Vector3) -> Vector3 {
        Vector3(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
    }

    /// The vector of length 1 in the same direction, nil for a zero or non-finite vector.
    @inlinable
    public var normalized: Vector3? {
        let size = length
        guard size > 0, size.isFinite else { return nil }
        return self * (1 / size)
    }

    /// Component-wise sum.
    @inlinable
    public static func + (left: Vector3, right: Vector3) -> Vector3 {
        Vector3(left.x + right.x, left.y + right.y, left.z + right.z)
    }

    /// Component-wise difference.
    @inlinable
    public static func - (left: Vector3, right: Vector3) -> Vector3 {
        Vector3(left.x - right.x, left.y - right.y, left.z - right.z)
    }

    /// Opposite vector.
    @inlinable
    public static prefix func - (vector: Vector3) -> Vector3 { Vector3(-vector.x, -vector.y, -vector.z) }

    /// Scaled vector.
    @inlinable
    public static func * (vector: Vector3, factor: Double) -> Vector3 {
        Vector3(vector.x * factor, vector.y * factor, vector.z * factor)
    }

    /// Adds in place.
    @inlinable
    public static func += (left: inout Vector3, right: Vector3) { left = left + right }

    /// Subtracts in place.
    @inlinable
    public static func -= (left: inout Vector3, right: Vector3) { left = left - right }
}
