/// Where NMEA 0183 sentences come from, as it is configured: a transport, then options after commas.
///
/// | text | what |
/// | --- | --- |
/// | `tty:/dev/ttyACM0`, `tty:/dev/ttyUSB0:4800` | a serial line, its rate found out or given |
/// | `tcp:HOST:PORT`, `tcp:[IPV6]:PORT` | a connection to a server |
/// | `udp:PORT`, `udp:ADDRESS:PORT` | datagrams to a port, on one local address, or to a multicast group |
/// | `unix:PATH` | a connection to a socket of this machine |
///
/// Option `checksum=optional`: sentences without a checksum are taken too.
public struct NMEAAddress: Hashable, Sendable, CustomStringConvertible {
    /// The ways for bytes to come.
    public enum Transport: Hashable, Sendable {
        /// A terminal device; nil finds its rate out.
        case serial(path: String, baud: Int?)
        /// A TCP server, by name or numeric address without brackets.
        case tcp(host: String, port: UInt16)
        /// A UDP port; nil listens on all addresses of IPv4, else on a numeric one, which may be a multicast group.
        case udp(address: String?, port: UInt16)
        /// A stream socket in the file system.
        case unix(path: String)
    }

    /// Rates of serial lines that can be given.
    public static let rates = [4800, 9600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 921_600]

    /// How bytes come.
    public let transport: Transport
    /// True if sentences without a checksum are taken.
    public let isChecksumOptional: Bool

    /// An address of the given parts.
    public init(_ transport: Transport, isChecksumOptional: Bool = false) {
        self.transport = transport
        self.isChecksumOptional = isChecksumOptional
    }

    /// Why a text is no address, in words.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// A sentence.
        public let description: String
    }

    /// Reads the text.
    public init(parsing text: String) throws(Failure) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        var isOptional = false
        for option in parts.dropFirst() {
            switch option {
            case "checksum=optional": isOptional = true
            case "checksum=required": isOptional = false
            default:
                throw Failure(
                    description: "unknown option '\(option)'; there are checksum=optional and checksum=required")
            }
        }
        let address = parts[0]
        guard let colon = address.firstIndex(of: ":") else { throw Self.wrong(text) }
        let rest = address[address.index(after: colon)...]
        guard !rest.isEmpty, !rest.utf8.contains(0) else { throw Self.wrong(text) }
        switch address[..<colon] {
        case "tty": transport = try Self.serial(rest, text)
        case "tcp":
            guard let (host, port) = Self.hostAndPort(rest), let host else { throw Self.wrong(text) }
            transport = .tcp(host: host, port: port)
        case "udp":
            guard let (host, port) = Self.hostAndPort(rest) else { throw Self.wrong(text) }
            transport = .udp(address: host, port: port)
        case "unix":
            // sun_path holds 108 bytes with the zero at its end.
            guard rest.hasPrefix("/"), rest.utf8.count < 108 else {
                throw Failure(
                    description: "'\(rest)' is no path of a socket; it begins with / and is shorter than 108 bytes")
            }
            transport = .unix(path: String(rest))
        default: throw Self.wrong(text)
        }
        isChecksumOptional = isOptional
    }

    /// The address as it is written, without options.
    public var description: String {
        func pair(_ host: String, _ port: UInt16) -> String {
            host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
        }
        return switch transport {
        case .serial(let path, let baud): "tty:\(path)" + (baud.map { ":\($0)" } ?? "")
        case .tcp(let host, let port): "tcp:" + pair(host, port)
        case .udp(nil, let port): "udp:\(port)"
        case .udp(let address?, let port): "udp:" + pair(address, port)
        case .unix(let path): "unix:\(path)"
        }
    }

    private static func wrong(_ text: String) -> Failure {
        Failure(
            description:
                "'\(text)' is no NMEA source; write tty:/dev/ttyACM0[:BAUD], tcp:HOST:PORT, udp:[ADDRESS:]PORT or unix:PATH"
        )
    }

    private static func serial(_ rest: Substring, _ text: String) throws(Failure) -> Transport {
        var path = rest
        var baud: Int?
        if let colon = rest.lastIndex(of: ":"), let rate = Int(rest[rest.index(after: colon)...]) {
            guard rates.contains(rate) else {
                throw Failure(
                    description:
                        "\(rate) is no rate of a serial line; there are \(rates.map(String.init).joined(separator: ", "))"
                )
            }
            baud = rate
            path = rest[..<colon]
        }
        guard path.hasPrefix("/") else { throw wrong(text) }
        return .serial(path: String(path), baud: baud)
    }

    /// `PORT` (host nil), `HOST:PORT` or `[IPV6]:PORT`.
    private static func hostAndPort(_ text: Substring) -> (host: String?, port: UInt16)? {
        var host: Substring?
        var port = text
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            port = text[text.index(after: end)...]
            guard port.hasPrefix(":") else { return nil }
            port = port.dropFirst()
        } else if let colon = text.lastIndex(of: ":") {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
            // More colons are an IPv6 address, which needs brackets to be told from the port.
            guard host?.contains(":") == false else { return nil }
        }
        if let host {
            guard !host.isEmpty, host.utf8.count <= 255, !host.contains(where: { $0.isWhitespace || $0 == "/" }) else {
                return nil
            }
        }
        guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(port), number > 0 else {
            return nil
        }
        return (host.map(String.init), number)
    }
}
