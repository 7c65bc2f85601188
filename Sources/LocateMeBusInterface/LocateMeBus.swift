public import MessageBus

/// Names and paths of the service.
public enum LocateMeBus {
    /// The name the service owns.
    public static let name = "org.locateme"
    /// Object of Manager1 and Status1, and the object manager.
    public static let managerPath: ObjectPath = "/org/locateme"
    /// Object of Compass1 and Calibration1.
    public static let compassPath: ObjectPath = "/org/locateme/compass"
    /// Object of Power1.
    public static let powerPath: ObjectPath = "/org/locateme/power"
    /// Parent of all sessions.
    public static let sessionsPath: ObjectPath = "/org/locateme/session"

    /// Object of a session; nil if `id` is not of [A-Za-z0-9_].
    public static func sessionPath(_ id: String) -> ObjectPath? { sessionsPath.appending(id) }
}
