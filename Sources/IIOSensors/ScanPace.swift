/// When to look for devices again that do not deliver: soon, then twice as late each time. Pure: time is an argument.
struct ScanPace: Hashable, Sendable {
    /// Where what does not deliver is.
    enum Missing: Hashable, Sendable {
        /// On this machine, and fails: it may work again any moment.
        case present
        /// On this machine, and was refused, as for an attribute that could not be read; for so many µs.
        case refused(forMicroseconds: Int64)
        /// Gone, which an event ends, or on another machine, which is not to be pestered.
        case absent
    }

    /// The first pause in µs.
    static let shortest: Int64 = 500_000
    /// The longest pause in µs for what is on this machine and fails.
    static let longestForPresent: Int64 = 1_000_000
    /// The longest pause in µs.
    static let longest: Int64 = 30_000_000

    private var next = ScanPace.shortest

    /// The pause in µs before the next look.
    mutating func pause(_ missing: Missing) -> Int64 {
        defer { next = min(next * 2, Self.longest) }
        switch missing {
        case .present: return min(next, Self.longestForPresent)
        case .refused(let age): return min(next, max(Self.longestForPresent, min(age / 16, Self.longest)))
        case .absent: return next
        }
    }

    /// What was missing is back, or there is news: the next pause is the shortest.
    mutating func reset() { next = Self.shortest }
}
