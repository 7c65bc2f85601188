import Geometry

/// A magnetometer sample with everything that the magnetic filter needs to use it, now or when its look-ahead has passed.
struct PendingField {
    /// Seconds.
    var time: Double
    /// Seconds since the sample before.
    var interval: Double
    /// Device to levelled frame at the time of the sample less the latency then assumed.
    var rotation: Matrix3
    /// Soft-iron-corrected field in the levelled frame, hard iron still in it, µT.
    var field: Vector3
    /// Bias-free rate in the levelled frame, rad/s.
    var rate: Vector3
    /// Latency assumed in `rotation`, s.
    var latency: Double
    /// Variance of the yaw walked since the sample before, rad².
    var yawVariance: Double
    /// 0 still … 1 active.
    var activity: Double
    /// Integral of the vertical's device coordinates since the sample before, s: how the gyroscope's bias turns the yaw.
    var verticalIntegral: Vector3
    /// Gyroscope bias that the attitude was integrated with, rad/s.
    var biasUsed: Vector3
    /// Integral of the vertical's device coordinates times the rate's since the sample before, rad: how the scales of the gyroscope's
    /// axes turn the yaw.
    var scaleIntegral: Vector3
    /// Scale errors that the attitude was integrated with.
    var scaleUsed: Vector3
}
