/// A place that the administrator states: `--place` or the key `place`.
public struct ConfiguredPlace: Hashable, Sendable {
    /// Degrees north, [−90, 90].
    public var latitude: Double
    /// Degrees east, [−180, 180).
    public var longitude: Double
    /// Metres above mean sea level, NaN if not stated.
    public var altitude: Double

    /// A place.
    public init(latitude: Double, longitude: Double, altitude: Double = .nan) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
    }

    /// Reads `LAT,LON` or `LAT,LON,ALT`: degrees with a decimal point, metres.
    init(_ text: String) throws(UsageError) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        var numbers: [Double] = []
        for part in parts {
            let trimmed = part.trimmingBlanks
            guard let number = Double(strict: trimmed) else {
                throw UsageError("'\(trimmed)' is no number; write LAT,LON or LAT,LON,ALT such as 47.377,8.542,408")
            }
            numbers.append(number)
        }
        guard numbers.count == 2 || numbers.count == 3 else {
            throw UsageError(
                "'\(text)' has \(parts.count) numbers; write LAT,LON or LAT,LON,ALT such as 47.377,8.542,408")
        }
        guard abs(numbers[0]) <= 90 else { throw UsageError("latitude \(numbers[0]) is outside -90…90") }
        guard abs(numbers[1]) <= 180 else { throw UsageError("longitude \(numbers[1]) is outside -180…180") }
        let altitude = numbers.count == 3 ? numbers[2] : .nan
        // The deepest trench and a satellite's perigee: what lies outside is a slip of the pen.
        guard !(altitude < -12_000 || altitude > 100_000) else {
            throw UsageError("altitude \(altitude) m is outside -12000…100000")
        }
        self.init(latitude: numbers[0], longitude: numbers[1] == 180 ? -180 : numbers[1], altitude: altitude)
    }
}
