/// Location permission: `Session1.Authorization`, and the status of `Manager1.RequestAuthorization`.
public enum AuthorizationStatus: UInt32, Hashable, Sendable {
    /// Nobody has decided.
    case notDetermined = 0
    /// Not permitted, and this user cannot change it.
    case restricted = 1
    /// Not permitted.
    case denied = 2
    /// Permitted, in the background too.
    case always = 3
    /// Permitted while the application is in use.
    case whenInUse = 4

    /// True if places may be told.
    public var isGranted: Bool { self == .always || self == .whenInUse }
}

/// How exact the places are that a session may learn: `Session1.AccuracyAuthorization`.
public enum AccuracyAuthorization: UInt32, Hashable, Sendable {
    /// No places.
    case none = 0
    /// Coarsened places.
    case reduced = 1
    /// Places as they are known.
    case full = 2
}

/// What a location session does: `Location1.Mode`.
public enum LocationMode: UInt32, Hashable, Sendable {
    /// Not started.
    case stopped = 0
    /// Updates come.
    case running = 1
    /// Paused to save energy.
    case paused = 2
    /// The device stands still.
    case stationary = 3
    /// No fix.
    case lost = 4
}

/// Why `Location1.Mode` changed: the reason of `ModeChanged`.
public enum LocationModeReason: UInt32, Hashable, Sendable {
    /// Not said.
    case unknown = 0
    /// Start or Stop was called.
    case call = 1
    /// No source has a fix.
    case noFix = 2
    /// There is a fix again.
    case fixAgain = 3
    /// The device stands still.
    case standingStill = 4
    /// The device moves again.
    case moving = 5
    /// The source has failed.
    case sourceFailed = 6
    /// Permission was given or withdrawn.
    case permission = 7
    /// Power, or the application's going to the background or coming back.
    case background = 8
}

/// Why a session was closed: the reason of `Session1.Closed`.
public enum SessionClosedReason: UInt32, Hashable, Sendable {
    /// Not said.
    case unknown = 0
    /// By its owner.
    case closed = 1
    /// Permission was withdrawn.
    case permissionWithdrawn = 2
    /// The service stops.
    case serviceStops = 3
}

/// Fix, heading or both: `changed` and `valid` of Pose1.
public struct PoseParts: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32
    /// Parts of the given bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// The fix.
    public static let location = PoseParts(rawValue: 1)
    /// The heading.
    public static let heading = PoseParts(rawValue: 2)
}
