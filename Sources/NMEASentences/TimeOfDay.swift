/// UTC within a day, as sentences state it.
public struct TimeOfDay: Hashable, Sendable {
    /// Microseconds of a day without leap second.
    public static let day: Int64 = 86_400_000_000

    /// Microseconds since midnight, 0 ..< 86 401 000 000: the last million is a leap second.
    public let microseconds: Int64

    /// A time; nil outside of 00:00:00 … 23:59:60.999999.
    public init?(microseconds: Int64) {
        guard microseconds >= 0, microseconds < Self.day + 1_000_000 else { return nil }
        self.microseconds = microseconds
    }

    /// The time as POSIX counts, which has no leap seconds: one is squeezed into the last tenth of the second before, so
    /// that times of several sentences a second still rise and none equals midnight.
    public var posixMicroseconds: Int64 {
        microseconds < Self.day ? microseconds : Self.day - 100_000 + (microseconds - Self.day) / 12
    }

    /// Shortest distance to another time, over midnight if that is nearer.
    public func distance(to other: TimeOfDay) -> Int64 {
        let apart = abs(microseconds - other.microseconds)
        let hasLeapSecond = max(microseconds, other.microseconds) >= Self.day
        return min(apart, abs(Self.day + (hasLeapSecond ? 1_000_000 : 0) - apart))
    }
}
