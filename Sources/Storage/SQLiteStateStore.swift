internal import Geometry
public import LocateMeModel

/// `StoredHeadingState` in the SQLite file `locateme.db` of the state directory, one row per device.
///
/// Each save is one transaction: after `save` returned, no kill loses it; during it, the row before stays. A power cut
/// leaves the file whole, perhaps without the last saves (`Database.writeAhead`). A row that fails `StoredHeadingState.defect`, or a file written by a newer
/// version, is refused with the reason and not touched.
public final class SQLiteStateStore: HeadingStateStore {
    /// Name of the database file in the state directory.
    public static let fileName = "locateme.db"
    /// Version of the schema, SQLite's `user_version`.
    static let schemaVersion: Int64 = 4

    private let database: Database

    /// Opens or creates the store in a directory that exists.
    public init(directory: String) throws(StorageFailure) {
        database = try Database(path: directory + "/" + Self.fileName)
        try database.run("PRAGMA synchronous = FULL")
        // A few rows: the default page cache of 2 MB would be memory for nothing.
        try database.run("PRAGMA cache_size = -64")
        var version: Int64 = -1
        try database.run("PRAGMA user_version") { row in version = row.integer(0) ?? -1 }
        switch version {
        case 0:
            try database.transaction { () throws(StorageFailure) in
                try database.run(Self.schema)
                try database.run("PRAGMA user_version = \(Self.schemaVersion)")
            }
        case 1, 2, 3:
            // Version 1 did not know of the field's scale, version 2 not of the gyroscope's, version 3 not of mount matrices.
            let known = [35, 36, 40][Int(version) - 1]
            try database.transaction { () throws(StorageFailure) in
                for column in Self.columns.dropFirst(known) {
                    try database.run("ALTER TABLE heading_state ADD COLUMN \(column) REAL")
                }
                try database.run("PRAGMA user_version = \(Self.schemaVersion)")
            }
        case Self.schemaVersion: break
        default:
            throw StorageFailure(
                "'\(database.path)' has schema version \(version), this program knows \(Self.schemaVersion); "
                    + "it is left untouched: use the newer program, or move the file away to start anew")
        }
        try database.writeAhead()
    }

    /// What is kept for a device.
    public func load(for device: DeviceIdentity) -> StoredStateAnswer {
        var answer = StoredStateAnswer.nothing
        do {
            try database.run(
                "SELECT \(Self.columns.joined(separator: ", ")) FROM heading_state "
                    + "WHERE bus_path = ? AND name = ? AND location = ?",
                [.text(device.busPath), .text(device.name), .text(device.location)]
            ) { row in answer = Self.decode(row) }
        } catch {
            answer = .refused(reason: error.description)
        }
        if case .refused(let reason) = answer {
            return .refused(reason: "the stored calibration of \(device) is not used: \(reason)")
        }
        return answer
    }

    /// The devices of which something is kept, by path; empty if the file cannot be read.
    public func devices() -> [DeviceIdentity] {
        var found: [DeviceIdentity] = []
        // What cannot be read is told by `load`.
        try? database.run("SELECT bus_path, name, location FROM heading_state ORDER BY bus_path, name, location") {
            row in
            found.append(
                DeviceIdentity(
                    busPath: row.text(0) ?? "", name: row.text(1) ?? "", location: row.text(2) ?? ""))
        }
        return found
    }

    /// Keeps a state in place of the one before, whole or not at all; nil forgets the device.
    public func save(_ state: StoredHeadingState?, for device: DeviceIdentity) throws(StorageFailure) {
        let key: [Database.Value] = [.text(device.busPath), .text(device.name), .text(device.location)]
        guard let state else {
            try database.run("DELETE FROM heading_state WHERE bus_path = ? AND name = ? AND location = ?", key)
            return
        }
        if let defect = state.defect {
            throw StorageFailure("the new state of \(device) is not stored: \(defect)")
        }
        let marks = [String](repeating: "?", count: key.count + Self.columns.count).joined(separator: ", ")
        try database.run(
            "INSERT OR REPLACE INTO heading_state (bus_path, name, location, \(Self.columns.joined(separator: ", "))) "
                + "VALUES (\(marks))",
            key + Self.encode(state))
    }

    // MARK: - Rows

    private static let columns = [
        "has_magnetometer", "soft_xx", "soft_yy", "soft_zz", "soft_xy", "soft_xz", "soft_yz", "hard_x", "hard_y",
        "hard_z", "hard_sigma", "field", "residual", "coverage", "samples", "has_gyroscope", "gyro_x", "gyro_y",
        "gyro_z", "gyro_sigma", "has_latency", "latency", "latency_sigma", "created", "temperature", "latitude",
        "longitude", "source", "has_covariance", "cov_xx", "cov_yy", "cov_zz", "cov_xy", "cov_xz", "cov_yz",
        "field_scale", "gyro_scale_x", "gyro_scale_y", "gyro_scale_z", "gyro_scale_sigma", "mount_xx", "mount_xy",
        "mount_xz", "mount_yx", "mount_yy", "mount_yz", "mount_zx", "mount_zy", "mount_zz",
    ]

