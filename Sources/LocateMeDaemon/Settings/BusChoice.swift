/// Which message bus the daemon serves.
public enum BusChoice: Hashable, Sendable {
    /// The system bus, or where DBUS_SYSTEM_BUS_ADDRESS points.
    case system
    /// The user's session bus, or where DBUS_SESSION_BUS_ADDRESS points. All its callers hold location permission.
    case session
    /// A bus by its D-Bus address, with the permissions of the system bus.
    case address(String)

    /// Reads `system`, `session` or an address such as `unix:path=/run/bus`.
    init(_ text: String) throws(UsageError) {
        switch text {
        case "system": self = .system
        case "session": self = .session
        default:
            guard let colon = text.firstIndex(of: ":"), colon != text.startIndex,
                text[..<colon].allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "-") })
            else {
                throw UsageError("'\(text)' is no bus; use system, session or an address such as unix:path=/run/bus")
            }
            self = .address(text)
        }
    }
}
