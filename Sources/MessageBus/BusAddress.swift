internal import Glibc

/// Which bus to connect to.
public enum BusAddress: Hashable, Sendable, CustomStringConvertible {
    /// The machine's bus: `DBUS_SYSTEM_BUS_ADDRESS`, else the well-known socket.
    case system
    /// The user's bus: `DBUS_SESSION_BUS_ADDRESS`, else `$XDG_RUNTIME_DIR/bus`. Nothing is ever launched.
    case session
    /// A D-Bus server address, such as `unix:path=/run/dbus/system_bus_socket`.
    case address(String)

    /// The bus that a `--bus` or a configuration file names: `system`, `session`, or an address. Nil for what cannot be an
    /// address: that is a transport, a colon, then `key=value`; libdbus checks the rest when it connects.
    public init?(argument: String) {
        switch argument {
        case "system": self = .system
        case "session": self = .session
        default:
            guard let colon = argument.firstIndex(of: ":"), colon != argument.startIndex,
                argument[..<colon].allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "-") }),
                argument[colon...].contains("="), !argument.utf8.contains(0)
            else { return nil }
            self = .address(argument)
        }
    }

    /// `system`, `session` or the address.
    public var description: String {
        switch self {
        case .system: "system"
        case .session: "session"
        case .address(let address): address
        }
    }

    /// The server address that this stands for in the present environment.
    public func resolve() throws(BusError) -> String {
        switch self {
        case .address(let address):
            return address
        case .system:
            return Self.environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
        case .session:
            if let address = Self.environment("DBUS_SESSION_BUS_ADDRESS") { return address }
            if let folder = Self.environment("XDG_RUNTIME_DIR") {
                let socket = folder + "/bus"
                if access(socket, F_OK) == 0 { return "unix:path=" + Self.escape(socket) }
            }
            throw BusError(
                .noServer,
                "there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set and there is no $XDG_RUNTIME_DIR/bus; "
                    + "run inside a desktop session, or under dbus-run-session")
        }
    }

    private static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }

    /// Escapes a value of a server address: every byte outside [-0-9A-Za-z_/.\*] as %XX (D-Bus specification,
    /// "Server Addresses").
    private static func escape(_ value: String) -> String {
        let digits = Array("0123456789abcdef")
        var result = ""
        for byte in value.utf8 {
            let scalar = Unicode.Scalar(byte)
            switch scalar {
            case "-", "0"..."9", "A"..."Z", "a"..."z", "_", "/", ".", "\\", "*":
                result.unicodeScalars.append(scalar)
            default:
                result.append("%")
                result.append(digits[Int(byte >> 4)])
                result.append(digits[Int(byte & 15)])
            }
        }
        return result
    }
}
