/// Where a gpsd listens: `HOST:PORT`, `HOST`, `:PORT`, `[IPV6]:PORT` or `[IPV6]`.
public struct GpsdAddress: Hashable, Sendable, CustomStringConvertible {
    /// gpsd's port assigned by IANA.
    public static let defaultPort: UInt16 = 2947
    /// gpsd on this machine.
    public static let local = GpsdAddress(host: "localhost", port: defaultPort)

    /// A name or a numeric address, without brackets.
    public let host: String
    /// TCP port.
    public let port: UInt16

    /// An address of the given parts.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Reads the text; nil if it is none of the forms.
    public init?(_ text: String) {
        var host = text[...]
        var port: Substring?
        if text.hasPrefix("[") {
            guard let end = text.firstIndex(of: "]") else { return nil }
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            guard rest.isEmpty || rest.hasPrefix(":"), !host.isEmpty else { return nil }
            if !rest.isEmpty { port = rest.dropFirst() }
        } else if let colon = text.lastIndex(of: ":") {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
            // More colons are an IPv6 address, which needs brackets to be told from the port.
            guard !host.contains(":") else { return nil }
        }
        guard !host.contains(where: { $0.isWhitespace || $0 == "/" }), host.utf8.count <= 255 else { return nil }
        if let port {
            guard let number = UInt16(port), number > 0, port.allSatisfy(\.isNumber) else { return nil }
            self.port = number
        } else {
            guard !text.isEmpty else { return nil }
            self.port = Self.defaultPort
        }
        self.host = host.isEmpty ? "localhost" : String(host)
    }

    /// Such as `localhost:2947` or `[::1]:2947`.
    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
