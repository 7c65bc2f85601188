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
    /// For sentences to come at one rate of a serial line, before another is tried.
    public var rateTrial = 2.0

    /// The rules.
    public init() {}
}
