/// What the system's clocks say at one moment, and how far they can be trusted.
public struct ClockReading: Hashable, Sendable {
    /// UTC in microseconds since the Unix epoch.
    public var realMicroseconds: Int64
    /// CLOCK_BOOTTIME in microseconds.
    public var bootMicroseconds: Int64
    /// Whether the kernel counts the real-time clock as synchronised (adjtimex does not say STA_UNSYNC).
    public var isSynchronized: Bool

    /// A reading.
    public init(realMicroseconds: Int64, bootMicroseconds: Int64, isSynchronized: Bool) {
        self.realMicroseconds = realMicroseconds
        self.bootMicroseconds = bootMicroseconds
        self.isSynchronized = isSynchronized
    }
}
