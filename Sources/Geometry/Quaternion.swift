import func Glibc.cos
import func Glibc.sin

/// A rotation as a unit quaternion, scalar first, Hamilton product. `attitude * v * attitude⁻¹` turns a device
/// vector into the earth frame where a value is documented as "device to earth".
@frozen
public struct Quaternion: Hashable, Sendable {
    /// Scalar part.
    public var w: Double
    /// Vector part, x.
    public var x: Double
    /// Vector part, y.
    public var y: Double
    /// Vector part, z.
    public var z: Double

    /// A quaternion of the given parts; not normalised.
    @inlinable
    public init(w: Double, x: Double, y: Double, z: Double) {
        self.w = w
        self.x = x
        self.y = y
        self.z = z
    }

    /// No rotation.
    public static let identity = Quaternion(w: 1, x: 0, y: 0, z: 0)

    /// The rotation by `vector.length` radians about `vector`: the exponential map. Small angles use the series'
    /// first term, so a zero vector gives the identity.
    public init(rotationVector vector: Vector3) {
        let angle = vector.length
        let factor = angle > 1e-9 ? sin(angle / 2) / angle : 0.5
        self.init(w: cos(angle / 2), x: vector.x * factor, y: vector.y * factor, z: vector.z * factor)
    }

    /// The rotation by an angle in radians about the z axis, counter-clockwise seen from +z.
    public init(aboutZ radians: Double) {
        self.init(w: cos(radians / 2), x: 0, y: 0, z: sin(radians / 2))
    }

    /// The rotation of a proper rotation matrix: the largest of the four parts is taken from the diagonal, so that nothing
    /// is divided by a small number (Shepperd, 1978).
    public init(rotation matrix: Matrix3) {
        let (a, b, c) = (matrix.row0.x, matrix.row1.y, matrix.row2.z)
        let (yz, zx, xy) = (
            matrix.row2.y - matrix.row1.z, matrix.row0.z - matrix.row2.x, matrix.row1.x - matrix.row0.y
        )
        let (sumXY, sumZX, sumYZ) = (
            matrix.row0.y + matrix.row1.x, matrix.row0.z + matrix.row2.x, matrix.row1.z + matrix.row2.y
        )
        if a + b + c > max(a, b, c) {
            self.init(w: 1 + a + b + c, x: yz, y: zx, z: xy)
        } else if a >= max(b, c) {
            self.init(w: yz, x: 1 + a - b - c, y: sumXY, z: sumZX)
        } else if b >= c {
            self.init(w: zx, x: sumXY, y: 1 + b - a - c, z: sumYZ)
        } else {
            self.init(w: xy, x: sumZX, y: sumYZ, z: 1 + c - a - b)
        }
        self = normalized
    }

    /// The inverse of a unit quaternion.
    @inlinable
    public var conjugate: Quaternion { Quaternion(w: w, x: -x, y: -y, z: -z) }

    /// Scaled to length 1; the identity if the length is zero or not finite.
    @inlinable
    public var normalized: Quaternion {
        let size = (w * w + x * x + y * y + z * z).squareRoot()
        guard size > 0, size.isFinite else { return Quaternion(w: 1, x: 0, y: 0, z: 0) }
        let factor = 1 / size
        return Quaternion(w: w * factor, x: x * factor, y: y * factor, z: z * factor)
    }

    /// The rotation matrix of a unit quaternion.
    @inlinable
    public var matrix: Matrix3 {
        Matrix3(
            Vector3(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
            Vector3(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
            Vector3(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)))
    }

    /// The vector turned by this unit quaternion.
    @inlinable
    public func rotate(_ vector: Vector3) -> Vector3 { matrix * vector }

    /// Hamilton product: first `right`, then `left`.
    @inlinable
    public static func * (left: Quaternion, right: Quaternion) -> Quaternion {
        Quaternion(
            w: left.w * right.w - left.x * right.x - left.y * right.y - left.z * right.z,
            x: left.w * right.x + left.x * right.w + left.y * right.z - left.z * right.y,
            y: left.w * right.y - left.x * right.z + left.y * right.w + left.z * right.x,
            z: left.w * right.z + left.x * right.y - left.y * right.x + left.z * right.w)
    }
}
