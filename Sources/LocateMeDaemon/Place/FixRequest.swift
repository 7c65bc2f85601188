internal import LocateMeModel

/// One `RequestLocation` that waits for a fix.
final class FixRequest {
    /// Metres that end the waiting; ≤ 0: any fix does.
    let accuracy: Double
    /// CLOCK_BOOTTIME in µs before which a fix is too old.
    let since: Int64
    /// The most accurate fix so far.
    private(set) var best: Fix?
    /// The call and its deadline.
    var answer: PendingAnswer?

    init(accuracy: Double, since: Int64) {
        self.accuracy = accuracy
        self.since = since
    }

    /// True if the fix ends the waiting.
    func take(_ fix: Fix) -> Bool {
        guard fix.flags.contains(.fixed) || fix.bootMicroseconds >= since else { return false }
        if fix.horizontalAccuracy < best?.horizontalAccuracy ?? .infinity { best = fix }
        return Self.suffices(fix, accuracy: accuracy, since: since)
    }

    /// True if a fix is accurate and young enough.
    static func suffices(_ fix: Fix, accuracy: Double, since: Int64) -> Bool {
        (fix.flags.contains(.fixed) || fix.bootMicroseconds >= since)
            && (accuracy <= 0 || fix.horizontalAccuracy <= accuracy)
    }
}
