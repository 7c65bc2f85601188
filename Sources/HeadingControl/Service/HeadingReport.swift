internal import Geometry
internal import LocateMeModel

/// Headings and fixes as machines and people read them, the same in every command.
enum HeadingReport {
    /// A heading as one object. magnetic and accuracy are −1 while invalid, true is null while unknown.
    static func json(_ heading: Heading) -> JSONValue {
        .object(members(heading))
    }

    static func members(_ heading: Heading) -> [(String, JSONValue)] {
        let isValid = heading.magnetic >= 0
        var members: [(String, JSONValue)] = [
            ("time", time(heading.realMicroseconds)), ("magnetic", direction(heading.magnetic)),
            ("true", heading.trueHeading >= 0 ? direction(heading.trueHeading) : isValid ? .null : .integer(-1)),
            ("accuracy", .number(isValid ? heading.accuracy : -1, decimals: 3)),
            ("calibration", .string(Wording.quality(heading.calibration))), ("disturbed", .bool(heading.disturbed)),
            ("field_ut", .number(heading.fieldStrength, decimals: 3)),
            ("inclination", .number(heading.inclination, decimals: 3)),
            ("turn_rate", .number(heading.turnRate, decimals: 3)), ("source", .string(heading.source.rawValue)),
            ("orientation", .string(Wording.orientation(heading.orientation))),
            ("pitch", .number(heading.pitch, decimals: 3)), ("roll", .number(heading.roll, decimals: 3)),
        ]
        members += [
            ("x_ut", .number(heading.field.x, decimals: 3)), ("y_ut", .number(heading.field.y, decimals: 3)),
            ("z_ut", .number(heading.field.z, decimals: 3)),
            ("declination", .number(heading.declination, decimals: 3)),
            ("declination_accuracy", .number(heading.declinationAccuracy, decimals: 3)),
            ("expected_field_ut", .number(heading.expectedField, decimals: 3)),
            ("expected_inclination", .number(heading.expectedInclination, decimals: 3)),
            ("model", heading.model.isEmpty ? .null : .string(heading.model)),
        ]
        return members
    }

    /// A fix as one object. Values that are unknown are null.
    static func json(_ fix: Fix) -> JSONValue {
        .object(members(fix))
    }

    static func members(_ fix: Fix) -> [(String, JSONValue)] {
        func valid(_ value: Double, _ isValid: Bool, _ decimals: Int) -> JSONValue {
            isValid ? .number(value, decimals: decimals) : .null
        }
        let hasHeight = fix.verticalAccuracy >= 0
        return [
            ("time", time(fix.realMicroseconds)), ("latitude", .number(fix.latitude, decimals: 7)),
            ("longitude", .number(fix.longitude, decimals: 7)),
            ("accuracy_m", valid(fix.horizontalAccuracy, fix.horizontalAccuracy >= 0, 2)),
            ("altitude_m", valid(fix.altitude, hasHeight, 2)),
            ("ellipsoidal_altitude_m", valid(fix.ellipsoidalAltitude, hasHeight, 2)),
            ("vertical_accuracy_m", valid(fix.verticalAccuracy, hasHeight, 2)),
            ("course", fix.course >= 0 ? direction(fix.course) : .null),
            ("course_accuracy", valid(fix.courseAccuracy, fix.courseAccuracy >= 0, 2)),
            ("speed", valid(fix.speed, fix.speed >= 0, 3)),
            ("speed_accuracy", valid(fix.speedAccuracy, fix.speedAccuracy >= 0, 3)),
            ("flags", .array(flagNames.filter { fix.flags.contains($0.flag) }.map { .string($0.name) })),
            ("source", fix.source.isEmpty ? .null : .string(fix.source)),
            ("satellites", fix.satellites >= 0 ? .integer(Int64(fix.satellites)) : .null),
        ]
    }

    /// "LAT LON ACCURACY", degrees with 7 decimals and metres with 1.
    static func line(_ fix: Fix) -> String {
        "\(DecimalText.fixed(fix.latitude, decimals: 7)) \(DecimalText.fixed(fix.longitude, decimals: 7)) "
            + DecimalText.fixed(fix.horizontalAccuracy, decimals: 1)
    }

    /// UTC, null if unknown.
    static func time(_ realMicroseconds: Int64) -> JSONValue {
        realMicroseconds == 0 ? .null : .string(TimeText.iso(microseconds: realMicroseconds))
    }

    /// Degrees in [0, 360) with 3 decimals after rounding too; −1 if invalid.
    static func direction(_ degrees: Double) -> JSONValue {
        degrees < 0 ? .integer(-1) : .number(degrees >= 359.9995 ? 0 : degrees, decimals: 3)
    }

    private static let flagNames: [(flag: Fix.Flags, name: String)] = [
        (.simulated, "simulated"), (.deadReckoned, "dead-reckoned"), (.mapMatched, "map-matched"),
        (.reduced, "reduced"),
        (.cached, "cached"), (.bestAvailable, "best-available"), (.fixed, "static"), (.timeRepaired, "time-repaired"),
        (.accessory, "accessory"), (.clockUnsure, "clock-unsure"),
    ]
}
