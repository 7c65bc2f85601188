internal import LocateMeModel

/// Times of GPX: `2026-06-12T09:00:00Z` with any fraction, or an offset; some writers leave the zone out.
enum GPXTime {
    /// UTC in microseconds since the Unix epoch, and whether a zone was stated; nil if it is no time. Without a zone it is
    /// taken for UTC.
    static func parse(_ text: String) -> (realMicroseconds: Int64, hasZone: Bool)? {
        var body = Substring(text)
        while body.last?.isWhitespace == true { body.removeLast() }
        while body.first?.isWhitespace == true { body.removeFirst() }
        guard body.utf8.count >= 19, body.utf8.count <= 40 else { return nil }
        var offset: Int64 = 0
        var hasZone = true
        let clock = body.dropFirst(11)
        if body.last == "Z" || body.last == "z" {
            body.removeLast()
        } else if let sign = clock.lastIndex(where: { $0 == "+" || $0 == "-" }) {
            let zone = body[body.index(after: sign)...].filter { $0 != ":" }
            guard zone.utf8.count == 4, let number = Int64(zone), number >= 0, number / 100 <= 15, number % 100 < 60
            else {
                return nil
            }
            offset = (number / 100 * 3600 + number % 100 * 60) * 1_000_000
            if body[sign] == "-" { offset = -offset }
            body = body[..<sign]
        } else {
            hasZone = false
        }
        // One form for all: a point before the fraction, at most nine digits, a T.
        var plain = body.replacing(",", with: ".").replacing(" ", with: "T").prefix(29)
        if plain.last == "." { plain.removeLast() }
        guard let date = UTCDate(iso8601: plain + "Z") else { return nil }
        return (date.realMicroseconds - offset, hasZone)
    }
}
