internal import EventLoop
internal import Glibc

/// Decides what a failed read of one sensor means. Pure: time is an argument.
struct ReadFaults: Hashable, Sendable {
    /// What to do now.
    enum Action: Hashable, Sendable {
        /// The field is out of the chip's range: a magnet, not a fault.
        case overflow
        /// Try again soon.
        case retry
        /// The device is not there any more.
        case gone
        /// It has failed for too long.
        case giveUp
    }

    /// How long a sensor may fail without a break, in µs: less than what makes headings count as lost, so that they are
    /// lost with the reason.
    static let patience: Int64 = 1_000_000

    /// The chip says by EINVAL or ERANGE that what it measures is out of its range, as magnetometers do.
    private let overflows: Bool
    private var failingSince: Int64?
    /// The last result was an overflow.
    private(set) var isOverflowing = false

    /// Of a sensor that can be beyond its range, as by a magnet, unless told otherwise.
    init(overflows: Bool = true) { self.overflows = overflows }

    /// The last read failed, other than by an overflow.
    var isFailing: Bool { failingSince != nil }

    /// A read failed at a time in µs.
    mutating func failed(_ error: Errno, at time: Int64) -> Action {
        switch error.rawValue {
        case EINVAL where overflows, ERANGE where overflows, EOVERFLOW where overflows:
            failingSince = nil
            isOverflowing = true
            return .overflow
        case ENODEV, ENOENT, ENXIO, EPIPE, ECONNRESET, ENOTCONN, EBADF:
            return .gone
        default:
            let since = failingSince ?? time
            failingSince = since
            return time - since >= Self.patience ? .giveUp : .retry
        }
    }

    /// True for an error that is an answer: what is measured is out of range.
    func isAnswer(_ error: Errno) -> Bool {
        var faults = self
        return faults.failed(error, at: 0) == .overflow
    }

    /// A read succeeded. True if an overflow is over with it.
    mutating func succeeded() -> Bool {
        failingSince = nil
        defer { isOverflowing = false }
        return isOverflowing
    }

    /// What happened, for people.
    static func text(_ error: Errno) -> String {
        switch error.rawValue {
        case EBUSY: "another process holds the device (\(error))"
        case EACCES, EPERM: "no permission to open the device (\(error))"
        case ENODEV, ENOENT, ENXIO: "the device is gone (\(error))"
        case EPIPE, ECONNRESET, ENOTCONN: "the connection to the device is gone (\(error))"
        case ETIMEDOUT: "the device is silent (\(error))"
        case EBADMSG: "the device answers with something that is no number"
        default: "reading fails: \(error)"
        }
    }
}
