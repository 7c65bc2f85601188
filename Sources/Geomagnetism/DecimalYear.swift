/// A date as a decimal year in UTC: the year, and the part of it that has gone by. 2026.5 is the middle of 2026; the
/// length of the year, 365 or 366 days, counts. Leap seconds do not exist here, as in Unix time.
public struct DecimalYear: Hashable, Sendable, Comparable {
    /// The number.
    public let value: Double

    /// A decimal year as it stands.
    public init(_ value: Double) { self.value = value }

    /// The date of a Unix time in seconds.
    /// - Throws: `.badDate` if it is not a number or outside the years 1 … 9999.
    public init(unixSeconds: Double) throws(GeomagnetismError) {
        guard unixSeconds >= Self.unixSeconds(startOf: 1), unixSeconds < Self.unixSeconds(startOf: 10000) else {
            throw GeomagnetismError(.badDate, "Unix time \(unixSeconds) is not a date of the years 1 to 9999")
        }
        var year = 1970 + Int((unixSeconds / (365.2425 * 86400)).rounded(.down))
        if unixSeconds < Self.unixSeconds(startOf: year) { year -= 1 }
        if unixSeconds >= Self.unixSeconds(startOf: year + 1) { year += 1 }
        let start = Self.unixSeconds(startOf: year)
        value = Double(year) + (unixSeconds - start) / (Self.unixSeconds(startOf: year + 1) - start)
    }

    /// Start of a day of the Gregorian calendar.
    /// - Throws: `.badDate` if there is no such day.
    public init(year: Int, month: Int = 1, day: Int = 1) throws(GeomagnetismError) {
        try self.init(year: year, month: month, day: day, secondOfDay: 0)
    }

    init(year: Int, month: Int, day: Int, secondOfDay: Double) throws(GeomagnetismError) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...Self.days(inMonth: month, of: year)).contains(day)
        else { throw GeomagnetismError(.badDate, "there is no day \(year)-\(month)-\(day)") }
        let days = Self.daysSinceUnixEpoch(year: year, month: month, day: day)
        try self.init(unixSeconds: Double(days) * 86400 + secondOfDay)
    }

    /// Seconds since the Unix epoch, NaN if the year is outside 1 … 9999.
    public var unixSeconds: Double {
        guard value >= 1, value < 10000 else { return .nan }
        let year = Int(value)
        let start = Self.unixSeconds(startOf: year)
        return start + (value - Double(year)) * (Self.unixSeconds(startOf: year + 1) - start)
    }

    /// The day, "2026-07-02"; nil if the year is outside 1 … 9999.
    public var isoDate: String? {
        guard value >= 1, value < 10000 else { return nil }
        let year = Int(value)
        // A second's grace: the start of a day does not survive the rounding of the division by the year's length.
        let days = Int((unixSeconds - Self.unixSeconds(startOf: year) + 0.5) / 86400)
        guard days < Self.daysInYear(year) else {
            return try? DecimalYear(year: year + 1).isoDate
        }
        var month = 1
        var day = days + 1
        while day > Self.days(inMonth: month, of: year) {
            day -= Self.days(inMonth: month, of: year)
            month += 1
        }
        func padded(_ number: Int, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
    }

    /// By the value.
    public static func < (left: DecimalYear, right: DecimalYear) -> Bool { left.value < right.value }

    static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    static func daysInYear(_ year: Int) -> Int { isLeap(year) ? 366 : 365 }

    static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Days from 1970-01-01 in the Gregorian calendar.
    static func daysSinceUnixEpoch(year: Int, month: Int, day: Int) -> Int {
        let before = year - 1
        var days = 365 * before + before / 4 - before / 100 + before / 400 - 719_162
        for passed in 1..<month { days += Self.days(inMonth: passed, of: year) }
        return days + day - 1
    }

    private static func unixSeconds(startOf year: Int) -> Double {
        Double(daysSinceUnixEpoch(year: year, month: 1, day: 1)) * 86400
    }
}
