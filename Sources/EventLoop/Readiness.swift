/// What a file descriptor is ready for, or what one waits for.
public struct Readiness: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// Readiness of the given bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// Data can be read, or the end of the stream.
    public static let readable = Readiness(rawValue: 1)
    /// Data can be written.
    public static let writable = Readiness(rawValue: 2)
    /// The other end is gone. Reported without being asked for.
    public static let hangUp = Readiness(rawValue: 4)
    /// The descriptor failed. Reported without being asked for.
    public static let failed = Readiness(rawValue: 8)
}
