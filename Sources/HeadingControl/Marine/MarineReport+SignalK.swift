internal import LocateMeModel
internal import NMEASentences

extension MarineReport {
    /// A delta of Signal K with its line end (Signal K specification 1.7: data model "navigation", delta format; angles
    /// in radians, speeds in m/s); empty if nothing is known.
    func delta(withHeading: Bool, withPlace: Bool) -> String {
        var values: [(String, JSONValue)] = []
        if withHeading, let heading, let magnetic {
            values.append(("navigation.headingMagnetic", .number(magnetic.degrees * Self.radians, decimals: 6)))
            if let trueDirection {
                values.append(("navigation.headingTrue", .number(trueDirection.degrees * Self.radians, decimals: 6)))
            }
            if let variation {
                values.append(
                    ("navigation.magneticVariation", .number(variation.degreesEast * Self.radians, decimals: 6)))
            }
            if heading.turnRate.isFinite {
                values.append(("navigation.rateOfTurn", .number(heading.turnRate * Self.radians, decimals: 6)))
            }
            if heading.pitch.isFinite, heading.roll.isFinite {
                values.append(
                    (
                        "navigation.attitude",
                        .object([
                            ("roll", .number(heading.roll * Self.radians, decimals: 5)),
                            ("pitch", .number(heading.pitch * Self.radians, decimals: 5)),
                            ("yaw", .number((trueDirection?.degrees ?? magnetic.degrees) * Self.radians, decimals: 5)),
                        ])
                    ))
            }
        }
        if withPlace, let fix {
            var place: [(String, JSONValue)] = [
                ("latitude", .number(fix.latitude, decimals: 8)), ("longitude", .number(fix.longitude, decimals: 8)),
            ]
            if fix.verticalAccuracy >= 0 { place.append(("altitude", .number(fix.altitude, decimals: 2))) }
            values.append(("navigation.position", .object(place)))
            if fix.speed >= 0 { values.append(("navigation.speedOverGround", .number(fix.speed, decimals: 3))) }
            if fix.course >= 0 {
                values.append(("navigation.courseOverGroundTrue", .number(fix.course * Self.radians, decimals: 6)))
            }
        }
        guard !values.isEmpty else { return "" }
        let time = UTCDate(
            realMicroseconds: (withHeading ? heading?.realMicroseconds : nil) ?? fix?.realMicroseconds ?? 0)
        let update = JSONValue.object([
            ("source", .object([("label", .string("locateme"))])),
            ("timestamp", .string(Self.text(time))),
            ("values", .array(values.map { .object([("path", .string($0.0)), ("value", $0.1)]) })),
        ])
        return JSONValue.object([("context", .string("vessels.self")), ("updates", .array([update]))]).text + "\n"
    }

    private static let radians = Double.pi / 180

    /// RFC 3339 with milliseconds.
    private static func text(_ date: UTCDate) -> String {
        func padded(_ value: Int, _ width: Int) -> String {
            let digits = String(value)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T\(padded(date.hour, 2)):"
            + "\(padded(date.minute, 2)):\(padded(date.second, 2)).\(padded(date.microsecond / 1000, 3))Z"
    }
}
