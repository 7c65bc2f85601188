/// How much is logged. The raw value is syslog's number, which the journal reads from the `<n>` prefix.
public enum LogLevel: Int, Hashable, Sendable, Comparable {
    /// Somebody must act.
    case error = 3
    /// We go on, but worse than we could.
    case warning = 4
    /// State changes.
    case info = 6
    /// The rest.
    case debug = 7

    /// Reads `error`, `warning`, `info` or `debug`.
    init(_ text: String) throws(UsageError) {
        switch text {
        case "error": self = .error
        case "warning": self = .warning
        case "info": self = .info
        case "debug": self = .debug
        default: throw UsageError("'\(text)' is no log level; use error, warning, info or debug")
        }
    }

    /// The level's name.
    public var name: String {
        switch self {
        case .error: "error"
        case .warning: "warning"
        case .info: "info"
        case .debug: "debug"
        }
    }

    /// Ordered from `error` to `debug`.
    public static func < (left: LogLevel, right: LogLevel) -> Bool { left.rawValue < right.rawValue }
}
