internal import Geomagnetism

/// A question to a magnetic model: where and when.
struct FieldQuery {
    /// Degrees north.
    var latitude: Double
    /// Degrees east.
    var longitude: Double
    /// Metres above the WGS 84 ellipsoid.
    var altitude: Double
    /// Decimal year.
    var date: DecimalYear

    /// A question written "DATE LAT LON ALT_M", the order of GeographicLib's MagneticField; the altitude may be left
    /// out. Throws what is wrong, in a sentence without a full stop.
    init(line: String) throws(CommandError) {
        let words = line.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "," }).map(String.init)
        guard (3...4).contains(words.count) else {
            throw CommandError(.failure, "expected DATE LAT LON ALT_M, got \(words.count) fields")
        }
        date = try Self.date(words[0])
        latitude = try Self.value(words[1], .latitude)
        longitude = try Self.value(words[2], .longitude)
        altitude = words.count == 4 ? try Self.value(words[3], Self.altitudeType) : 0
    }

    /// A question of its parts.
    init(latitude: Double, longitude: Double, altitude: Double, date: DecimalYear) {
        self.latitude = latitude
        self.longitude = longitude
        self.altitude = altitude
        self.date = date
    }

    /// Metres above the ellipsoid, as far as any model reaches.
    static let altitudeType = ValueType<Double>.number(
        "ALT_M", unit: "metres above the ellipsoid", in: -1000...850_000)

    /// The model's answer.
    func answer(_ model: MagneticModel?) throws(CommandError) -> (field: MagneticField, model: MagneticModel) {
        let used = model ?? MagneticModel.selectModel(forYear: date.value)
        do throws(GeomagnetismError) {
            let field = try used.field(latitude: latitude, longitude: longitude, height: altitude, year: date.value)
            return (field, used)
        } catch {
            throw CommandError(.failure, error.message)
        }
    }

    private static func date(_ text: String) throws(CommandError) -> DecimalYear {
        do throws(GeomagnetismError) {
            return try DecimalYear(parsing: text)
        } catch {
            throw CommandError(.failure, error.message)
        }
    }

    private static func value(_ text: String, _ type: ValueType<Double>) throws(CommandError) -> Double {
        guard let value = type.parse(text) else {
            throw CommandError(
                .failure, "\(type.placeholder) must be \(type.expectation), not '\(TextWidth.cut(text, to: 60))'")
        }
        return value
    }
}
