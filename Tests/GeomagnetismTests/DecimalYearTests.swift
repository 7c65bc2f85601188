import Foundation
import Geomagnetism
import Testing

struct DecimalYearTests {
    /// Unix times from `date -u -d … +%s`; the fractions are days gone by over the days of the year.
    @Test(
        "Dates are read",
        arguments: [
            ("2026.5", 2026.5, nil), ("2026", 2026, 1_767_225_600), ("2026-02", 2026 + 31.0 / 365, 1_769_904_000),
            ("2026-02-14", 2026 + 44.0 / 365, 1_771_027_200), ("2024-12-31", 2024 + 365.0 / 366, 1_735_603_200),
            ("2024-02-29", 2024 + 59.0 / 366, 1_709_164_800), ("1900-03-01", 1900 + 59.0 / 365, -2_203_891_200),
            ("1970-01-01", 1970, 0),
            ("2026-02-14T12:00:00Z", 2026 + 44.5 / 365, 1_771_070_400),
            ("2026-02-14T13:30+01:30", 2026 + 44.5 / 365, 1_771_070_400),
            ("2026-02-14 06:00:00.000-0600", 2026 + 44.5 / 365, 1_771_070_400),
            ("2025-12-31T23:00:00-01:00", 2026, 1_767_225_600),
        ] as [(String, Double, Double?)])
    func reads(_ text: String, _ value: Double, _ unixSeconds: Double?) throws {
        let date = try DecimalYear(parsing: text)
        #expect(abs(date.value - value) < 1e-12 * 2026)
        if let unixSeconds { #expect(abs(date.unixSeconds - unixSeconds) < 1e-4) }
    }

    @Test(
        "What is no date is refused",
        arguments: [
            "", "today", "nan", "inf", "-5", "0", "20260214", "2026-13-01", "2026-02-30", "2025-02-29", "2026-2-1",
            "2026-02-14T25:00", "2026-02-14T12", "2026-02-14x", "2026-02-14T12:00:00+99:00", "0x7E9", "2026-02-",
            "2026-02-14T12:00:00.", "10000", "٢٠٢٦", "2026-02-14T12:00Zz", "1e400", "0001-01-01T00:00+01:00",
        ])
    func refuses(_ text: String) {
        let error = #expect(throws: GeomagnetismError.self) { try DecimalYear(parsing: text) }
        #expect(error?.code == .badDate)
        #expect(error?.message.contains("2026-02-14") == true)
    }

    @Test("Unix times outside the calendar are refused", arguments: [Double.nan, .infinity, -1e12, 1e12])
    func refusesUnixTime(_ seconds: Double) {
        #expect(throws: GeomagnetismError.self) { try DecimalYear(unixSeconds: seconds) }
    }

    @Test("Every day of 1895–2105 comes back as itself, and agrees with the calendar of Foundation")
    func daysRoundTrip() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "UTC"))
        for day in -27_400..<49_600 {
            let seconds = Double(day) * 86400
            let date = try DecimalYear(unixSeconds: seconds)
            if abs(date.unixSeconds - seconds) > 1e-4 { Issue.record("day \(day): \(date.unixSeconds)") }
            if day % 97 == 0 {
                let parts = calendar.dateComponents([.year, .month, .day], from: Date(timeIntervalSince1970: seconds))
                let year = try #require(parts.year)
                let month = try #require(parts.month)
                let dayOfMonth = try #require(parts.day)
                #expect(date.isoDate == String(format: "%04d-%02d-%02d", year, month, dayOfMonth))
                #expect(try DecimalYear(year: year, month: month, day: dayOfMonth).value == date.value)
            }
        }
        #expect(try DecimalYear(unixSeconds: 0).isoDate == "1970-01-01")
    }

    @Test("The last moments of a year belong to it, and what lies outside the calendar has no day")
    func edges() throws {
        #expect(try DecimalYear(parsing: "2026-12-31T23:59:59Z").isoDate == "2026-12-31")
        #expect(DecimalYear(9999.9999999999).isoDate != "10000-01-01")
        #expect(DecimalYear(0.5).isoDate == nil)
        #expect(DecimalYear(.nan).isoDate == nil)
        #expect(DecimalYear(.nan).unixSeconds.isNaN)
        #expect(DecimalYear(2025) < DecimalYear(2025.1))
    }
}
