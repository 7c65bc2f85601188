import Geometry

import func Glibc.asin

/// How much of a turn on the level has been seen, for a picture that moves from the first sample on: the twenty sectors of
/// `CircleSector`, counted from the first sample in the sense of the turn.
///
/// With a planar fit the samples' directions from its centre count. Before there is one, a short arc says nothing of its
/// centre: the angle follows from the longest chord, on a circle of the radius that the horizontal field usually has.
struct CircleCoverage {
    /// One value a sector: 0 empty … 1 well filled.
    private(set) var bins = [Double](repeating: 0, count: CircleSector.count)
    /// Share covered, 0…1.
    private(set) var share = 0.0

    /// Horizontal field in µT until a fit tells it: between the 10 of the far north and the 40 of the equator.
    private static let usualRadius = 20.0
    /// Samples after which a sector counts as well filled.
    private static let filled = 3.0

    /// The coverage of raw samples in time order, µT, by a planar fit or, if `fit` is nil or none, by the chord.
    init(_ points: [Vector3], fit: CalibrationFit?) {
        guard let start = points.first else { return }
        if let fit, fit.model == .planar {
            fill(points, start: start, fit: fit)
        } else {
            let chord = points.reduce(0) { max($0, ($1 - start).length) }
            // Not beyond a quarter: on a wide circle a fit comes sooner and says less.
            let angle = min(.pi / 2, 2 * asin(min(1, chord / (2 * Self.usualRadius))))
            for sector in 0...Int(angle / (2 * .pi) * Double(CircleSector.count)) { bins[sector] = 1 / Self.filled }
        }
        share = Double(bins.count { $0 > 0 }) / Double(CircleSector.count)
    }

    private mutating func fill(_ points: [Vector3], start: Vector3, fit: CalibrationFit) {
        // The plane's normal is the direction that the fit knows least of.
        let normal = SymmetricEigenvalues(fit.covariance).largest
        let offset = start - fit.center
        guard let first = (offset - normal * normal.dot(offset)).normalized else { return }
        var second = normal.cross(first)
        if let next = points.first(where: { abs(($0 - start).dot(second)) > 5 }), (next - start).dot(second) < 0 {
            second = second * -1
        }
        for point in points {
            // Sectors begin at −x; half of one more puts the first sample into the middle of the first.
            let along = (first: (point - fit.center).dot(first), second: (point - fit.center).dot(second))
            let half = 2 * Double.pi / Double(CircleSector.count) / 2
            let turned = Quaternion(aboutZ: half + .pi).rotate(Vector3(along.first, along.second, 0))
            let sector = CircleSector.index(x: turned.x, y: turned.y)
            bins[sector] = min(1, bins[sector] + 1 / Self.filled)
        }
    }
}
