internal import LocateMeModel

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
        guard unixSeconds >= Self.start(of: 1), unixSeconds < Self.start(of: 10000) else {
            throw GeomagnetismError(.badDate, "Unix time \(unixSeconds) is not a date of the years 1 to 9999")
        }
        let year = UTCDate(realMicroseconds: Int64((unixSeconds * 1e6).rounded(.down))).year
        let start = Self.start(of: year)
        value = Double(year) + (unixSeconds - start) / (Self.start(of: year + 1) - start)
    }

    /// The date of a time in microseconds since the Unix epoch.
    /// - Throws: `.badDate` outside the years 1 … 9999.
    public init(realMicroseconds: Int64) throws(GeomagnetismError) {
        try self.init(unixSeconds: Double(realMicroseconds) / 1e6)
    }

    /// Start of a day of the Gregorian calendar.
    /// - Throws: `.badDate` if there is no such day.
    public init(year: Int, month: Int = 1, day: Int = 1) throws(GeomagnetismError) {
        try self.init(year: year, month: month, day: day, secondOfDay: 0)
    }

    /// A moment so many seconds from the start of a day.
    init(year: Int, month: Int, day: Int, secondOfDay: Double) throws(GeomagnetismError) {
        guard (1...9999).contains(year), (1...12).contains(month),
            (1...UTCDate.days(inMonth: month, of: year)).contains(day)
        else { throw GeomagnetismError(.badDate, "there is no day \(year)-\(month)-\(day)") }
        try self.init(unixSeconds: Self.seconds(UTCDate(year: year, month: month, day: day)) + secondOfDay)
    }

    /// Seconds since the Unix epoch, NaN if the year is outside 1 … 9999.
    public var unixSeconds: Double {
        guard value >= 1, value < 10000 else { return .nan }
        let year = Int(value)
        let start = Self.start(of: year)
        return start + (value - Double(year)) * (Self.start(of: year + 1) - start)
    }

    /// The day, "2026-07-02"; nil if the year is outside 1 … 9999.
    public var isoDate: String? {
        guard value >= 1, value < 10000 else { return nil }
        // Half a second's grace: the start of a day does not survive the division by the year's length.
        let date = UTCDate(realMicroseconds: Int64(((unixSeconds + 0.5) * 1e6).rounded(.down)))
        return date.year < 10000 ? String(date.iso8601.prefix(10)) : nil
    }

    /// By the value.
    public static func < (left: DecimalYear, right: DecimalYear) -> Bool { left.value < right.value }

    private static func start(of year: Int) -> Double { seconds(UTCDate(year: year, month: 1, day: 1)) }

    private static func seconds(_ date: UTCDate) -> Double { Double(date.realMicroseconds) / 1e6 }
}
