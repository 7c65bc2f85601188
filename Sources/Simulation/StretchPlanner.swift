internal import Geometry

import func Glibc.atan2
import func Glibc.tan

/// Turns the legs of a walk into motions that follow each other without a jump: joins walks without a stop, rounds their
/// corners, and inserts turns on the spot where the walker has to face another way first.
struct StretchPlanner {
    /// A corner sharper than this, in radians, is turned on the spot.
    private static let sharpestCorner = 150 * Angle.radiansPerDegree
    /// A corner that cannot be rounded with at least this radius in metres is turned on the spot.
    private static let smallestRadius = 0.3
    /// Directions closer than this, in radians, are the same.
    private static let tolerance = 1e-9
    /// Mean speed of turns on the spot, rad/s.
    private static let turnRate = 60 * Angle.radiansPerDegree

    private let walk: Walk
    private var here: GroundPath.Point
    private var path: GroundPath?
    private var motions: [HandMotion] = []

    init(_ walk: Walk) {
        self.walk = walk
        here = GroundPath.Point(
            east: 0, north: 0, heading: walk.startHeading * Angle.radiansPerDegree, curvature: 0)
    }

    /// All motions in their order.
    mutating func plan() -> [HandMotion] {
        /// Metres of the next walk that the corner before it has used up.
        var usedUp = 0.0
        for (index, leg) in walk.legs.enumerated() {
            switch leg {
            case .stand(let seconds):
                finishPath()
                if seconds > 0 { motions.append(.stand(here, seconds: seconds)) }
            case .tumble(let seconds):
                finishPath()
                if seconds > 0 { motions.append(.tumble(here, seconds: seconds)) }
            case .face(let degrees):
                finishPath()
                turn(to: degrees * Angle.radiansPerDegree)
            case .circle(let radius, let toRight):
                guard radius > 0 else { continue }
                openPath()
                path?.addArc(angle: toRight ? 2 * .pi : -2 * .pi, radius: radius)
            case .walk(let east, let north):
                usedUp = addWalk(east: east, north: north, next: nextWalk(after: index), usedUp: usedUp)
            }
        }
        finishPath()
        return motions
    }

    // MARK: - Private

    /// The target of the leg after this one, if that is a walk.
    private func nextWalk(after index: Int) -> (east: Double, north: Double)? {
        guard index + 1 < walk.legs.count, case .walk(let east, let north) = walk.legs[index + 1] else { return nil }
        return (east, north)
    }

    private mutating func addWalk(
        east: Double, north: Double, next: (east: Double, north: Double)?, usedUp: Double
    ) -> Double {
        let current = path?.end ?? here
        let (aheadEast, aheadNorth) = (east - current.east, north - current.north)
        let length = (aheadEast * aheadEast + aheadNorth * aheadNorth).squareRoot()
        guard length > Self.tolerance else { return 0 }
        let direction = atan2(aheadEast, aheadNorth)
        if abs(Self.difference(direction, current.heading)) > Self.tolerance {
            finishPath()
            turn(to: direction)
        }
        openPath()
        guard let next, let corner = corner(at: (east, north), from: direction, to: next, length: length + usedUp)
        else {
            path?.addLine(length)
            return 0
        }
        path?.addLine(length - corner.tangent)
        path?.addArc(angle: corner.angle, radius: corner.radius)
        return corner.tangent
    }

    /// How the corner between two walks is rounded; nil if it is none or must be turned on the spot.
    ///
    /// The tangent point lies radius · tan(angle / 2) before the corner, at most half of either walk.
    private func corner(
        at point: (east: Double, north: Double), from direction: Double, to next: (east: Double, north: Double),
        length: Double
    ) -> (angle: Double, radius: Double, tangent: Double)? {
        let (aheadEast, aheadNorth) = (next.east - point.east, next.north - point.north)
        let nextLength = (aheadEast * aheadEast + aheadNorth * aheadNorth).squareRoot()
        guard nextLength > Self.tolerance else { return nil }
        let angle = Self.difference(atan2(aheadEast, aheadNorth), direction)
        guard abs(angle) > Self.tolerance, abs(angle) < Self.sharpestCorner else { return nil }
        let slope = tan(abs(angle) / 2)
        let tangent = min(walk.cornerRadius * slope, length / 2, nextLength / 2)
        let radius = tangent / slope
        guard radius >= Self.smallestRadius else { return nil }
        return (angle, radius, tangent)
    }

    private mutating func openPath() {
        if path == nil { path = GroundPath(from: here) }
    }

    private mutating func finishPath() {
        guard let finished = path else { return }
        path = nil
        here = finished.end
        here.curvature = 0
        guard finished.length > 0 else { return }
        motions.append(.go(finished, Pace(distance: finished.length, speed: walk.speed), walk.gait))
    }

    private mutating func turn(to heading: Double) {
        let angle = Self.difference(heading, here.heading)
        guard abs(angle) > Self.tolerance else { return }
        motions.append(.turn(here, angle: angle, seconds: max(0.5, abs(angle) / Self.turnRate)))
        here.heading += angle
    }

    /// The shorter turn between two directions in radians, clockwise positive.
    private static func difference(_ to: Double, _ from: Double) -> Double {
        Angle.wrap180((to - from) * Angle.degreesPerRadian) * Angle.radiansPerDegree
    }
}
