internal import Geometry

/// Counts of a chip to the package's unit in the device frame: `device = M · ((raw + offset) × scale)`, element by
/// element before the matrix.
struct SampleTransform: Hashable, Sendable {
    /// Added to the counts, per axis.
    var offset: Vector3
    /// µT, m/s² or rad/s per count, per axis; the sign of a driver's convention is in it.
    var scale: Vector3
    /// Chip to device frame.
    var matrix: Matrix3

    /// The reading for raw counts.
    func apply(_ raw: Vector3) -> Vector3 {
        let counts = raw + offset
        return matrix * Vector3(counts.x * scale.x, counts.y * scale.y, counts.z * scale.z)
    }
}
