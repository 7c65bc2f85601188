internal import EventLoop
internal import Geomagnetism
internal import Geometry
internal import Glibc
internal import LocateMeModel

/// The magnetic model's field at a place that is given or recorded.
enum PlaceField {
    /// Where the device is.
    static let place = Option(
        "place",
        ValueType<(latitude: Double, longitude: Double)>(
            placeholder: "LAT,LON", completion: .none, expectation: "a place such as 47.3769,8.5417",
            parse: { text in
                let parts = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
                guard parts.count == 2, let latitude = ValueType<Double>.latitude.parse(parts[0]),
                    let longitude = ValueType<Double>.longitude.parse(parts[1])
                else { return nil }
                return (latitude, longitude)
            }),
        help:
            "where the device is, about: the dip of the field there tells axes that are turned from axes that are mirrored"
    )

    /// The field at a place; nil where the model says nothing.
    static func field(latitude: Double, longitude: Double, realMicroseconds: Int64) -> EarthField? {
        let year = (try? DecimalYear(realMicroseconds: realMicroseconds).value) ?? 2026
        let model = MagneticModel.selectModel(forYear: year)
        return try? model.earthField(latitude: latitude, longitude: longitude, height: 0, year: year)
    }

    /// Its dip in degrees, down positive; NaN without a field.
    static func inclination(_ field: EarthField?) -> Double {
        guard let field, field.horizontal > 0 || field.down != 0 else { return .nan }
        return Angle.degreesPerRadian * atan2(field.down, field.horizontal)
    }
}
