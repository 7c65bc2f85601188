/// Spans of time that people type.
enum DurationText {
    private static let units: [(name: String, microseconds: Double)] = [
        ("ms", 1e3), ("us", 1), ("s", 1e6), ("min", 60e6), ("m", 60e6), ("h", 3600e6), ("d", 86_400e6),
    ]

    /// Microseconds of a number of seconds or a number with a unit (us, ms, s, m, min, h, d), no blanks; nil for
    /// anything else, negative spans and more than 366 days.
    static func microseconds(_ text: String) -> Int64? {
        let unit = units.first { text.hasSuffix($0.name) }
        guard let number = DecimalParser.number(text.dropLast(unit?.name.count ?? 0)), number >= 0 else { return nil }
        let microseconds = (number * (unit?.microseconds ?? 1e6)).rounded()
        return microseconds <= 366 * 86_400e6 ? Int64(microseconds) : nil
    }
}
