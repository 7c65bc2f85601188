import func Glibc.cos
import func Glibc.sin

/// A walk over the ground without a stop: straight lines and circular arcs, each tangent to the one before, by arc length.
struct GroundPath: Hashable, Sendable {
    /// A line or, with a curvature, an arc.
    private struct Piece: Hashable, Sendable {
        /// Arc length at its beginning, metres.
        var start: Double
        var length: Double
        var east: Double
        var north: Double
        /// Radians clockwise from north at its beginning.
        var heading: Double
        /// 1/m, positive for a turn to the right; 0 for a line.
        var curvature: Double
    }

    /// Where one is after some metres.
    struct Point: Hashable, Sendable {
        var east: Double
        var north: Double
        /// Radians clockwise from north, not wrapped.
        var heading: Double
        /// 1/m, positive for a turn to the right.
        var curvature: Double
    }

    private var pieces: [Piece] = []
    private(set) var length = 0.0
    private(set) var end: Point

    init(from start: Point) { end = start }

    /// Goes straight on.
    mutating func addLine(_ distance: Double) { add(distance, curvature: 0) }

    /// Turns by an angle in radians, positive to the right, on a circle of the radius in metres.
    mutating func addArc(angle: Double, radius: Double) {
        add(abs(angle) * radius, curvature: (angle < 0 ? -1 : 1) / radius)
    }

    /// The point after so many metres, clamped to the path.
    func point(at distance: Double) -> Point {
        guard var piece = pieces.first else { return end }
        for candidate in pieces where candidate.start <= distance { piece = candidate }
        return Self.point(of: piece, at: min(max(distance - piece.start, 0), piece.length))
    }

    // MARK: - Private

    private mutating func add(_ distance: Double, curvature: Double) {
        guard distance > 0 else { return }
        let piece = Piece(
            start: length, length: distance, east: end.east, north: end.north, heading: end.heading,
            curvature: curvature)
        pieces.append(piece)
        length += distance
        end = Self.point(of: piece, at: distance)
    }

    private static func point(of piece: Piece, at distance: Double) -> Point {
        let heading = piece.heading + piece.curvature * distance
        guard piece.curvature != 0 else {
            return Point(
                east: piece.east + distance * sin(heading), north: piece.north + distance * cos(heading),
                heading: heading, curvature: 0)
        }
        // The integral of (sin, cos) of a heading that grows evenly.
        return Point(
            east: piece.east + (cos(piece.heading) - cos(heading)) / piece.curvature,
            north: piece.north + (sin(heading) - sin(piece.heading)) / piece.curvature,
            heading: heading, curvature: piece.curvature)
    }
}
