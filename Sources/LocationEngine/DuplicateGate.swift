public import LocateMeModel

/// Lets each moment of one source through once. A source may give one moment several times: as a stream, as the answer to
/// a request, in a second sentence. Moments are the same if their times, as the source gave them, differ by at most
/// 50 ms; a fix without a time is compared by its arrival. The same place at a later time is no repetition.
///
/// In the first second of a UTC day arrivals count instead: a leap second has the same Unix times as the second after it.
public struct DuplicateGate: Hashable, Sendable {
    /// Microseconds within which two times of one source are one moment.
    public static let tolerance: Int64 = 50_000

    private static let day: Int64 = 86_400_000_000
    private var latestReal: Int64 = 0
    private var latestBoot: Int64 = .min

    /// Nothing has passed.
    public init() {}

    /// True if the fix is of a moment that has not passed yet, which it then has. Configured places always pass: their
    /// time is that of the asking.
    public mutating func passes(_ fix: Fix) -> Bool {
        if fix.flags.contains(.fixed) { return true }
        if latestBoot != .min, isRepetition(fix) { return false }
        latestReal = fix.realMicroseconds
        latestBoot = fix.bootMicroseconds
        return true
    }

    private func isRepetition(_ fix: Fix) -> Bool {
        let real = fix.realMicroseconds
        let isTimed = real > 0 && latestReal > 0 && real % Self.day >= 1_000_000
        // Wrapping: a source may give any number as its time.
        let apart = isTimed ? real &- latestReal : fix.bootMicroseconds &- latestBoot
        return apart.magnitude <= UInt64(Self.tolerance)
    }
}
