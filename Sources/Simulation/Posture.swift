internal import Geometry

import func Glibc.cos
import func Glibc.sin

/// Direction and tilt of the walker's hand as angles with their rates. The hand's frame is x right, y ahead, z up; it is
/// turned by the heading about the vertical, then by the pitch about x, then by the roll about y.
struct Posture {
    /// Radians clockwise from true north, not wrapped.
    var heading = 0.0
    /// rad/s.
    var headingRate = 0.0
    /// Radians, front edge up positive.
    var pitch = 0.0
    /// rad/s.
    var pitchRate = 0.0
    /// Radians, right edge down positive.
    var roll = 0.0
    /// rad/s.
    var rollRate = 0.0

    /// Hand to earth (x east, y true north, z up).
    var attitude: Quaternion {
        Quaternion(aboutZ: -heading) * Quaternion(w: cos(pitch / 2), x: sin(pitch / 2), y: 0, z: 0)
            * Quaternion(w: cos(roll / 2), x: 0, y: sin(roll / 2), z: 0)
    }

    /// rad/s in the hand's frame: each rate about its own axis, carried through the turns that come after it.
    var angularRate: Vector3 {
        let (sinPitch, cosPitch) = (sin(pitch), cos(pitch))
        let (sinRoll, cosRoll) = (sin(roll), cos(roll))
        let yawRate = -headingRate
        // The vertical rate after the pitch: (0, ψ̇ sin θ, ψ̇ cos θ); then the roll turns x and z.
        let afterPitch = Vector3(pitchRate, yawRate * sinPitch, yawRate * cosPitch)
        return Vector3(
            afterPitch.x * cosRoll - afterPitch.z * sinRoll, afterPitch.y + rollRate,
            afterPitch.x * sinRoll + afterPitch.z * cosRoll)
    }
}
