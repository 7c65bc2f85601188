/// A date and time of day in UTC, proleptic Gregorian calendar, as text formats write it.
///
/// The day number formulas are those of H. Hinnant, "chrono-Compatible Low-Level Date Algorithms", 2021: eras of
/// 400 years, years that begin in March.
public struct UTCDate: Hashable, Sendable {
    /// Year, 1…9999 when read from text.
    public var year: Int
    /// Month, 1…12.
    public var month: Int
    /// Day of the month, 1…31.
    public var day: Int
    /// Hour, 0…23.
    public var hour: Int
    /// Minute, 0…59.
    public var minute: Int
    /// Second, 0…60; 60 is a leap second, which POSIX time counts as the first second of the next minute.
    public var second: Int
    /// Microsecond, 0…999 999.
    public var microsecond: Int

    /// A date of the given parts; they are not checked.
    public init(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0, microsecond: Int = 0
    ) {
        self.year = year
        self.month = month
        self.day = day
        self.hour = hour
        self.minute = minute
        self.second = second
        self.microsecond = microsecond
    }

    /// The date of a time in microseconds since the Unix epoch.
    public init(realMicroseconds: Int64) {
        let microsecondsPerDay: Int64 = 86_400_000_000
        var days = realMicroseconds / microsecondsPerDay
        var rest = realMicroseconds % microsecondsPerDay
        if rest < 0 {
            rest += microsecondsPerDay
            days -= 1
        }
        let shifted = Int(days) + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
        let seconds = Int(rest / 1_000_000)
        hour = seconds / 3600
        minute = seconds / 60 % 60
        second = seconds % 60
        microsecond = Int(rest % 1_000_000)
    }

    /// Text such as `2026-11-30T12:00:00Z` or `2026-11-30T12:00:00.25Z`: UTC only, up to nine digits of fraction (those
    /// after the sixth are cut off). Nil for anything else and for days that do not exist.
    public init?(iso8601 text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 30, bytes.last == UInt8(ascii: "Z") else { return nil }
        func number(_ range: Range<Int>) -> Int? {
            var value = 0
            for byte in bytes[range] {
                guard byte >= 48, byte <= 57 else { return nil }
                value = value * 10 + Int(byte - 48)
            }
            return value
        }
        let separators: [(Int, Unicode.Scalar)] = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
        for (index, separator) in separators where bytes[index] != UInt8(ascii: separator) { return nil }
        guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10),
            let hour = number(11..<13), let minute = number(14..<16), let second = number(17..<19),
            year >= 1, (1...12).contains(month), day >= 1, day <= Self.days(inMonth: month, of: year),
            hour < 24, minute < 60, second <= 60
        else { return nil }
        var microsecond = 0
        if bytes.count > 20 {
            let end = bytes.count - 1
            guard bytes[19] == UInt8(ascii: "."), end > 20, number(20..<end) != nil,
                let digits = number(20..<min(end, 26))
            else { return nil }
            microsecond = digits
            for _ in min(end, 26)..<26 { microsecond *= 10 }
        }
        self.init(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second, microsecond: microsecond)
    }

    /// Microseconds since the Unix epoch.
    public var realMicroseconds: Int64 {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        let days = era * 146_097 + dayOfEra - 719_468
        let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
        return Int64(seconds) * 1_000_000 + Int64(microsecond)
    }

    /// Text such as `2026-11-30T12:00:00.000000Z`, always with six digits of fraction.
    public var iso8601: String {
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T\(padded(hour, 2)):\(padded(minute, 2)):"
            + "\(padded(second, 2)).\(padded(microsecond, 6))Z"
    }

    /// Number of days of a month of a year.
    public static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}
