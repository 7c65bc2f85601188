internal import Geometry
public import LocateMeModel

/// Finds visits: an arrival after 300 s within 150 m, the departure when that is left for certain.
///
/// The place of a visit is the mean of the fixes that established it, weighted by 1/accuracy². A fix that is less
/// accurate than the radius proves no stay, but may prove that it was left.
public struct VisitDetector: Sendable {
    /// Metres.
    public static let radius = 150.0
    /// Microseconds.
    public static let period: Int64 = 300_000_000

    /// The visit that lasts; nil between visits.
    public private(set) var current: Visit?

    private var first: Fix?
    private var weights = 0.0
    private var sum = (latitude: 0.0, longitude: 0.0)
    /// True once the device was seen to leave a place: then the next arrival's time is known.
    private var hasMoved = false

    /// Nothing is known; with a visit that lasted when the program ended.
    public init(current: Visit? = nil) {
        self.current = current
        hasMoved = current != nil
    }

    /// Takes the next fix; returns the visit that has just been established or ended.
    public mutating func update(_ fix: Fix) -> Visit? {
        if let visit = current { return leave(visit, fix) }
        guard let start = first else {
            begin(fix)
            return nil
        }
        if start.metres(to: fix) - fix.horizontalAccuracy - start.horizontalAccuracy > Self.radius
            || start.metres(to: fix) > 2 * Self.radius
        {
            hasMoved = true
            begin(fix)
            return nil
        }
        guard fix.horizontalAccuracy <= Self.radius else { return nil }
        add(fix)
        guard fix.bootMicroseconds - start.bootMicroseconds >= Self.period, center(start).metres(to: fix) <= Self.radius
        else { return nil }
        var visit = Visit(
            arrival: hasMoved ? start.realMicroseconds : .min, departure: .max, latitude: 0, longitude: 0,
            accuracy: min(start.horizontalAccuracy, fix.horizontalAccuracy))
        let place = center(start)
        (visit.latitude, visit.longitude) = (place.latitude, place.longitude)
        current = visit
        first = nil
        return visit
    }

    private mutating func leave(_ visit: Visit, _ fix: Fix) -> Visit? {
        let place = Fix(
            realMicroseconds: 0, bootMicroseconds: 0, latitude: visit.latitude, longitude: visit.longitude,
            horizontalAccuracy: visit.accuracy)
        guard place.metres(to: fix) - fix.horizontalAccuracy > Self.radius else { return nil }
        var ended = visit
        ended.departure = fix.realMicroseconds
        current = nil
        hasMoved = true
        begin(fix)
        return ended
    }

    private mutating func begin(_ fix: Fix) {
        weights = 0
        sum = (0, 0)
        guard fix.horizontalAccuracy <= Self.radius else {
            first = nil
            return
        }
        first = fix
        add(fix)
    }

    /// Adds relative to the first fix, so that a place on the date line has a mean on the date line.
    private mutating func add(_ fix: Fix) {
        guard let first else { return }
        let weight = 1 / max(fix.horizontalAccuracy * fix.horizontalAccuracy, 0.01)
        weights += weight
        sum.latitude += weight * (fix.latitude - first.latitude)
        sum.longitude += weight * Angle.turn(from: first.longitude, to: fix.longitude)
    }

    private func center(_ start: Fix) -> Fix {
        var place = start
        guard weights > 0 else { return place }
        place.latitude = start.latitude + sum.latitude / weights
        place.longitude = Angle.wrap180(start.longitude + sum.longitude / weights)
        return place
    }
}
