/// Thresholds of `OrientationTracker`. The defaults are a choice of this package: screens should turn when a person has
/// turned the device, and neither flap at a border nor follow a shake.
public struct OrientationParameters: Hashable, Sendable {
    /// A side counts as up within so many degrees of its direction: less than 45 leaves a gap in which what was
    /// stays, so that rotation does not flap.
    public var sideDegrees = 35.0
    /// The screen must be raised by so many degrees from lying flat before a side is up at all.
    public var raisedDegrees = 25.0
    /// A new side must hold for so long, in µs.
    public var holdMicroseconds: Int64 = 150_000
    /// Specific force must be within this share of standard gravity; outside, the device is being shaken or falls.
    public var gravityTolerance = 0.3
    /// Elevation of the screen's normal above which it lies, in degrees.
    public var lyingDegrees = 70.0
    /// Elevation of the screen's normal below which it stands, in degrees.
    public var standingDegrees = 20.0
    /// A border of the tilt is crossed for good so many degrees beyond it.
    public var tiltHysteresisDegrees = 5.0

    /// The defaults.
    public init() {}
}
