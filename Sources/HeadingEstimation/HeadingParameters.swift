public import MagnetometerCalibration

/// Everything tunable of the heading estimator. The defaults suit any device.
public struct HeadingParameters: Hashable, Sendable {
    /// Six-axis attitude.
    public var attitude = AttitudeParameters()
    /// Gyroscope bias.
    public var bias = GyroBiasParameters()
    /// Magnetic Kalman filter.
    public var magnetic = MagneticParameters()
    /// Disturbance level, look-ahead and challenger.
    public var disturbance = DisturbanceParameters()
    /// The compass without a gyroscope.
    public var tilt = TiltParameters()
    /// Stated accuracy.
    public var accuracy = AccuracyParameters()
    /// Batch fits. Less coverage is asked for than of a guided calibration: `fitSigma` decides, and use goes on refining.
    public var fit = {
        var fit = CalibrationFitParameters()
        fit.leastCoverage = 0.25
        return fit
    }()
    /// Interval of batch fits while the field is uncalibrated, s.
    public var fitInterval = 1.0
    /// Seconds after the start before the first batch fit.
    public var fitDelay = 3.0
    /// Worst hard-iron standard deviation of a batch fit that is used, µT.
    public var fitSigma = 1.3
    /// Worst hard-iron standard deviation of a batch fit that is worth storing although it is not in force, µT.
    public var storedFitSigma = 2.0
    /// True: batch fits run inside `update` (batch tools). False: they wait in `takeFitJob()` for somebody to run them.
    public var fitsInline = true
    /// True if the device is known to lie or be mounted level (a boat, a car, a robot): a heading without an
    /// accelerometer is then possible, with an accuracy of 25° or worse.
    public var assumesLevel = false

    /// The defaults.
    public init() {}
}
