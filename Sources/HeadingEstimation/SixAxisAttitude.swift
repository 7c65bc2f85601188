import Geometry

/// Attitude from gyroscope and accelerometer: device frame to a frame with z up whose yaw is arbitrary and drifts.
///
/// The strapdown integral turns device vectors into an almost inertial frame. There gravity is the low-passed specific
/// force, and a second rotation without yaw brings it to +z (VQF, section 3.2).
struct SixAxisAttitude {
    /// Device frame to the almost inertial frame.
    private(set) var strapdown = Quaternion.identity
    /// Almost inertial frame to the levelled frame.
    private(set) var inclination = Quaternion.identity
    /// Seconds of accelerometer since the start or the last loss.
    private(set) var settled = 0.0
    /// Accelerometer samples since then.
    private(set) var samples = 0
    private var gravity = LowPass()
    private var step = LowPassStep()

    /// Device frame to the levelled frame.
    var attitude: Quaternion { inclination * strapdown }

    /// Integrates bias-free rates at both ends of an interval: trapezoid and coning term (Savage 1998).
    mutating func integrate(from first: Vector3, to second: Vector3, interval: Double) {
        let rotation =
            (first + second) * (0.5 * interval) + first.cross(second) * (interval * interval / 12)
        strapdown = (strapdown * Quaternion(rotationVector: rotation)).normalized
    }

    /// Corrects the tilt by a specific force in m/s²; returns the direction of gravity in the levelled frame before the
    /// correction (its horizontal part is the tilt error), nil in free fall.
    mutating func correct(by force: Vector3, interval: Double, timeConstant: Double) -> Vector3? {
        let inertial = strapdown.rotate(force)
        samples += 1
        settled += interval
        if settled < timeConstant {
            // The running mean until the low-pass has something to hold on to.
            gravity.set(gravity.value + (inertial - gravity.value) * (1 / Double(samples)))
        } else {
            step.prepare(interval: interval, timeConstant: timeConstant, tolerance: 1e-5)
            gravity.update(inertial, step: step)
        }
        guard let up = inclination.rotate(gravity.value).normalized else { return nil }
        let scalar = max(0, (up.z + 1) / 2).squareRoot()
        let correction =
            scalar > 1e-6
            ? Quaternion(w: scalar, x: 0.5 * up.y / scalar, y: -0.5 * up.x / scalar, z: 0)
            : Quaternion(w: 0, x: 1, y: 0, z: 0)
        inclination = (correction * inclination).normalized
        return up
    }

    /// Forgets gravity after a silence in which the device may have turned.
    mutating func lose() {
        settled = 0
        samples = 0
    }
}
