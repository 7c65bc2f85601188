internal import LocateMeModel

/// One row of `headingctl track`.
enum TrackRow {
    static func csv(_ told: TrackEngine.Told) -> String {
        let fix = told.fix
        func number(_ value: Double, _ decimals: Int) -> String {
            value.isFinite ? DecimalText.trimmed(value, decimals: decimals) : ""
        }
        let hasHeight = fix.verticalAccuracy >= 0 && fix.altitude.isFinite
        return [
            told.microseconds.map { "\($0)" } ?? "",
            DecimalText.fixed(fix.latitude, decimals: 8), DecimalText.fixed(fix.longitude, decimals: 8),
            number(fix.horizontalAccuracy, 2), hasHeight ? number(fix.altitude, 2) : "",
            hasHeight ? number(fix.verticalAccuracy, 2) : "", fix.speed >= 0 ? number(fix.speed, 3) : "",
            fix.course >= 0 ? number(fix.course, 2) : "", "\(fix.flags.rawValue)",
        ].joined(separator: ",")
    }

    static func json(_ told: TrackEngine.Told) -> JSONValue {
        let fix = told.fix
        let hasHeight = fix.verticalAccuracy >= 0 && fix.altitude.isFinite
        func known(_ value: Double, _ decimals: Int, _ isKnown: Bool) -> JSONValue {
            isKnown ? .number(value, decimals: decimals) : .null
        }
        return .object([
            ("t_us", told.microseconds.map { .integer($0) } ?? .null),
            (
                "time",
                fix.realMicroseconds > 0 ? .string(UTCDate(realMicroseconds: fix.realMicroseconds).iso8601) : .null
            ),
            ("latitude", .number(fix.latitude, decimals: 8)), ("longitude", .number(fix.longitude, decimals: 8)),
            ("accuracy", .number(fix.horizontalAccuracy, decimals: 2)), ("altitude", known(fix.altitude, 2, hasHeight)),
            ("vertical_accuracy", known(fix.verticalAccuracy, 2, hasHeight)),
            ("speed", known(fix.speed, 3, fix.speed >= 0)), ("course", known(fix.course, 2, fix.course >= 0)),
            ("satellites", fix.satellites >= 0 ? .integer(Int64(fix.satellites)) : .null),
            ("flags", .integer(Int64(fix.flags.rawValue))), ("source", .string(fix.source)),
        ])
    }
}
