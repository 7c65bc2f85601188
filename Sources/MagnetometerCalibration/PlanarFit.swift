import Geometry

/// The circle through points that lie in a plane: a device that was only turned about one axis. It finds the hard iron in
/// the plane and says nothing about it along the normal, and it never fits gains: on a flat cloud they are arbitrary.
struct PlanarFit {
    /// Unit normal of the plane.
    private(set) var normal: Vector3
    /// µT, raw frame; along the normal the mean of the points.
    private(set) var center: Vector3
    /// Field in the plane in µT.
    private(set) var radius: Double
    /// Root mean square distance from the circle in the plane in µT.
    private(set) var residual = 0.0
    /// Share of twenty sectors of 18° that hold a sample, 0…1.
    private(set) var coverage = 0.0
    /// Covariance of `center` in µT².
    private(set) var covariance = Matrix3.zero
    /// Samples used.
    private(set) var samples = 0

    /// Fits every `stride`-th point; nil if the cloud is not flat or no circle.
    init?(_ points: [Vector3], stride: Int, parameters: CalibrationFitParameters) {
        var mean = Vector3.zero
        for index in Swift.stride(from: 0, to: points.count, by: stride) {
            mean += points[index]
            samples += 1
        }
        guard samples >= 3 else { return nil }
        mean = mean * (1 / Double(samples))
        var spread = Matrix3.zero
        for index in Swift.stride(from: 0, to: points.count, by: stride) {
            let offset = points[index] - mean
            spread =
                spread + Matrix3(offset * offset.x, offset * offset.y, offset * offset.z) * (1 / Double(samples))
        }
        let eigen = SymmetricEigenvalues(spread)
        guard eigen.values.z > 0, eigen.values.x < square(parameters.flatness) * eigen.values.z else { return nil }
        normal = eigen.smallest
        let first = eigen.largest
        let second = normal.cross(first)

        var equations = NormalEquations(size: 3)
        for index in Swift.stride(from: 0, to: points.count, by: stride) {
            let offset = points[index] - mean
            var row = NormalEquations.Row(repeating: 0)
            row[0] = offset.dot(first)
            row[1] = offset.dot(second)
            row[2] = 1
            equations.add(row, residual: square(row[0]) + square(row[1]), weight: 1)
        }
        guard let solved = equations.solved() else { return nil }
        let shift = (first: solved.solution[0] / 2, second: solved.solution[1] / 2)
        let squaredRadius = solved.solution[2] + square(shift.first) + square(shift.second)
        guard squaredRadius > 0, squaredRadius.isFinite else { return nil }
        radius = squaredRadius.squareRoot()
        center = mean + first * shift.first + second * shift.second

        var sum = 0.0
        var sectors: UInt32 = 0
        for index in Swift.stride(from: 0, to: points.count, by: stride) {
            let offset = points[index] - center
            let along = (first: offset.dot(first), second: offset.dot(second))
            sum += square((square(along.first) + square(along.second)).squareRoot() - radius)
            sectors |= 1 << UInt32(CircleSector.index(x: along.first, y: along.second))
        }
        residual = (sum / Double(samples)).squareRoot()
        coverage = Double(sectors.nonzeroBitCount) / Double(CircleSector.count)
        // In-plane: the linear fit's unknowns are twice the shift in units of the squared radius, hence 1/(2r)².
        let inPlane = solved.factor.inverseColumn(0)[0] + solved.factor.inverseColumn(1)[1]
        let variance =
            parameters.correlatedSamples * square(max(parameters.leastNoise, residual)) * inPlane * square(radius)
        covariance =
            Matrix3(first * (variance * first.x), first * (variance * first.y), first * (variance * first.z))
            + Matrix3(second * (variance * second.x), second * (variance * second.y), second * (variance * second.z))
        let across = square(parameters.normalSigma)
        covariance =
            covariance
            + Matrix3(normal * (across * normal.x), normal * (across * normal.y), normal * (across * normal.z))
    }
}
