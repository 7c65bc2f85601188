internal import Geometry

/// Finds a magnetometer that answers but does not measure: its field stands still while gravity says that the device
/// is turned through all attitudes. Pure.
struct DeadFieldCheck: Hashable, Sendable {
    /// A field that moves less than this, in µT, while the device is turned, is none: the weakest field of the earth is
    /// 22 µT (World Magnetic Model 2025), so a twentieth of it.
    static let stillness = 1.1

    private var low = Vector3(.infinity, .infinity, .infinity)
    private var high = Vector3(-.infinity, -.infinity, -.infinity)
    private var fields = 0
    private var first: Vector3?
    private var second: Vector3?
    private var hasTurned = false

    /// True if the field stood still while the device was turned.
    var isDead: Bool {
        guard hasTurned, fields >= 20 else { return false }
        let span = high - low
        return max(span.x, span.y, span.z) < Self.stillness
    }

    /// A field in µT.
    mutating func update(field: Vector3) {
        fields += 1
        for axis in 0..<3 {
            low[axis] = min(low[axis], field[axis])
            high[axis] = max(high[axis], field[axis])
        }
    }

    /// An acceleration in m/s²: gravity as seen from the device, if it is not shaken. Three directions, far apart and not
    /// in one plane, can only be had by turning about more than one axis, so that the field cannot lie along it.
    mutating func update(acceleration: Vector3) {
        guard !hasTurned, let up = acceleration.normalized else { return }
        guard let first else { return self.first = up }
        guard let second else {
            if first.dot(up) < 0.5 { self.second = up }
            return
        }
        hasTurned = abs(up.dot(first.cross(second))) > 0.4
    }
}
