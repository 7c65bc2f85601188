/// A day of the proleptic Gregorian calendar.
struct CalendarDate: Hashable, Sendable, CustomStringConvertible {
    /// Year, 0 is 1 BC.
    var year: Int
    /// 1…12.
    var month: Int
    /// 1…31.
    var day: Int

    /// A date; nil if the month has no such day.
    init?(year: Int, month: Int, day: Int) {
        guard (1...12).contains(month), day >= 1, day <= Self.daysInMonth(year: year, month: month) else { return nil }
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date that many days after 1970-01-01. Algorithm: H. Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms", civil_from_days: 400-year eras that begin on 1 March.
    init(daysSinceEpoch days: Int64) {
        let shifted = Int(days) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// A date written YYYY-MM-DD, nothing before or after; nil otherwise.
    init?(iso text: some StringProtocol) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].utf8.count == 4, parts[1].utf8.count == 2, parts[2].utf8.count == 2,
            parts.allSatisfy({ $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }),
            let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    /// The year and the fraction of it that has passed at the day's start: 2026-07-02 is 2026.4986.
    var decimalYear: Double { Double(year) + Double(dayOfYear - 1) / Double(Self.isLeap(year) ? 366 : 365) }

    /// 1 for 1 January.
    var dayOfYear: Int { (1..<month).reduce(day) { $0 + Self.daysInMonth(year: year, month: $1) } }

    /// YYYY-MM-DD.
    var description: String {
        "\(TimeText.padded(year, 4))-\(TimeText.padded(month, 2))-\(TimeText.padded(day, 2))"
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func daysInMonth(year: Int, month: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
