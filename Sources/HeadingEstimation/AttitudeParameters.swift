import Geometry

/// Tuning of the six-axis attitude and of what is read off it. The structure is that of VQF (Laidig and Seel, "VQF:
/// Highly accurate IMU orientation estimation with bias estimation and magnetic disturbance rejection", Information
/// Fusion 91, 2023); figures without a source were found by trial on recordings with optical truth.
public struct AttitudeParameters: Hashable, Sendable {
    /// Time constant of the accelerometer's low-pass in the almost inertial frame, s (VQF's τ_acc). Larger: less
    /// disturbed by motion, slower to correct a tilt.
    public var accelerometerTimeConstant = 3.0
    /// Seconds of accelerometer before anything magnetic starts: the first sample of a carried device is no gravity, and
    /// a wrong start cost 15°.
    public var settlingTime = 1.0
    /// A silence of the gyroscope beyond this, s, or beyond 2.5 of its usual intervals, adds yaw uncertainty.
    public var gapThreshold = 0.06
    /// Yaw uncertainty of such a gap, relative to (|rate| + 0.2 rad/s)·gap.
    public var gapYaw = 1.0
    /// Weight of the trapezoid's local error in the yaw uncertainty: a rate of 100 Hz makes none that counts, 10 Hz do.
    public var curvatureYaw = 5.0
    /// An axis that repeats a rate beyond this is clipped, rad/s: the smallest range in use is 125°/s.
    public var clippedRate = 1.7
    /// Yaw that a clipped axis may miss, relative to what it shows.
    public var clippedShare = 0.5
    /// A silence beyond this loses the attitude, s.
    public var lostAfter = 0.5
    /// A magnetometer sample later than this after the last gyroscope sample gives no heading, s; grows to 1.5 usual
    /// intervals for slow gyroscopes.
    public var staleAfter = 0.15
    /// Time constant of the activity measures, s.
    public var activityTimeConstant = 0.5
    /// Rate that counts as full activity, rad/s.
    public var activeRate = 1.3
    /// Deviation of the acceleration from its mean that counts as full activity, m/s².
    public var activeAcceleration = 4.0

    /// The defaults.
    public init() {}
}
