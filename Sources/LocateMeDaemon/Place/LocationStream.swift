internal import LocateMeModel

/// The fixes of one session on their way through acceptance and filter, numbered, and never backward in time.
struct LocationStream {
    private var window = AcceptanceWindow()
    private var filter = LocationFilter()
    private var sequence: UInt64 = 0
    private var lastReal: Int64 = .min

    /// CLOCK_BOOTTIME in µs at which `expire` is due; nil: never.
    var deadline: Int64? { window.deadline }

    /// A start: the next fix is a first one. Numbers go on.
    mutating func reset() {
        window = AcceptanceWindow()
        filter.reset()
    }

    /// Takes a fix; returns what is to be delivered now.
    mutating func take(_ fix: Fix, settings: LocationSettings, now: Int64) -> Fix? {
        guard let accepted = window.take(fix, settings: settings, now: now) else { return nil }
        return pass(accepted, settings: settings)
    }

    /// Ends the acceptance window at its deadline; returns what is to be delivered now.
    mutating func expire(settings: LocationSettings) -> Fix? {
        guard let best = window.expire() else { return nil }
        return pass(best, settings: settings)
    }

    /// The fix with the next number and a real time that does not go backward.
    mutating func numbered(_ fix: Fix) -> Fix {
        var fix = fix
        sequence += 1
        fix.sequence = sequence
        if fix.realMicroseconds != 0 {
            fix.realMicroseconds = max(fix.realMicroseconds, lastReal)
            lastReal = fix.realMicroseconds
        }
        return fix
    }

    private mutating func pass(_ fix: Fix, settings: LocationSettings) -> Fix? {
        filter.passes(fix, settings: settings) ? numbered(fix) : nil
    }
}
