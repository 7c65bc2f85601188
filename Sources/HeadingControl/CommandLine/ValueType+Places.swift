extension ValueType where Value == Double {
    /// Degrees north, −90…90: "47.3769", "47.3769N", "S47.3769", "47:22:37N", "47:22.6".
    static var latitude: ValueType {
        ValueType(
            placeholder: "LAT", completion: .none,
            expectation: "degrees north from -90 to 90, such as 47.3769, 33.9S or 47:22:37N"
        ) { angle($0, positive: "N", negative: "S").flatMap { $0.magnitude <= 90 ? $0 : nil } }
    }

    /// Degrees east, −360…360: "8.5417", "8.5417E", "W122.4", "8:32:30E".
    static var longitude: ValueType {
        ValueType(
            placeholder: "LON", completion: .none,
            expectation: "degrees east from -360 to 360, such as 8.5417, 122.4W or 8:32:30E"
        ) { angle($0, positive: "E", negative: "W").flatMap { $0.magnitude <= 360 ? $0 : nil } }
    }

    /// Degrees as a decimal number or as D:M or D:M:S, with a sign or with a letter for the hemisphere before or
    /// behind it; nil for anything else.
    private static func angle(_ text: String, positive: Character, negative: Character) -> Double? {
        var rest = text.uppercased()[...]
        var letter: Character?
        if let last = rest.last, last == positive || last == negative {
            letter = rest.removeLast()
        } else if let first = rest.first, first == positive || first == negative {
            letter = rest.removeFirst()
        }
        var sign = letter == negative ? -1.0 : 1
        if let first = rest.first, first == "-" || first == "+" {
            guard letter == nil else { return nil }
            sign = first == "-" ? -1 : 1
            rest.removeFirst()
        }
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count) else { return nil }
        var degrees = 0.0
        var unit = 1.0
        for (index, part) in parts.enumerated() {
            guard part.first.map({ $0.isASCII && $0.isNumber || $0 == "." }) == true,
                let value = DecimalParser.number(part), index == 0 || value < 60,
                index == parts.count - 1 || value == value.rounded()
            else { return nil }
            degrees += value * unit
            unit /= 60
        }
        return sign * degrees
    }
}
