/// Why a session did not get a fix. The raw value is the name of its counter in `Session1.Statistics`.
public enum FilterReason: String, Hashable, Sendable, CaseIterable {
    /// It was delivered before.
    case repeated = "FixesRepeated"
    /// The minimum interval had not passed.
    case tooSoon = "FixesTooSoon"
    /// It had not moved by the distance filter.
    case notMoved = "FixesNotMoved"
    /// It is not as accurate as required; a better one is waited for.
    case inaccurate = "FixesInaccurate"
    /// Nothing of the session's activity moves that fast; another that agrees is waited for.
    case implausible = "FixesImplausible"
    /// The device stands still and the session lets updates pause.
    case stationary = "FixesStationary"
    /// The policy for the background keeps it back.
    case background = "FixesBackground"

    /// Position in a list of counters.
    public var index: Int {
        switch self {
        case .repeated: 0
        case .tooSoon: 1
        case .notMoved: 2
        case .inaccurate: 3
        case .implausible: 4
        case .stationary: 5
        case .background: 6
        }
    }
}
