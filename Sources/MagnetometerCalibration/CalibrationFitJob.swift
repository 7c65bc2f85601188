public import Geometry

/// A batch fit that is due: a value that can run anywhere, a few milliseconds at most.
///
/// A flat cloud gets a planar fit. Else the robust fit runs twice, with its gains held near 1 and free, and the samples decide:
/// free where the sphere is well covered or the centre is well determined even so.
public struct CalibrationFitJob: Hashable, Sendable {
    /// Raw samples in µT.
    public var points: [Vector3]
    /// Field strength in µT that the magnetic model gives here; nil without a place.
    public var expectedField: Double?
    /// Tuning.
    public var parameters: CalibrationFitParameters

    /// A job over raw samples in µT, device frame.
    public init(
        points: [Vector3], expectedField: Double? = nil,
        parameters: CalibrationFitParameters = CalibrationFitParameters()
    ) {
        self.points = points
        self.expectedField = expectedField
        self.parameters = parameters
    }

    /// The best fit that the samples allow, used or not: see `CalibrationFit.rejection`.
    public func run() throws(CalibrationRejection) -> CalibrationFit {
        try Self.fit(points, expectedField: expectedField, parameters: parameters)
    }

    /// The same without copying the samples: no allocation.
    public static func fit(
        _ points: [Vector3], expectedField: Double?, parameters: CalibrationFitParameters
    ) throws(CalibrationRejection) -> CalibrationFit {
        guard points.count >= parameters.leastSamples else { throw .samples }
        let stride = CalibrationPoints.stride(of: points.count, atMost: parameters.samplesUsed)
        guard !isSaturated(points, stride: stride, parameters: parameters) else { throw .saturated }
        if let planar = PlanarFit(points, stride: stride, parameters: parameters) { return CalibrationFit(planar) }
        guard
            let held = EllipsoidFit(
                points, stride: stride, gainSigma: parameters.partialGainSigma, expectedField: expectedField,
                parameters: parameters)
        else { throw .samples }
        guard
            let free = EllipsoidFit(
                points, stride: stride, gainSigma: parameters.gainSigma, expectedField: expectedField,
                parameters: parameters)
        else { return CalibrationFit(held, model: .sphere) }
        let ellipsoid = CalibrationFit(free, model: .ellipsoid)
        let isFree =
            free.coverage.share >= parameters.freeGainCoverage || ellipsoid.hardIronSigma <= parameters.freeGainSigma
        return isFree ? ellipsoid : CalibrationFit(held, model: .sphere)
    }

    /// True if many samples share the very greatest or least number of an axis: the end of the chip's range. A sphere has
    /// next to nothing at its poles, and an axis that never moved is a turn about it.
    private static func isSaturated(
        _ points: [Vector3], stride: Int, parameters: CalibrationFitParameters
    ) -> Bool {
        for axis in 0..<3 {
            var low = (value: Double.infinity, count: 0)
            var high = (value: -Double.infinity, count: 0)
            var samples = 0
            for index in Swift.stride(from: 0, to: points.count, by: stride) {
                let value = points[index][axis]
                samples += 1
                if value < low.value { low = (value, 0) }
                if value > high.value { high = (value, 0) }
                if value == low.value { low.count += 1 }
                if value == high.value { high.count += 1 }
            }
            guard high.value - low.value > parameters.leastField else { continue }
            if Double(max(low.count, high.count)) > max(8, parameters.saturatedShare * Double(samples)) { return true }
        }
        return false
    }
}

extension CalibrationFit {
    /// The result of a planar fit.
    init(_ fit: PlanarFit) {
        self.init(
            model: .planar, softIron: .identity, center: fit.center, covariance: fit.covariance, field: fit.radius,
            residual: fit.residual, coverage: fit.coverage, samples: fit.samples)
    }

    /// The result of a robust fit.
    init(_ fit: EllipsoidFit, model: Model) {
        self.init(
            model: model, softIron: fit.softIron, center: fit.center,
            covariance: fit.softIron * fit.centerCovariance * fit.softIron.transposed, field: fit.field,
            residual: fit.residual, coverage: fit.coverage.share, samples: fit.samples)
    }
}
