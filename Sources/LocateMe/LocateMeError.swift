internal import LocateMeBusInterface
public import MessageBus

/// Why something could not be had from the service.
public struct LocateMeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kinds of errors. New ones may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// Stable name.
        public let rawValue: String
        /// A code of the given name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name.
        public var description: String { rawValue }

        /// There is no message bus, or it has ended.
        public static let noBus = Code(rawValue: "noBus")
        /// The service does not run and cannot be started.
        public static let noService = Code(rawValue: "noService")
        /// Not permitted.
        public static let denied = Code(rawValue: "denied")
        /// There is no place.
        public static let locationUnknown = Code(rawValue: "locationUnknown")
        /// There is no heading: no sensor, or a broken one.
        public static let headingFailure = Code(rawValue: "headingFailure")
        /// It took longer than the caller wanted to wait.
        public static let timedOut = Code(rawValue: "timedOut")
        /// The program was stopped before the answer came.
        public static let cancelled = Code(rawValue: "cancelled")
        /// The service did not accept a value.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// More sessions or requests than the service allows.
        public static let limitsExceeded = Code(rawValue: "limitsExceeded")
        /// This service cannot do that.
        public static let notSupported = Code(rawValue: "notSupported")
        /// Anything else.
        public static let failed = Code(rawValue: "failed")
    }

    /// What kind of error.
    public var code: Code
    /// What happened and what to do, in plain words.
    public var text: String
    /// The error on the bus behind it, if there was one.
    public var busError: BusError?

    /// An error.
    public init(_ code: Code, _ text: String, busError: BusError? = nil) {
        self.code = code
        self.text = text
        self.busError = busError
    }

    /// The text.
    public var description: String { text }

    /// The meaning of an error on the bus.
    init(_ error: BusError) {
        let spawnFailed = error.code.rawValue.hasPrefix("org.freedesktop.DBus.Error.Spawn.")
        switch error.code {
        case .noServer, .disconnected, .badAddress, .authFailed:
            self.init(.noBus, error.text, busError: error)
        case .serviceUnknown, .nameHasNoOwner:
            self.init(.noService, Self.noServiceText, busError: error)
        case _ where spawnFailed:
            self.init(.noService, "the location service could not be started: \(error.text)", busError: error)
        case .noReply:
            self.init(.noService, "the location service did not answer: \(error.text)", busError: error)
        case .accessDenied, .denied, .restricted, .servicesDisabled, .promptDeclined, .noAgent:
            self.init(.denied, error.text, busError: error)
        case .locationUnknown:
            self.init(.locationUnknown, error.text, busError: error)
        case .headingFailure:
            self.init(.headingFailure, error.text, busError: error)
        case .timeout:
            self.init(.timedOut, error.text, busError: error)
        case .invalidArgs, .invalidValue, .propertyReadOnly:
            self.init(.invalidValue, error.text, busError: error)
        case .limitsExceeded:
            self.init(.limitsExceeded, error.text, busError: error)
        case .notSupported, .unknownMethod, .unknownInterface, .unknownObject, .unknownProperty:
            self.init(.notSupported, error.text, busError: error)
        default:
            self.init(.failed, error.text.isEmpty ? error.code.rawValue : error.text, busError: error)
        }
    }

    static let noServiceText =
        "the location service 'org.locateme' does not run on this bus; start locatemed, or choose another bus"
}
