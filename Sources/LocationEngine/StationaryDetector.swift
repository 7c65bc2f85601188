internal import Geometry
public import LocateMeModel

import func Glibc.cos

/// Finds out that the device stands still, and then holds its place.
///
/// Model: for a minute, the mean speed (where fixes give one) is at most 0.3 m/s, two thirds of the fixes lie
/// within R = max(accuracy, 10 m) of their weighted mean, all within 2 R, and the mean of the later half is within R/2
/// of that of the earlier half. Two thirds and not all, since that is what an accuracy of 68 % promises: a receiver
/// with honest noise would never count as still otherwise. The place is then the mean, weighted by 1/accuracy².
/// Moving begins with a fix outside 1.5 R + its accuracy that gives a speed above 1 m/s, or with the second such fix in
/// a row: a single one may be an outlier with a far too good accuracy.
public struct StationaryDetector: Sendable {
    /// Microseconds that the device must have been still.
    public static let period: Int64 = 60_000_000
    /// m/s, mean of the period.
    public static let greatestSpeed = 0.3
    /// Metres.
    public static let smallestRadius = 10.0

    /// What a fix has changed.
    public enum Change: Hashable, Sendable {
        /// The device stands still from now on.
        case stopped
        /// The device moves from now on.
        case started
    }

    private struct Point {
        var boot: Int64
        var east, north, accuracy, speed: Double
    }

    /// Metres of the weighted mean from the origin, and how exact it is.
    private struct Circle {
        var east, north, radius, accuracy: Double
    }

    private var points: [Point] = []
    private var origin: Fix?
    private var circle: Circle?
    private var outside = 0

    /// At most so many fixes of the period are kept; faster sources are thinned.
    private static let capacity = 128
    private static let spacing: Int64 = 480_000
    /// Metres of one degree of latitude, mean of the ellipsoid; the patches here have some hundred metres.
    private static let metresPerDegree = 111_195.0

    /// Nothing is known: moving.
    public init() { points.reserveCapacity(Self.capacity + 1) }

    /// True while the device stands still.
    public var isStationary: Bool { circle != nil }

    /// Forgets everything.
    public mutating func reset() {
        points.removeAll(keepingCapacity: true)
        origin = nil
        circle = nil
        outside = 0
    }

    /// Takes the next fix.
    public mutating func update(_ fix: Fix) -> Change? {
        let place = local(fix)
        if let circle { return leave(circle, fix, place) }
        if let last = points.last {
            if fix.bootMicroseconds - last.boot > Self.period || abs(place.east) > 10_000 || abs(place.north) > 10_000 {
                reset()
                return update(fix)
            }
            if fix.bootMicroseconds - last.boot < Self.spacing { return nil }
        }
        points.append(
            Point(
                boot: fix.bootMicroseconds, east: place.east, north: place.north, accuracy: fix.horizontalAccuracy,
                speed: fix.speed))
        // The newest that is at least as old as the period stays, so that the span can be seen to be full.
        while points.count > 2, fix.bootMicroseconds - points[1].boot >= Self.period { points.removeFirst() }
        if points.count > Self.capacity { points.removeFirst() }
        guard let found = stillness(at: fix.bootMicroseconds) else { return nil }
        circle = found
        outside = 0
        return .stopped
    }

    /// The fix with the held place while the device stands still, the fix itself otherwise.
    public func held(_ fix: Fix) -> Fix {
        guard let circle, let origin else { return fix }
        var fix = fix
        fix.latitude = origin.latitude + circle.north / Self.metresPerDegree
        fix.longitude = Angle.wrap180(origin.longitude + circle.east / (Self.metresPerDegree * Self.shrink(origin)))
        // Errors of a receiver at rest are correlated: the mean is no better than the best of its fixes.
        fix.horizontalAccuracy = circle.accuracy
        if fix.speed >= 0 { fix.speed = 0 }
        fix.course = -1
        fix.courseAccuracy = -1
        return fix
    }

    // MARK: - Private

    private mutating func local(_ fix: Fix) -> (east: Double, north: Double) {
        guard let origin else {
            self.origin = fix
            return (0, 0)
        }
        let north = (fix.latitude - origin.latitude) * Self.metresPerDegree
        let east = Angle.turn(from: origin.longitude, to: fix.longitude) * Self.metresPerDegree * Self.shrink(origin)
        return (east, north)
    }

    /// Length of a degree of longitude relative to one of latitude; a little more than none at the poles.
    private static func shrink(_ fix: Fix) -> Double { max(cos(fix.latitude * Angle.radiansPerDegree), 1e-6) }

    private mutating func leave(_ circle: Circle, _ fix: Fix, _ place: (east: Double, north: Double)) -> Change? {
        let east = place.east - circle.east
        let north = place.north - circle.north
        let distance = (east * east + north * north).squareRoot()
        guard distance > 1.5 * circle.radius + fix.horizontalAccuracy else {
            outside = 0
            return nil
        }
        outside += 1
        guard outside >= 2 || fix.speed > 1 else { return nil }
        reset()
        _ = update(fix)
        return .started
    }

    private func stillness(at now: Int64) -> Circle? {
        guard points.count >= 3, let first = points.first, now - first.boot >= Self.period else { return nil }
        var weights = 0.0
        var (east, north) = (0.0, 0.0)
        var (speed, speeds) = (0.0, 0.0)
        var accuracy = 0.0
        var best = Double.infinity
        for point in points {
            let weight = 1 / max(point.accuracy * point.accuracy, 0.01)
            weights += weight
            east += weight * point.east
            north += weight * point.north
            accuracy += point.accuracy
            best = min(best, point.accuracy)
            if point.speed >= 0 { (speed, speeds) = (speed + point.speed, speeds + 1) }
        }
        if speeds > 0, speed / speeds > Self.greatestSpeed { return nil }
        east /= weights
        north /= weights
        let radius = max(accuracy / Double(points.count), Self.smallestRadius)
        guard isWithin(radius, east: east, north: north), halvesAgree(radius) else { return nil }
        return Circle(east: east, north: north, radius: radius, accuracy: best)
    }

    private func isWithin(_ radius: Double, east: Double, north: Double) -> Bool {
        var inside = 0
        for point in points {
            let square = (point.east - east) * (point.east - east) + (point.north - north) * (point.north - north)
            if square > 4 * radius * radius { return false }
            if square <= radius * radius { inside += 1 }
        }
        return 3 * inside >= 2 * points.count
    }

    private func halvesAgree(_ radius: Double) -> Bool {
        let half = points.count / 2
        var sums = (early: (0.0, 0.0), late: (0.0, 0.0))
        for (index, point) in points.enumerated() {
            if index < half {
                sums.early = (sums.early.0 + point.east, sums.early.1 + point.north)
            } else {
                sums.late = (sums.late.0 + point.east, sums.late.1 + point.north)
            }
        }
        let late = Double(points.count - half)
        let east = sums.late.0 / late - sums.early.0 / Double(half)
        let north = sums.late.1 / late - sums.early.1 / Double(half)
        return east * east + north * north <= radius * radius / 4
    }
}
