/// Something that is wrong with the sensors, and what to do: one row of `Compass1.Diagnose`.
public struct Finding: Hashable, Sendable {
    /// How bad it is.
    public enum Severity: String, Hashable, Sendable {
        /// Worth knowing.
        case info
        /// Works, but worse than it could.
        case warning
        /// Does not work.
        case error
    }

    /// Stable machine-readable name such as `magn-scale-1e4-too-small`.
    public var code: String
    /// How bad it is.
    public var severity: Severity
    /// The sensor's id, empty if the finding is about none.
    public var sensor: String
    /// What was found, in a sentence.
    public var text: String
    /// What to do about it, in a sentence.
    public var remedy: String

    /// A finding.
    public init(code: String, severity: Severity, sensor: String = "", text: String, remedy: String) {
        self.code = code
        self.severity = severity
        self.sensor = sensor
        self.text = text
        self.remedy = remedy
    }
}
