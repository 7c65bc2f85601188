internal import Geomagnetism

/// The date that a recording claims to be of.
enum RecordingDate {
    /// No phone with a magnetometer was recorded earlier, and clocks that were never set say 1970 or the year 1.
    private static let plausibleYears = 2000.0..<2100

    /// The decimal year of a UTC time in microseconds since the Unix epoch; nil if none is known or it is no plausible one.
    static func year(realMicroseconds: Int64?) -> Double? {
        guard let realMicroseconds, let year = try? DecimalYear(realMicroseconds: realMicroseconds).value,
            plausibleYears.contains(year)
        else { return nil }
        return year
    }
}
