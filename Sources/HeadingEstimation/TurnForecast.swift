public import Geometry

/// How soon a heading can have turned by some degrees: what comes before that moment cannot pass a session's filter, so it need
/// not be looked at when it comes.
///
/// From ½αt² + ωt = headroom, with ω as it was measured last and α as a hand that turns a device may speed it up. Who is
/// quicker than that is told some samples later, and the same headings.
public enum TurnForecast {
    /// α in °/s²: from rest to half a turn a second in 0.18 s, a brisk turn of a hand (own choice). A flick can be quicker.
    static let acceleration = 1000.0
    /// Longest forecast in s: so much later is told what a flick, a magnet, or a correction of the heading does.
    static let longest = 0.05
    /// A device that is further from level than cos⁻¹ of this is not forecast by its tilt but by the worst there is.
    private static let leastLevel = 0.5

    /// Seconds before which no heading can have turned by `headroomDegrees`; 0 if any moment may.
    ///
    /// - Parameters:
    ///   - headroomDegrees: degrees; NaN and negative count as 0.
    ///   - rate: angular rate in rad/s, device frame; not finite: unknown, so 0 s.
    ///   - up: the vertical in the device frame, unit length. A heading is that of an edge: where that rises by e the
    ///     heading turns 1 / cos e as fast as the device, and the edge that is used rises by 60° at most.
    public static func seconds(headroomDegrees: Double, rate: Vector3, up: Vector3) -> Double {
        let level = abs(up.z)
        let factor = level > leastLevel ? 1 / level : 2
        let speed = rate.length * Angle.degreesPerRadian * factor
        guard headroomDegrees > 0, speed.isFinite, level.isFinite else { return 0 }
        let acceleration = acceleration * factor
        let time = ((speed * speed + 2 * acceleration * headroomDegrees).squareRoot() - speed) / acceleration
        return min(time, longest)
    }
}
