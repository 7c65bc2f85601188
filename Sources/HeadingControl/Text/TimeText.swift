internal import LocateMeModel

/// Points in time as text: ISO 8601, UTC, milliseconds, the same in every command.
enum TimeText {
    /// For example "2026-11-30T12:00:00.125Z" for microseconds since the Unix epoch, rounded down to milliseconds.
    static func iso(microseconds: Int64) -> String {
        // UTCDate writes six digits of fraction; the last three and the Z go.
        UTCDate(realMicroseconds: microseconds).iso8601.dropLast(4) + "Z"
    }

    /// A span in words of at most two units, such as "0.4 s", "12 s", "3 min 20 s", "5 h 2 min", "8 d 3 h"; for
    /// ages and durations on a terminal. "unknown" for NaN.
    static func span(seconds: Double) -> String {
        guard seconds.isFinite else { return "unknown" }
        let magnitude = max(seconds, 0)
        if magnitude < 9.95 { return "\(DecimalText.fixed(magnitude, decimals: 1)) s" }
        guard magnitude < 1e15 else { return "ages" }
        let whole = Int(magnitude.rounded())
        if whole < 60 { return "\(whole) s" }
        if whole < 3600 { return "\(whole / 60) min\(part(whole % 60, "s"))" }
        if whole < 86_400 { return "\(whole / 3600) h\(part(whole / 60 % 60, "min"))" }
        return "\(whole / 86_400) d\(part(whole / 3600 % 24, "h"))"
    }

    private static func part(_ value: Int, _ unit: String) -> String { value == 0 ? "" : " \(value) \(unit)" }
}
