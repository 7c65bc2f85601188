import Geometry

/// The sphere through points by linear least squares (Kåsa's fit): exact for exact data, biased to a smaller radius by
/// noise on a small cap; the start of the robust fits.
struct SphereFit {
    /// µT.
    var center: Vector3
    /// µT.
    var radius: Double

    /// Fits every `stride`-th point; nil if the points do not determine a sphere.
    init?(_ points: [Vector3], stride: Int) {
        var centroid = Vector3.zero
        var count = 0.0
        for index in Swift.stride(from: 0, to: points.count, by: stride) {
            centroid += points[index]
            count += 1
        }
        guard count >= 4 else { return nil }
        centroid = centroid * (1 / count)
        var equations = NormalEquations(size: 4)
        for index in Swift.stride(from: 0, to: points.count, by: stride) {
            // |d|² = 2 s·d + (r² − |s|²) with d from the centroid, s the centre's offset from it.
            let offset = points[index] - centroid
            var row = NormalEquations.Row(repeating: 0)
            row[0] = offset.x
            row[1] = offset.y
            row[2] = offset.z
            row[3] = 1
            equations.add(row, residual: offset.squaredLength, weight: 1)
        }
        guard let solution = equations.solved()?.solution else { return nil }
        let shift = Vector3(solution[0], solution[1], solution[2]) * 0.5
        let squaredRadius = solution[3] + shift.squaredLength
        guard squaredRadius > 0, squaredRadius.isFinite else { return nil }
        center = centroid + shift
        radius = squaredRadius.squareRoot()
    }
}
