/// Where sentences go, as people write it.
public enum SinkAddress: Hashable, Sendable {
    /// Standard output.
    case standardOutput
    /// A new pseudo-terminal, with a link to it if a path is given.
    case pseudoterminal(link: String?)
    /// Datagrams to a host, which may be a broadcast address.
    case datagrams(host: String, port: UInt16)
    /// A TCP server on an address of this machine.
    case server(host: String, port: UInt16)

    /// NMEA 0183 over IP is usually found at this port (IANA: nmea-0183).
    public static let standardPort: UInt16 = 10110

    /// Signal K over TCP is usually found at this port (Signal K specification 1.7, "Ports").
    public static let signalKPort: UInt16 = 8375

    /// Reads `-`, `pty`, `pty:LINK`, `udp:HOST[:PORT]`, `tcp[:HOST][:PORT]`; nil for anything else. IPv6 addresses stand in
    /// brackets. `port`: the one if none is said.
    public init?(_ text: String, port standardPort: UInt16 = Self.standardPort) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let rest = parts.count > 1 ? parts[1] : nil
        switch parts[0] {
        case "-" where rest == nil: self = .standardOutput
        case "pty":
            guard rest != "", rest?.utf8.contains(0) != true else { return nil }
            self = .pseudoterminal(link: rest)
        case "udp":
            guard let rest, let (host, port) = Self.endpoint(rest), !host.isEmpty else { return nil }
            self = .datagrams(host: host, port: port ?? standardPort)
        case "tcp":
            guard let rest else {
                self = .server(host: "localhost", port: standardPort)
                return
            }
            if let port = UInt16(rest), port > 0 {
                self = .server(host: "localhost", port: port)
                return
            }
            guard let (host, port) = Self.endpoint(rest), !host.isEmpty else { return nil }
            self = .server(host: host, port: port ?? standardPort)
        default: return nil
        }
    }

    private static func endpoint(_ text: String) -> (host: String, port: UInt16?)? {
        var host = Substring(text)
        var port: UInt16?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            let tail = text[text.index(after: end)...]
            if !tail.isEmpty {
                guard tail.hasPrefix(":"), let number = UInt16(tail.dropFirst()), number > 0 else { return nil }
                port = number
            }
        } else if let colon = text.lastIndex(of: ":") {
            guard let number = UInt16(text[text.index(after: colon)...]), number > 0 else { return nil }
            host = text[..<colon]
            guard !host.contains(":") else { return nil }
            port = number
        }
        return host.utf8.contains(0) ? nil : (String(host), port)
    }

    /// The host that must be known by its name or address; nil without one.
    public var host: String? {
        switch self {
        case .standardOutput, .pseudoterminal: nil
        case .datagrams(let host, _), .server(let host, _): host
        }
    }
}
