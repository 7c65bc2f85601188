/// Where a gpsd listens.
public struct GpsdEndpoint: Hashable, Sendable {
    /// Host name or numeric address, without brackets.
    public var host: String
    /// TCP port, 1…65535.
    public var port: UInt16

    /// An address.
    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// gpsd's own default, localhost:2947.
    public static let standard = GpsdEndpoint(host: "localhost", port: 2947)

    /// Reads `HOST`, `HOST:PORT`, `[IPV6]` or `[IPV6]:PORT`.
    init(_ text: String) throws(UsageError) {
        let wrong = UsageError("'\(text)' is no gpsd address; write HOST:PORT, such as localhost:2947 or [::1]:2947")
        var host = Substring(text)
        var port = Substring("2947")
        if text.first == "[" {
            guard let end = text.firstIndex(of: "]") else { throw wrong }
            host = text[text.index(after: text.startIndex)..<end]
            let rest = text[text.index(after: end)...]
            if !rest.isEmpty {
                guard rest.first == ":" else { throw wrong }
                port = rest.dropFirst()
            }
        } else if let colon = text.firstIndex(of: ":") {
            host = text[..<colon]
            port = text[text.index(after: colon)...]
        }
        guard !host.isEmpty, !host.contains(where: \.isWhitespace), let number = UInt16(port), number > 0 else {
            throw wrong
        }
        self.init(host: String(host), port: number)
    }
}
