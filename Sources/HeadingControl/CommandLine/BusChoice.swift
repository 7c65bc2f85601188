/// Which D-Bus message bus to use.
enum BusChoice: Hashable, Sendable {
    /// The system bus; DBUS_SYSTEM_BUS_ADDRESS is respected.
    case system
    /// The session bus; DBUS_SESSION_BUS_ADDRESS is respected.
    case session
    /// A bus at an address such as unix:path=/run/user/1000/bus.
    case address(String)

    /// How `--bus` is read.
    static let type = ValueType<BusChoice>(
        placeholder: "BUS", completion: .words(["system", "session"]),
        expectation: "system, session or a D-Bus address such as unix:path=/run/user/1000/bus"
    ) { text in
        switch text {
        case "system": return .system
        case "session": return .session
        default:
            // Transport, colon, then key=value pairs; libdbus checks the rest when it connects.
            guard let colon = text.firstIndex(of: ":"), colon != text.startIndex, text[colon...].contains("="),
                !text.utf8.contains(0)
            else { return nil }
            return .address(text)
        }
    }

    /// As it was typed.
    var description: String {
        switch self {
        case .system: "system"
        case .session: "session"
        case .address(let address): address
        }
    }

    /// For sentences: "the system bus", "the bus at unix:path=…".
    var phrase: String {
        switch self {
        case .system: "the system bus"
        case .session: "the session bus"
        case .address(let address): "the bus at \(address)"
        }
    }
}
