import LocateMeModel
import Testing

/// Expected seconds by GNU date: `date -u -d TEXT +%s`.
@Suite struct UTCDateTests {
    static let known: [(String, Int64)] = [
        ("1970-01-01T00:00:00Z", 0),
        ("2026-11-30T12:00:00Z", 1_796_040_000),
        ("2000-02-29T23:59:59Z", 951_868_799),
        ("1969-12-31T23:59:59Z", -1),
        ("1900-03-01T00:00:00Z", -2_203_891_200),
        ("2100-03-01T00:00:00Z", 4_107_542_400),
        ("0001-01-01T00:00:00Z", -62_135_596_800),
        ("9999-12-31T23:59:59Z", 253_402_300_799),
    ]

    @Test(arguments: known)
    func textsAreReadAndWrittenAsGNUDateDoes(text: String, seconds: Int64) throws {
        let date = try #require(UTCDate(iso8601: text))
        #expect(date.realMicroseconds == seconds * 1_000_000)
        #expect(UTCDate(realMicroseconds: seconds * 1_000_000) == date)
        #expect(date.iso8601 == text.dropLast() + ".000000Z")
    }

    @Test(arguments: [
        ("2026-11-30T12:00:00.5Z", 500_000), ("2026-11-30T12:00:00.000001Z", 1),
        ("2026-11-30T12:00:00.123456789Z", 123_456), ("2026-11-30T12:00:00.000000Z", 0),
    ])
    func fractionsAreReadToTheMicrosecond(text: String, microsecond: Int) {
        #expect(UTCDate(iso8601: text)?.microsecond == microsecond)
    }

    @Test func aLeapSecondIsTheFirstSecondOfTheNextMinute() {
        let leap = UTCDate(iso8601: "2016-12-31T23:59:60Z")?.realMicroseconds
        #expect(leap == UTCDate(iso8601: "2017-01-01T00:00:00Z")?.realMicroseconds)
    }

    @Test(arguments: [
        "", "2026", "2026-11-30", "2026-11-30T12:00:00", "2026-11-30 12:00:00Z", "2026-02-29T12:00:00Z",
        "1900-02-29T12:00:00Z", "2026-13-01T12:00:00Z", "2026-00-01T12:00:00Z", "2026-11-31T12:00:00Z",
        "2026-11-30T24:00:00Z", "2026-11-30T12:60:00Z", "2026-11-30T12:00:61Z", "2026-11-30T12:00:00.Z",
        "2026-11-30T12:00:00.xZ", "2026-11-30T12:00:00+01:00", "0000-01-01T00:00:00Z", "2026-11-30T12:00:00ZZ",
        "+026-11-30T12:00:00Z", "２026-11-30T12:00:00Z",
    ])
    func whatIsNoUTCTimeIsRefused(text: String) { #expect(UTCDate(iso8601: text) == nil) }

    @Test func everyDayOfFourHundredYearsRoundTrips() {
        var day: Int64 = -86_400_000_000 * 25_567
        var previous = UTCDate(realMicroseconds: day - 86_400_000_000)
        for _ in 0..<146_097 {
            let date = UTCDate(realMicroseconds: day)
            let isNext =
                date.day == previous.day + 1 && date.month == previous.month
                || date.day == 1 && previous.day == UTCDate.days(inMonth: previous.month, of: previous.year)
            if date.realMicroseconds != day || !isNext { Issue.record("\(date)") }
            previous = date
            day += 86_400_000_000
        }
        #expect(previous == UTCDate(year: 2299, month: 12, day: 31))
    }
}
