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
    private var lowestUp = Vector3(.infinity, .infinity, .infinity)
    private var highestUp = Vector3(-.infinity, -.infinity, -.infinity)

    /// Least change of an axis' rise, of 2 at most, for the field along it to change as well: only a turn about the field's own
    /// direction would leave it as it is, to within a degree.
    private static let leastRise = 0.9
    /// Least change in µT of the other axes beside one that is dead.
    private static let liveliness = 15.0

    /// True if the field, or an axis of it, stood still while the device was turned.
    var isDead: Bool {
        guard hasTurned, fields >= 20 else { return false }
        let span = high - low
        return max(span.x, span.y, span.z) < Self.stillness || deadAxis != nil
    }

    /// The axis that stood still while the others measured, nil if none did.
    var deadAxis: Int? {
        guard hasTurned, fields >= 60 else { return nil }
        let span = high - low
        let rise = highestUp - lowestUp
        return (0..<3).first { axis in
            span[axis] < Self.stillness && rise[axis] > Self.leastRise
                && (0..<3).allSatisfy { $0 == axis || span[$0] > Self.liveliness }
        }
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
        guard let up = acceleration.normalized else { return }
        for axis in 0..<3 {
            lowestUp[axis] = min(lowestUp[axis], up[axis])
            highestUp[axis] = max(highestUp[axis], up[axis])
        }
        guard !hasTurned else { return }
        guard let first else { return self.first = up }
        guard let second else {
            if first.dot(up) < 0.5 { self.second = up }
            return
        }
        hasTurned = abs(up.dot(first.cross(second))) > 0.4
    }
}
