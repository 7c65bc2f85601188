import Geometry

/// The robust fit of |A·(m − c)| = F to raw samples m: hard iron c, field F, and a symmetric A with trace 3 pulled to the
/// identity. Gauss-Newton with Cauchy weights from the linear sphere.
///
/// The trace is held because A and F have a common factor. The pull makes the same fit a sphere (tight) or an ellipsoid
/// (loose), so that a partly covered sphere needs no change of method.
struct EllipsoidFit {
    /// Symmetric, trace 3.
    private(set) var softIron = Matrix3.identity
    /// µT, raw frame.
    private(set) var center: Vector3
    /// µT.
    private(set) var field: Double
    /// Root mean square in µT, outliers clipped at three times the assumed noise.
    private(set) var residual = 0.0
    /// Covariance of `center` in µT².
    private(set) var centerCovariance = Matrix3.zero
    /// Directions of the calibrated samples.
    private(set) var coverage = SphereCoverage()
    /// Samples used.
    private(set) var samples = 0

    /// Fits every `stride`-th point with the given prior on the gains; nil if the points determine nothing.
    init?(
        _ points: [Vector3], stride: Int, gainSigma: Double, expectedField: Double?,
        parameters: CalibrationFitParameters
    ) {
        guard let sphere = SphereFit(points, stride: stride) else { return nil }
        center = sphere.center
        field = sphere.radius
        let noise = max(parameters.leastNoise, parameters.relativeNoise * sphere.radius)
        var factor: CholeskyFactor?
        for _ in 0..<parameters.iterations {
            var equations = NormalEquations(size: 10)
            for index in Swift.stride(from: 0, to: points.count, by: stride) {
                observe(points[index], noise: noise, equations: &equations)
            }
            addPriors(
                gainSigma: gainSigma, expectedField: expectedField, noise: noise, parameters: parameters,
                equations: &equations)
            guard let solved = equations.solved() else { return nil }
            factor = solved.factor
            if step(by: solved.solution) < 1e-4 { break }
        }
        guard let factor, center.isFinite, softIron.isFinite, field.isFinite, field > 0 else { return nil }
        judge(points, stride: stride, noise: noise)
        let variance = parameters.correlatedSamples * square(max(parameters.leastNoise, residual))
        let columns = (factor.inverseColumn(0), factor.inverseColumn(1), factor.inverseColumn(2))
        centerCovariance =
            Matrix3(
                Vector3(columns.0[0], columns.0[1], columns.0[2]), Vector3(columns.1[0], columns.1[1], columns.1[2]),
                Vector3(columns.2[0], columns.2[1], columns.2[2])) * variance
    }

    private func observe(_ point: Vector3, noise: Double, equations: inout NormalEquations) {
        let offset = point - center
        let calibrated = softIron * offset
        let length = calibrated.length
        let error = length - field
        let unit = calibrated * (1 / max(length, 1e-9))
        let byCenter = softIron * unit
        var row = NormalEquations.Row(repeating: 0)
        row[0] = -byCenter.x
        row[1] = -byCenter.y
        row[2] = -byCenter.z
        row[3] = -1
        row[4] = unit.x * offset.x
        row[5] = unit.y * offset.y
        row[6] = unit.z * offset.z
        row[7] = unit.x * offset.y + unit.y * offset.x
        row[8] = unit.x * offset.z + unit.z * offset.x
        row[9] = unit.y * offset.z + unit.z * offset.y
        let weight = 1 / (1 + square(error / noise) / 4)
        equations.add(row, residual: -error, weight: weight)
    }

    private func addPriors(
        gainSigma: Double, expectedField: Double?, noise: Double, parameters: CalibrationFitParameters,
        equations: inout NormalEquations
    ) {
        // In units of one sample's weight; correlated samples count less, so a prior counts more.
        let unit = square(noise) * parameters.correlatedSamples
        let gains: InlineArray<6, Double> = [
            1 - softIron[0, 0], 1 - softIron[1, 1], 1 - softIron[2, 2], -softIron[0, 1], -softIron[0, 2],
            -softIron[1, 2],
        ]
        for gain in 0..<6 {
            var row = NormalEquations.Row(repeating: 0)
            row[4 + gain] = 1
            equations.add(row, residual: gains[gain], weight: unit / square(gainSigma))
        }
        var trace = NormalEquations.Row(repeating: 0)
        trace[4] = 1
        trace[5] = 1
        trace[6] = 1
        equations.add(trace, residual: gains[0] + gains[1] + gains[2], weight: 1e9)
        if let expectedField, expectedField > 0 {
            var row = NormalEquations.Row(repeating: 0)
            row[3] = 1
            equations.add(
                row, residual: expectedField - field, weight: unit / square(parameters.fieldSigma * expectedField))
        }
    }

    /// Applies a step; the largest change of any unknown.
    private mutating func step(by change: NormalEquations.Row) -> Double {
        center += Vector3(change[0], change[1], change[2])
        field += change[3]
        softIron =
            softIron
            + Matrix3(
                Vector3(change[4], change[7], change[8]), Vector3(change[7], change[5], change[9]),
                Vector3(change[8], change[9], change[6]))
        var largest = 0.0
        for index in 0..<10 { largest = max(largest, abs(change[index])) }
        return largest
    }

    private mutating func judge(_ points: [Vector3], stride: Int, noise: Double) {
        var sum = 0.0
        for index in Swift.stride(from: 0, to: points.count, by: stride) {
            let calibrated = softIron * (points[index] - center)
            sum += min(square(calibrated.length - field), 9 * square(noise))
            coverage.add(calibrated)
            samples += 1
        }
        residual = (sum / Double(max(1, samples))).squareRoot()
    }
}

/// x².
func square(_ value: Double) -> Double { value * value }
