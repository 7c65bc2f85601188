/// Which day a time of day belongs to, once a receiver has said a date.
struct NMEADate: Hashable, Sendable {
    private var latest: (real: Int64, boot: Int64)?

    /// True once a date is known.
    var isKnown: Bool { latest != nil }

    /// A moment of a known day, UTC in microseconds since the Unix epoch, and when it was heard.
    mutating func note(real: Int64, boot: Int64) { latest = (real, boot) }

    /// UTC of a time of day, on the day that brings it nearest to the time that has run since the last known moment; nil
    /// while no date is known.
    func resolve(_ time: TimeOfDay, boot: Int64) -> Int64? {
        guard let latest else { return nil }
        let expected = latest.real + (boot - latest.boot)
        let today = Self.floorDay(expected)
        var nearest = today + time.posixMicroseconds
        if nearest - expected > TimeOfDay.day / 2 { nearest -= TimeOfDay.day }
        if expected - nearest > TimeOfDay.day / 2 { nearest += TimeOfDay.day }
        return nearest
    }

    /// UTC of a time of a stated day.
    static func real(day: Int64, _ time: TimeOfDay) -> Int64 { day * TimeOfDay.day + time.posixMicroseconds }

    private static func floorDay(_ real: Int64) -> Int64 {
        let rest = real % TimeOfDay.day
        return real - (rest < 0 ? rest + TimeOfDay.day : rest)
    }

    static func == (left: NMEADate, right: NMEADate) -> Bool {
        left.latest?.real == right.latest?.real && left.latest?.boot == right.latest?.boot
    }

    func hash(into hasher: inout Hasher) { hasher.combine(latest?.real) }
}
