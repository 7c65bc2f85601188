/// How patient a source of places is. Durations in seconds; the defaults are the product's rules.
public struct SourceTiming: Hashable, Sendable {
    /// For one address to accept a connection.
    public var connect = 5.0
    /// From a connection, or a suspend, to the first report.
    public var firstReport = 15.0
    /// The shortest silence that counts as lost; a slow source has five times its period.
    public var silence = 5.0
    /// The first pause before connecting again; each is twice the one before.
    public var firstPause = 1.0
    /// The longest pause.
    public var longestPause = 60.0
    /// The longest pause for who is near: this machine or its network. An attempt there costs next to nothing, and who is
    /// back is to be heard within 2 s, of which a receiver itself takes up to one.
    public var longestNearPause = 0.7
    /// For one near address to accept a connection. Linux repeats the first packet after 1 s and 3 s (RFC 6298, 2.1 and
    /// 5.5); ending after that keeps 2 s between two packets at most.
    public var connectNear = 3.1
    /// For sentences to come at one rate of a serial line, before another is tried.
    public var rateTrial = 2.0

    /// The rules.
    public init() {}
}
