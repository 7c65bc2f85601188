import Geometry

/// Tuning of the compass without a gyroscope. Figures without a source were found by trial on recordings whose gyroscope
/// was taken away.
public struct TiltParameters: Hashable, Sendable {
    /// Time constant of gravity's low-pass, s. Larger: less disturbed by motion, later after a change of tilt.
    public var gravityTimeConstant = 0.3
    /// Time constant of the field's low-pass, s.
    public var fieldTimeConstant = 0.1
    /// |a| − g at which a sample counts half, m/s².
    public var gate = 1.0
    /// Seconds of accelerometer before the first heading.
    public var settlingTime = 0.2
    /// A silence of the accelerometer beyond this ends the heading, s.
    public var staleAfter = 0.5
    /// Time constant of the motion measure, s.
    public var motionTimeConstant = 1.0
    /// Tilt error per (deviation of the acceleration from gravity / g), rad.
    public var tiltPerAcceleration = 0.3
    /// Tilt error per rate at which the field turns in the device, s: the lag of gravity's low-pass.
    public var tiltPerRate = 0.2
    /// Tilt error at rest, rad: the accelerometer's bias.
    public var tiltAtRest = 0.3 * Angle.radiansPerDegree
    /// Time constant of the turn rate, s.
    public var rateTimeConstant = 0.3
    /// Time constant over which the field strength here is learned without a place, s.
    public var referenceTimeConstant = 60.0

    /// The defaults.
    public init() {}
}
