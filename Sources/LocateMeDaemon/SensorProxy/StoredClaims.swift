/// Who had claimed what when the service ended, as text: the bus's identity on the first line, then a kind and a connection
/// on each.
struct StoredClaims: Hashable {
    /// One claim.
    struct Claim: Hashable {
        var kind: SensorProxyKind
        var uniqueName: String
    }

    /// The bus that the connections' names are of: another bus gives the same names to others.
    var bus: String
    var claims: [Claim]

    /// More than can be claimed at a time are none of ours.
    static let maximumClaims = 2048

    init(bus: String, claims: [Claim]) {
        self.bus = bus
        self.claims = claims
    }

    /// Reads what `text` has written; nil for anything else.
    init?(_ text: String) {
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.last == "", lines.count >= 2, lines.count <= Self.maximumClaims + 2 else { return nil }
        lines.removeLast()
        bus = String(lines.removeFirst())
        claims = []
        for line in lines {
            let words = line.split(separator: " ", omittingEmptySubsequences: false)
            guard words.count == 2, let kind = SensorProxyKind(rawValue: String(words[0])), words[1].hasPrefix(":"),
                words[1].utf8.count <= 255
            else { return nil }
            claims.append(Claim(kind: kind, uniqueName: String(words[1])))
        }
    }

    /// The text that is kept.
    var text: String {
        claims.reduce(into: bus + "\n") { $0 += "\($1.kind.rawValue) \($1.uniqueName)\n" }
    }
}
