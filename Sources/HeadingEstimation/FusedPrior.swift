import Geometry
import LocateMeModel

/// What the fused compass starts from.
struct FusedPrior {
    /// Hard and soft iron and how well they are known.
    var calibration = FieldCalibration()
    /// rad/s.
    var gyroBias = Vector3.zero
    /// rad/s.
    var gyroBiasSigma: Double
    /// Scale errors of the gyroscope's axes.
    var gyroScale = Vector3.zero
    /// Their standard deviation.
    var gyroScaleSigma: Double
    /// s.
    var latency: Double
    /// s.
    var latencySigma: Double
    /// Nil without a place.
    var earthField: EarthField?

    /// The prior for stored knowledge, `ageSeconds` old, and a source that may be calibrated.
    init(
        stored: StoredHeadingState?, ageSeconds: Double = 0, fieldIsCalibrated: Bool, parameters: HeadingParameters
    ) {
        let magnetic = parameters.magnetic
        var sigma = fieldIsCalibrated ? magnetic.calibratedHardIron : magnetic.unknownHardIron
        var joint: Matrix3?
        if let known = stored?.magnetometer {
            calibration.softIron = known.softIron
            calibration.hardIron = known.hardIron
            if !fieldIsCalibrated {
                sigma = max(magnetic.storedHardIron, known.hardIronSigma)
                joint = known.hardIronCovariance
            }
        }
        calibration.covariance = Matrix3(diagonal: Vector3(sigma * sigma, sigma * sigma, sigma * sigma))
        if var joint {
            let least = magnetic.storedHardIron * magnetic.storedHardIron
            for axis in 0..<3 { joint[axis, axis] = max(least, joint[axis, axis]) }
            calibration.covariance = joint
        }
        if let gyroscope = stored?.gyroscope {
            gyroBias = gyroscope.bias
            gyroBiasSigma = parameters.bias.storedSigma
        } else {
            gyroBiasSigma = fieldIsCalibrated ? parameters.bias.calibratedSigma : parameters.bias.unknownSigma
        }
        gyroScaleSigma = fieldIsCalibrated ? parameters.bias.calibratedScaleSigma : parameters.bias.scaleSigma
        if let scale = stored?.gyroscope?.scale {
            gyroScale = scale.error
            gyroScaleSigma = min(gyroScaleSigma, max(parameters.bias.storedScaleSigma, scale.sigma))
        }
        latency = stored?.latency?.seconds ?? magnetic.latency
        latencySigma = stored?.latency.map { max(0.005, $0.sigma) } ?? magnetic.latencySigma
        if stored?.magnetometer != nil, !fieldIsCalibrated, ageSeconds > 0 {
            let weeks = ageSeconds / 604_800
            let drift = min(magnetic.greatestDrift, magnetic.weeklyDrift * weeks.squareRoot())
            widenHardIron(by: drift * drift)
        }
    }

    /// Adds a variance in µT² to each component of the hard iron.
    mutating func widenHardIron(by variance: Double) {
        calibration.covariance = calibration.covariance + Matrix3(diagonal: Vector3(variance, variance, variance))
    }
}
