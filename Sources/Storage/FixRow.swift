internal import LocateMeModel

/// A fix as columns of a table. The boot time is not kept: it means nothing in another run of the machine.
enum FixRow {
    private static let reals = [
        "latitude", "longitude", "accuracy", "altitude", "ellipsoidal", "vertical", "course", "course_accuracy",
        "speed",
        "speed_accuracy",
    ]
    private static let names = ["real"] + reals + ["flags", "source", "satellites"]

    /// Names of the columns.
    static let list = names.joined(separator: ", ")
    /// The same with a prefix, beside other columns.
    static let prefixed = names.map { "fix_" + $0 }.joined(separator: ", ")
    /// Question marks for the columns.
    static let marks = [String](repeating: "?", count: names.count).joined(separator: ", ")
    /// Columns with their types.
    static let columns = names.map { "\($0) \(type(of: $0))" }.joined(separator: ", ")
    /// The same with a prefix.
    static let prefixedColumns = names.map { "fix_\($0) \(type(of: $0))" }.joined(separator: ", ")
    /// Values for no fix.
    static let none = [Database.Value](repeating: .null, count: names.count)

    private static func type(of name: String) -> String {
        reals.contains(name) ? "REAL" : name == "source" ? "TEXT" : "INTEGER"
    }

    static func encode(_ fix: Fix) -> [Database.Value] {
        [.integer(fix.realMicroseconds)]
            + [
                fix.latitude, fix.longitude, fix.horizontalAccuracy, fix.altitude, fix.ellipsoidalAltitude,
                fix.verticalAccuracy, fix.course, fix.courseAccuracy, fix.speed, fix.speedAccuracy,
            ].map { .real($0) }
            + [.integer(Int64(fix.flags.rawValue)), .text(fix.source), .integer(Int64(fix.satellites))]
    }

    /// Nil for a row that holds no place on earth.
    static func decode(_ row: Database.Row, from first: Int32) -> Fix? {
        guard let real = row.integer(first), let latitude = row.real(first + 1), let longitude = row.real(first + 2),
            let accuracy = row.real(first + 3), abs(latitude) <= 90, abs(longitude) <= 180, accuracy >= 0,
            accuracy.isFinite
        else { return nil }
        var fix = Fix(
            realMicroseconds: real, bootMicroseconds: 0, latitude: latitude, longitude: longitude,
            horizontalAccuracy: accuracy)
        // NaN is kept as NULL.
        fix.altitude = row.real(first + 4) ?? .nan
        fix.ellipsoidalAltitude = row.real(first + 5) ?? .nan
        fix.verticalAccuracy = row.real(first + 6) ?? -1
        fix.course = row.real(first + 7) ?? -1
        fix.courseAccuracy = row.real(first + 8) ?? -1
        fix.speed = row.real(first + 9) ?? -1
        fix.speedAccuracy = row.real(first + 10) ?? -1
        fix.flags = Fix.Flags(rawValue: UInt32(clamping: row.integer(first + 11) ?? 0))
        fix.source = row.text(first + 12) ?? ""
        fix.satellites = row.integer(first + 13).map { Int(clamping: $0) } ?? -1
        return fix
    }
}
