internal import Geometry

extension StoredHeadingState {
    /// The first thing that makes this state unusable, in a sentence; nil if it can be used.
    ///
    /// Limits: soft iron symmetric within 1e-6 and positive definite with each eigenvalue in 0.2…5 (ArduPilot's
    /// CompassCalibrator accepts gains of 0.2…5); hard iron up to 10 000 µT (phones carry up to 3 500 µT raw);
    /// gyroscope bias up to 1 rad/s; latency 0…0.5 s; standard deviations not negative and of what could be at all; coverage of a
    /// fit 0…1, its residual up to 1000 µT; mount matrix within ±100; temperature -100…200 °C; scale of the field a power of ten
    /// within 1e±6.
    public var defect: String? {
        if let magnetometer {
            if let defect = magnetometer.defect { return defect }
        }
        if let gyroscope {
            guard gyroscope.bias.isFinite, gyroscope.bias.length <= 1 else {
                return "the gyroscope bias is not a finite vector of at most 1 rad/s"
            }
            guard gyroscope.sigma >= 0, gyroscope.sigma <= 10 else {
                return "the standard deviation of the gyroscope bias is not within 0…10 rad/s"
            }
            guard gyroscope.scale?.isPlausible ?? true else {
                return "the scale of the gyroscope is off by more than a fifth or not a number"
            }
        }
        if let latency {
            guard latency.seconds.isFinite, latency.seconds >= 0, latency.seconds <= 0.5 else {
                return "the magnetometer latency is not within 0…0.5 s"
            }
            guard latency.sigma >= 0, latency.sigma <= 10 else {
                return "the standard deviation of the latency is not within 0…10 s"
            }
        }
        if let mountMatrix {
            guard MountMatrix(mountMatrix) != nil else { return "the mount matrix is none" }
        }
        guard temperature.isNaN || (-100...200).contains(temperature) else {
            return "the temperature is not within -100…200 °C"
        }
        guard Self.isPowerOfTen(fieldScale) else { return "the field's scale is no power of ten within 1e±6" }
        return nil
    }

    /// True for 10ⁿ with |n| ≤ 6, within what a decimal text keeps.
    private static func isPowerOfTen(_ scale: Double) -> Bool {
        var power = 1e-6
        for _ in 0...12 {
            if abs(scale / power - 1) < 1e-9 { return true }
            power *= 10
        }
        return false
    }
}

extension StoredHeadingState.Magnetometer {
    /// As `StoredHeadingState.defect`, for the calibration alone.
    public var defect: String? {
        guard softIron.isFinite else { return "the soft iron matrix holds a number that is not finite" }
        for row in 0..<3 {
            for column in 0..<row where abs(softIron[row, column] - softIron[column, row]) > 1e-6 {
                return "the soft iron matrix is not symmetric"
            }
        }
        // Sylvester's criterion on A − 0.2·I and 5·I − A bounds every eigenvalue without computing one.
        guard
            Self.isPositiveDefinite(softIron + Matrix3(diagonal: Vector3(-0.2, -0.2, -0.2))),
            Self.isPositiveDefinite(softIron * -1 + Matrix3(diagonal: Vector3(5, 5, 5)))
        else { return "the soft iron matrix has a gain outside 0.2…5" }
        guard hardIron.isFinite, hardIron.length <= 10_000 else {
            return "the hard iron is not a finite vector of at most 10 000 µT"
        }
        guard hardIronSigma >= 0, hardIronSigma <= 10_000 else {
            return "the standard deviation of the hard iron is not within 0…10 000 µT"
        }
        if let covariance = hardIronCovariance {
            guard covariance.isFinite, covariance[0, 0] >= 0, covariance[1, 1] >= 0, covariance[2, 2] >= 0 else {
                return "the covariance of the hard iron is not finite with variances ≥ 0"
            }
            for row in 0..<3 {
                for column in 0..<row {
                    let bound = (covariance[row, row] * covariance[column, column]).squareRoot() + 1e-6
                    guard abs(covariance[row, column]) <= bound, covariance[row, row] <= 1e8 else {
                        return "the covariance of the hard iron is none"
                    }
                }
            }
        }
        guard fieldMicrotesla == 0 || (fieldMicrotesla > 5 && fieldMicrotesla < 150) else {
            return "the field strength of the fit is not within 5…150 µT"
        }
        guard coverage.isNaN || (0...1).contains(coverage) else { return "the coverage of the fit is not within 0…1" }
        guard residualMicrotesla.isNaN || (0...1000).contains(residualMicrotesla) else {
            return "the residual of the fit is not within 0…1000 µT"
        }
        guard samples >= 0 else { return "the number of samples of the fit is negative" }
        return nil
    }

    private static func isPositiveDefinite(_ matrix: Matrix3) -> Bool {
        matrix[0, 0] > 0 && matrix[0, 0] * matrix[1, 1] - matrix[0, 1] * matrix[1, 0] > 0 && matrix.determinant > 0
    }
}
