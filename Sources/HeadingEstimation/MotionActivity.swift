import Geometry

/// How much the device moves, for everything that averages out in motion and not at rest.
struct MotionActivity {
    /// Low-passed |rate| relative to full activity.
    private(set) var rotation = 0.0
    /// Low-passed deviation of the acceleration from its mean, m/s².
    private(set) var dynamicAcceleration = 0.0
    private var shaking = 0.0

    /// 0 still … 1 fully active, as of the last gyroscope sample.
    private(set) var level = 0.0

    /// Takes a bias-free rate in rad/s.
    mutating func update(rate: Double, interval: Double, parameters: AttitudeParameters) {
        let share = interval / (parameters.activityTimeConstant + interval)
        rotation += share * (rate / parameters.activeRate - rotation)
        level = min(1, max(rotation, shaking))
    }

    /// Takes the acceleration's deviation from its mean in m/s².
    mutating func update(deviation: Double, interval: Double, parameters: AttitudeParameters) {
        let share = interval / (parameters.activityTimeConstant + interval)
        shaking += share * (deviation / parameters.activeAcceleration - shaking)
        dynamicAcceleration = shaking * parameters.activeAcceleration
    }
}
