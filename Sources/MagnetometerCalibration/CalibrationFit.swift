public import Geometry
public import LocateMeModel

/// A magnetometer calibration fitted to samples: calibrated = `softIron` · (raw − `center`).
public struct CalibrationFit: Hashable, Sendable {
    /// What was fitted.
    public enum Model: String, Hashable, Sendable {
        /// Hard iron in a plane: the samples lie on a circle (a spin on a table, a boat, a car).
        case planar
        /// Hard iron only.
        case sphere
        /// Hard and soft iron.
        case ellipsoid
    }

    /// What was fitted.
    public var model: Model
    /// Symmetric, trace 3; the identity unless `model` is `ellipsoid`.
    public var softIron: Matrix3
    /// Raw field in µT where the earth's field would be zero.
    public var center: Vector3
    /// Covariance of `softIron` · `center` in µT²; along the normal of a planar fit it holds what is not known.
    public var covariance: Matrix3
    /// Strength of the calibrated field in µT; of its part in the plane for a planar fit.
    public var field: Double
    /// Root mean square distance of the calibrated samples from the sphere or circle in µT, outliers clipped.
    public var residual: Double
    /// Share of the sphere covered (`SphereCoverage`); of twenty sectors of the circle for a planar fit. 0…1.
    public var coverage: Double
    /// Number of samples used.
    public var samples: Int

    /// The hard iron in µT as the estimator subtracts it: calibrated = softIron · raw − hardIron.
    public var hardIron: Vector3 { softIron * center }

    /// Standard deviation of the worst component of `hardIron` in µT.
    public var hardIronSigma: Double {
        max(covariance[0, 0], covariance[1, 1], covariance[2, 2]).squareRoot()
    }

    /// Standard deviation of the hard iron in µT in the worst direction that the fit determines: in its plane for a planar fit.
    public var determinedSigma: Double {
        guard model == .planar else { return hardIronSigma }
        return max(0, SymmetricEigenvalues(covariance).values.y).squareRoot()
    }

    /// The calibration in the form that is stored.
    public var stored: StoredHeadingState.Magnetometer {
        var stored = StoredHeadingState.Magnetometer(
            softIron: softIron, hardIron: hardIron, hardIronSigma: hardIronSigma)
        stored.hardIronCovariance = covariance
        stored.fieldMicrotesla = field
        stored.residualMicrotesla = residual
        stored.coverage = coverage
        stored.samples = samples
        return stored
    }

    /// Why this fit should not be used, nil if it is good.
    public func rejection(
        expectedField: Double?, parameters: CalibrationFitParameters = CalibrationFitParameters()
    ) -> CalibrationRejection? {
        if model != .planar {
            // Noise about one direction fits a small sphere well: the device was hardly turned.
            if field < parameters.leastTurnedField { return .coverage }
            guard field > parameters.leastField, field < parameters.greatestField else { return .implausibleField }
            if let expectedField, abs(field / expectedField - 1) > parameters.fieldTolerance { return .unexpectedField }
        }
        if coverage <= (model == .planar ? parameters.leastPlanarCoverage : parameters.leastCoverage) {
            return .coverage
        }
        if residual >= parameters.residualTolerance * field { return .residual }
        return nil
    }
}

extension CalibrationFit {
    /// A fit as it was stored, for pictures: nil if its soft iron has no inverse.
    public init?(_ stored: StoredHeadingState.Magnetometer, model: Model) {
        guard let inverse = stored.softIron.inverse else { return nil }
        let variance = stored.hardIronSigma * stored.hardIronSigma
        self.init(
            model: model, softIron: stored.softIron, center: inverse * stored.hardIron,
            covariance: stored.hardIronCovariance ?? Matrix3(diagonal: Vector3(variance, variance, variance)),
            field: stored.fieldMicrotesla, residual: stored.residualMicrotesla, coverage: stored.coverage,
            samples: stored.samples)
    }
}

/// Why a fit is not used.
public enum CalibrationRejection: String, Error, Hashable, Sendable {
    /// Too few samples far enough apart.
    case samples
    /// The device was not turned through enough directions.
    case coverage
    /// The samples do not lie on a sphere: the field was disturbed.
    case residual
    /// An axis stood at the end of its range: a magnet is too near, or the chip's range too small.
    case saturated
    /// The field is no strength that the earth's field has.
    case implausibleField
    /// The field is far from what the magnetic model says here.
    case unexpectedField
}
