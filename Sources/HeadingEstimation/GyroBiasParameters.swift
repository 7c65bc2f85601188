import Geometry

/// Tuning of the gyroscope's bias and scale: priors, rest, and what inclination says of the bias in motion (both after VQF).
/// Angles in radians; figures without a source were found by trial on recordings.
public struct GyroBiasParameters: Hashable, Sendable {
    /// Prior of each component if nothing is known, rad/s: phones were off by up to 5.9°/s.
    public var unknownSigma = 4.0 * Angle.radiansPerDegree
    /// Prior of a stored bias, rad/s: it is not good to 0.15°/s hours later.
    public var storedSigma = 0.45 * Angle.radiansPerDegree
    /// Prior if the source delivers calibrated data, rad/s.
    public var calibratedSigma = 0.3 * Angle.radiansPerDegree
    /// Random walk, rad/s/√s.
    public var walk = 0.003 * Angle.radiansPerDegree
    /// Rest: largest deviation of the rate from its low-pass, rad/s (VQF's 2°/s). Deviations, so that an offset passes.
    public var restRate = 2.0 * Angle.radiansPerDegree
    /// Rest: largest deviation of the acceleration from its low-pass, m/s² (VQF's 0.5).
    public var restAcceleration = 0.5
    /// Rest: largest travel of the low-passed field since stillness began, µT: a slow steady turn is no rest.
    public var restField = 3.0
    /// Rest: how long it must have lasted, s (VQF's 1.5).
    public var restTime = 1.5
    /// A resting rate that differs from the known bias by more than this, rad/s, is a bias only if the field would have shown
    /// the turn …
    public var creditedRate = 1.0 * Angle.radiansPerDegree
    /// … by this travel, µT, a little more than `restField` (else it may be a slow steady turn) …
    public var creditedTravel = 3.3
    /// … or if it has lasted this long, s.
    public var creditedTime = 6.0
    /// Time constant of the rest detector's low-passes, s (VQF's 0.5).
    public var restTimeConstant = 0.5
    /// Noise of the low-passed rate at rest as a bias measurement over one second, rad/s.
    public var restSigma = 0.09 * Angle.radiansPerDegree
    /// Noise of the bias seen through the inclination corrections over one second, rad/s.
    public var motionSigma = 0.9 * Angle.radiansPerDegree
    /// Growth of `motionSigma` per m/s² of dynamic acceleration.
    public var motionSigmaPerAcceleration = 1.15
    /// Clip of that innovation, rad/s.
    public var motionClip = 5.0 * Angle.radiansPerDegree
    /// Seconds of accelerometer before inclination says anything of the bias.
    public var motionDelay = 1.0
    /// Interval of both measurements, s.
    public var measurementInterval = 0.1

    /// Prior of each axis' scale error: data sheets of phones' gyroscopes tolerate 2–4 %, and phones were off by up to 4 %.
    public var scaleSigma = 0.02
    /// Least prior of a stored scale error.
    public var storedScaleSigma = 0.005
    /// Prior if the source delivers calibrated data.
    public var calibratedScaleSigma = 0.003
    /// Random walk of the scale errors, 1/√s.
    public var scaleWalk = 1e-5

    /// The defaults.
    public init() {}
}