    private static var schema: String {
        let integers: Set<String> = [
            "has_magnetometer", "has_gyroscope", "has_latency", "has_covariance", "samples", "created",
        ]
        let fields = columns.map { column in
            column + (column == "source" ? " TEXT" : integers.contains(column) ? " INTEGER" : " REAL")
        }
        return "CREATE TABLE heading_state (bus_path TEXT NOT NULL, name TEXT NOT NULL, location TEXT NOT NULL, "
            + fields.joined(separator: ", ") + ", PRIMARY KEY (bus_path, name, location))"
    }

    private static func encode(_ state: StoredHeadingState) -> [Database.Value] {
        var values: [Database.Value] = []
        if let magnetometer = state.magnetometer {
            let soft = magnetometer.softIron
            let hard = magnetometer.hardIron
            values.append(.integer(1))
            values += [
                soft[0, 0], soft[1, 1], soft[2, 2], soft[0, 1], soft[0, 2], soft[1, 2], hard.x, hard.y, hard.z,
                magnetometer.hardIronSigma, magnetometer.fieldMicrotesla, magnetometer.residualMicrotesla,
                magnetometer.coverage,
            ].map { .real($0) }
            values.append(.integer(Int64(magnetometer.samples)))
        } else {
            values += [.integer(0)] + [Database.Value](repeating: .null, count: 14)
        }
        if let gyroscope = state.gyroscope {
            let bias = gyroscope.bias
            values += [.integer(1), .real(bias.x), .real(bias.y), .real(bias.z), .real(gyroscope.sigma)]
        } else {
            values += [.integer(0)] + [Database.Value](repeating: .null, count: 4)
        }
        if let latency = state.latency {
            values += [.integer(1), .real(latency.seconds), .real(latency.sigma)]
        } else {
            values += [.integer(0), .null, .null]
        }
        values += [
            .integer(state.createdRealMicroseconds), .real(state.temperature), .real(state.latitude),
            .real(state.longitude), .text(state.source),
        ]
        if let covariance = state.magnetometer?.hardIronCovariance {
            values.append(.integer(1))
            values += [
                covariance[0, 0], covariance[1, 1], covariance[2, 2], covariance[0, 1], covariance[0, 2],
                covariance[1, 2],
            ].map { .real($0) }
        } else {
            values += [.integer(0)] + [Database.Value](repeating: .null, count: 6)
        }
        values.append(.real(state.fieldScale))
        if let scale = state.gyroscope?.scale {
            values += [.real(scale.error.x), .real(scale.error.y), .real(scale.error.z), .real(scale.sigma)]
        } else {
            values += [Database.Value](repeating: .null, count: 4)
        }
        values += state.mountMatrix?.rowMajor.map { .real($0) } ?? [Database.Value](repeating: .null, count: 9)
        return values
    }

    private static func decode(_ row: Database.Row) -> StoredStateAnswer {
        /// NULL and text become NaN, which `defect` refuses where a number must stand.
        func number(_ column: Int32) -> Double { row.real(column) ?? .nan }
        /// A symmetric matrix from its diagonal and its upper triangle.
        func symmetric(_ first: Int32) -> Matrix3 {
            let (xy, xz, yz) = (number(first + 3), number(first + 4), number(first + 5))
            return Matrix3(
                Vector3(number(first), xy, xz), Vector3(xy, number(first + 1), yz),
                Vector3(xz, yz, number(first + 2)))
        }
        var state = StoredHeadingState()
        if row.integer(0) == 1 {
            var magnetometer = StoredHeadingState.Magnetometer(
                softIron: symmetric(1), hardIron: Vector3(number(7), number(8), number(9)), hardIronSigma: number(10))
            magnetometer.fieldMicrotesla = number(11)
            magnetometer.residualMicrotesla = number(12)
            magnetometer.coverage = number(13)
            magnetometer.samples = row.integer(14).map { Int(clamping: $0) } ?? 0
            if row.integer(28) == 1 { magnetometer.hardIronCovariance = symmetric(29) }
            state.magnetometer = magnetometer
        }
        if row.integer(15) == 1 {
            state.gyroscope = .init(bias: Vector3(number(16), number(17), number(18)), sigma: number(19))
        }
        if row.integer(20) == 1 { state.latency = .init(seconds: number(21), sigma: number(22)) }
        state.createdRealMicroseconds = row.integer(23) ?? 0
        state.temperature = number(24)
        state.latitude = number(25)
        state.longitude = number(26)
        state.source = row.text(27) ?? ""
        // Rows of version 1 have none.
        if row.text(35) != nil { state.fieldScale = number(35) }
        if row.text(39) != nil {
            state.gyroscope?.scale = .init(error: Vector3(number(36), number(37), number(38)), sigma: number(39))
        }
        if row.text(40) != nil { state.mountMatrix = Matrix3(rowMajor: (40..<49).map { number($0) }) }
        if let defect = state.defect { return .refused(reason: defect) }
        return .state(state)
    }
}
