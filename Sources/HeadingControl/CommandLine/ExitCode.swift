/// Exit statuses of headingctl.
public enum ExitCode: Int32, Hashable, Sendable, CaseIterable {
    /// Done.
    case success = 0
    /// Failed.
    case failure = 1
    /// The command line was wrong.
    case usage = 2
    /// locatemed or its bus cannot be reached.
    case noService = 3
    /// Not authorized.
    case notAuthorized = 4
    /// No sensor, or no heading or fix in time.
    case noData = 5

    /// What the status means, for help texts and manual pages.
    var meaning: String {
        switch self {
        case .success: "done"
        case .failure: "failed"
        case .usage: "wrong command line"
        case .noService: "no service: locatemed or the bus cannot be reached"
        case .notAuthorized: "not authorized"
        case .noData: "no sensor, or no heading or fix in time"
        }
    }
}
