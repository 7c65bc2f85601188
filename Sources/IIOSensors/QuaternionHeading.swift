internal import Geometry
internal import Glibc

/// The heading that follows from a hub's attitude.
///
/// `in_rot_quaternion_raw` is x, y, z, w of the turn from the device frame (x right, y top edge, z out of the screen) to
/// the earth's (x east, y magnetic north, z up): Documentation/ABI/testing/sysfs-bus-iio of Linux, HID Usage Tables 1.23
/// section 4 (usage 200483).
enum QuaternionHeading {
    /// Degrees in [0, 360) of the top edge, and of the back where the top edge points steeply up or down; nil for a
    /// quaternion whose length is 0 or not finite, which is no turn.
    static func degrees(x: Double, y: Double, z: Double, w: Double) -> Double? {
        let norm = x * x + y * y + z * z + w * w
        guard norm.isFinite, norm > 1e-12 else { return nil }
        // The device's y axis in the earth's frame: second column of the turn's matrix.
        var east = 2 * (x * y - w * z) / norm
        var north = 1 - 2 * (x * x + z * z) / norm
        if east * east + north * north < 0.5 {
            // Steeper than 45°: minus the third column.
            east = -2 * (x * z + w * y) / norm
            north = -2 * (y * z - w * x) / norm
        }
        let degrees = atan2(east, north) * 180 / .pi
        return degrees < 0 ? degrees + 360 : degrees
    }
}
