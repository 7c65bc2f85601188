internal import LocateMeModel

/// Joins the several reports that a receiver's sentences give for one moment into one fix.
///
/// Reports whose times differ by at most 50 ms are of one moment; one without a time (before the receiver knows the date)
/// belongs to the next at the same place. The fix goes out when it is complete, when the next moment begins, or at the
/// deadline, 200 ms after the first report; what comes for that moment later is a duplicate.
///
/// A leap second has the same Unix times as the second after it. In the first second of a UTC day reports that came half
/// a second apart or more are therefore of two moments, even if their times are equal.
struct FixEpoch {
    /// Microseconds.
    static let tolerance: Int64 = 50_000
    /// Microseconds.
    static let patience: Int64 = 200_000
    /// Microseconds between arrivals from which on equal times may be a leap second and the second after it.
    static let leapDistance: Int64 = 500_000

    private var pending: Fix?
    private var latestReal: Int64 = 0
    private var latestBoot: Int64 = 0

    /// Boot time in microseconds at which `flush()` is due; nil if nothing waits.
    var deadline: Int64? { pending.map { $0.bootMicroseconds + Self.patience } }

    /// Takes a report and gives the fixes that are ready, usually one or none.
    mutating func add(_ fix: Fix) -> [Fix] {
        if isDuplicate(fix) { return [] }
        var ready: [Fix] = []
        if let waiting = pending {
            if Self.isSameMoment(waiting, fix) {
                pending = Self.merge(waiting, fix)
            } else {
                ready.append(take(waiting))
                pending = fix
            }
        } else {
            pending = fix
        }
        if let waiting = pending, Self.isComplete(waiting) { ready.append(take(waiting)) }
        return ready
    }

    /// What waits, at the deadline or at the end.
    mutating func flush() -> Fix? { pending.map { take($0) } }

    /// Forgets everything, for a new connection.
    mutating func reset() {
        pending = nil
        latestReal = 0
    }

    // MARK: - Private

    private mutating func take(_ fix: Fix) -> Fix {
        pending = nil
        if fix.realMicroseconds > 0 { (latestReal, latestBoot) = (fix.realMicroseconds, fix.bootMicroseconds) }
        return fix
    }

    private func isDuplicate(_ fix: Fix) -> Bool {
        fix.realMicroseconds > 0 && latestReal > 0 && abs(fix.realMicroseconds - latestReal) <= Self.tolerance
            && !Self.isLeap(fix, after: latestBoot)
    }

    /// Equal times do not make one moment of reports that came at these.
    private static func isLeap(_ fix: Fix, after boot: Int64) -> Bool {
        fix.realMicroseconds % 86_400_000_000 < 1_000_000 && fix.bootMicroseconds - boot >= leapDistance
    }

    private static func isSameMoment(_ first: Fix, _ second: Fix) -> Bool {
        if first.realMicroseconds > 0, second.realMicroseconds > 0 {
            return abs(first.realMicroseconds - second.realMicroseconds) <= tolerance
                && !isLeap(second, after: first.bootMicroseconds)
        }
        return first.latitude == second.latitude && first.longitude == second.longitude
            && second.bootMicroseconds - first.bootMicroseconds <= patience
    }

    /// The later report's members where it has them.
    private static func merge(_ first: Fix, _ second: Fix) -> Fix {
        var fix = second
        fix.bootMicroseconds = first.bootMicroseconds
        if fix.realMicroseconds == 0 { fix.realMicroseconds = first.realMicroseconds }
        if fix.horizontalAccuracy == 0 { fix.horizontalAccuracy = first.horizontalAccuracy }
        if fix.verticalAccuracy < 0 {
            fix.altitude = first.altitude
            fix.ellipsoidalAltitude = first.ellipsoidalAltitude
            fix.verticalAccuracy = first.verticalAccuracy
        } else if fix.verticalAccuracy == 0, first.verticalAccuracy > 0 {
            fix.verticalAccuracy = first.verticalAccuracy
        }
        if fix.speed < 0 { fix.speed = first.speed }
        if fix.speedAccuracy < 0 { fix.speedAccuracy = first.speedAccuracy }
        if fix.course < 0 { fix.course = first.course }
        if fix.courseAccuracy < 0 { fix.courseAccuracy = first.courseAccuracy }
        if fix.correction == .none { fix.correction = first.correction }
        if fix.satellites < 0 { fix.satellites = first.satellites }
        fix.flags.formUnion(first.flags)
        return fix
    }

    /// Nothing is missing that another sentence of the moment could add.
    private static func isComplete(_ fix: Fix) -> Bool {
        fix.realMicroseconds > 0 && fix.horizontalAccuracy > 0 && fix.verticalAccuracy > 0 && fix.speed >= 0
            && fix.speedAccuracy >= 0
    }
}
