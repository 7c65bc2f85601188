internal import LocateMeModel

/// Decides which fixes one session gets.
///
/// A fix is delivered if none was before, if it has moved by the distance filter from the last delivered one, or if
/// its accuracy is at most half of the last one's and that was worse than wanted; in any case not before the minimum
/// interval, and never twice for one moment of one source.
struct LocationFilter {
    /// The last delivered fix.
    private(set) var last: Fix?

    /// Forgets what was delivered, so that the next fix is a first one.
    mutating func reset() { last = nil }

    /// True if the fix is to be delivered, which is then remembered.
    mutating func passes(_ fix: Fix, settings: LocationSettings) -> Bool {
        guard let last else {
            self.last = fix
            return true
        }
        if isRepeat(fix, of: last) { return false }
        let interval = fix.bootMicroseconds - last.bootMicroseconds
        if interval < Int64(settings.minimumIntervalMilliseconds) * 1000 { return false }
        guard hasMoved(fix, from: last, settings: settings) || isBetter(fix, than: last, settings: settings) else {
            return false
        }
        self.last = fix
        return true
    }

    /// Fixes of one source within 50 ms are one moment: sentences of one epoch.
    private func isRepeat(_ fix: Fix, of last: Fix) -> Bool {
        guard fix.source == last.source, !fix.flags.contains(.fixed) else { return false }
        if fix.realMicroseconds != 0, last.realMicroseconds != 0 {
            return abs(fix.realMicroseconds - last.realMicroseconds) <= 50_000
        }
        return abs(fix.bootMicroseconds - last.bootMicroseconds) <= 50_000
    }

    private func hasMoved(_ fix: Fix, from last: Fix, settings: LocationSettings) -> Bool {
        guard settings.distanceFilter >= 0 else { return true }
        var distance = GroundDistance.metres(from: last, to: fix)
        if settings.confirmedDistance { distance -= fix.horizontalAccuracy + last.horizontalAccuracy }
        return distance >= settings.distanceFilter
    }

    private func isBetter(_ fix: Fix, than last: Fix, settings: LocationSettings) -> Bool {
        fix.horizontalAccuracy <= last.horizontalAccuracy / 2
            && last.horizontalAccuracy > max(settings.desiredAccuracy, 0)
    }
}
