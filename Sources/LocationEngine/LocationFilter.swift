public import LocateMeModel

/// Decides which fixes one session gets.
///
/// A fix is delivered if none was before, if it has moved by the distance filter from the last delivered one (a
/// creep of many small steps adds up), or if its accuracy is at most half of the last one's and that was worse than
/// wanted; in any case not before the minimum interval, and never twice for one moment of one source.
public struct LocationFilter: Hashable, Sendable {
    /// The last delivered fix.
    public private(set) var last: Fix?

    /// Nothing was delivered.
    public init() {}

    /// Forgets what was delivered, so that the next fix is a first one.
    public mutating func reset() { last = nil }

    /// Nil if the fix is to be delivered, which is then remembered; otherwise why not.
    public mutating func objection(
        to fix: Fix, settings: LocationSettings, distanceFilter: Double? = nil, isStateChange: Bool = false
    ) -> FilterReason? {
        guard let last else {
            self.last = fix
            return nil
        }
        if isRepeat(fix, of: last) { return .repeated }
        if !isStateChange {
            let interval = fix.bootMicroseconds - last.bootMicroseconds
            let wanted = Int64(settings.minimumIntervalMilliseconds) * 1000
            // A source that keeps the interval has some jitter: a tenth of it, at most 100 ms, is forgiven.
            if interval < wanted - min(wanted / 10, 100_000) { return .tooSoon }
            guard
                hasMoved(fix, from: last, filter: distanceFilter ?? settings.distanceFilter, settings)
                    || isBetter(fix, than: last, settings)
            else { return .notMoved }
        }
        self.last = fix
        return nil
    }

    /// True if the fix is to be delivered, which is then remembered.
    public mutating func passes(_ fix: Fix, settings: LocationSettings) -> Bool {
        objection(to: fix, settings: settings) == nil
    }

    /// The same fix comes twice: as a known one at the start, and then by itself. By arrival, since repeated times were
    /// kept back before, and those that are equal for another reason (a leap second) are fixes of their own.
    private func isRepeat(_ fix: Fix, of last: Fix) -> Bool {
        guard fix.source == last.source, !fix.flags.contains(.fixed) else { return false }
        return abs(fix.bootMicroseconds - last.bootMicroseconds) <= DuplicateGate.tolerance
    }

    private func hasMoved(_ fix: Fix, from last: Fix, filter: Double, _ settings: LocationSettings) -> Bool {
        guard filter >= 0 else { return true }
        var distance = last.metres(to: fix)
        if settings.confirmedDistance { distance -= fix.horizontalAccuracy + last.horizontalAccuracy }
        return distance >= filter
    }

    private func isBetter(_ fix: Fix, than last: Fix, _ settings: LocationSettings) -> Bool {
        fix.horizontalAccuracy <= last.horizontalAccuracy / 2
            && last.horizontalAccuracy > max(settings.desiredAccuracy, 0)
    }
}
