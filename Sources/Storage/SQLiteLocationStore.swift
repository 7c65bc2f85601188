public import LocateMeModel

/// `LocationStateStore` in the SQLite file `location.db` of the state directory.
///
/// Each call is one transaction: after it returned, no kill loses it; during it, what was there before stays. A power cut
/// leaves the file whole, perhaps without the last calls (`Database.writeAhead`). A file written by a newer version is refused and not touched.
public final class SQLiteLocationStore: LocationStateStore {
    /// Name of the database file in the state directory.
    public static let fileName = "location.db"
    /// Version of the schema, SQLite's `user_version`.
    static let schemaVersion: Int64 = 1
    /// Events that are kept for a client; then the oldest give way.
    public static let maximumEvents = 1000

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
                for statement in Self.schema { try database.run(statement) }
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

    // MARK: - Last fix

    /// The last fix of a receiver, nil if none was kept. Its boot time is 0.
    public func lastFix() throws(StorageFailure) -> Fix? {
        var fix: Fix?
        try database.run("SELECT \(FixRow.list) FROM last_fix") { row in fix = FixRow.decode(row, from: 0) }
        return fix
    }

    /// Keeps a fix in place of the one before; nil forgets it.
    public func save(lastFix: Fix?) throws(StorageFailure) {
        guard let lastFix else { return try database.run("DELETE FROM last_fix") }
        try database.run(
            "INSERT OR REPLACE INTO last_fix (id, \(FixRow.list)) VALUES (1, \(FixRow.marks))", FixRow.encode(lastFix))
    }

    // MARK: - Registrations

    /// All registrations, those of damaged rows left out.
    public func registrations() throws(StorageFailure) -> [StoredRegistration] {
        var found: [StoredRegistration] = []
        try database.run(
            "SELECT uid, app, kind, distance, interval, arrival, latitude, longitude, accuracy, has_visit, has_fix, "
                + "\(FixRow.prefixed) FROM registration ORDER BY uid, app, kind"
        ) { row in
            guard let user = row.integer(0), let app = row.text(1), let number = row.integer(2),
                let kind = LocationEventKind(rawValue: UInt32(clamping: number))
            else { return }
            var entry = StoredRegistration(
                client: ClientIdentity(userID: UInt32(clamping: user), applicationID: app), kind: kind)
            entry.distance = row.real(3) ?? entry.distance
            entry.intervalSeconds = row.integer(4).map { UInt32(clamping: $0) } ?? entry.intervalSeconds
            if row.integer(9) == 1 {
                entry.visit = Visit(
                    arrival: row.integer(5) ?? .min, departure: .max, latitude: row.real(6) ?? 0,
                    longitude: row.real(7) ?? 0, accuracy: row.real(8) ?? -1)
            }
            if row.integer(10) == 1 { entry.lastFix = FixRow.decode(row, from: 11) }
            found.append(entry)
        }
        return found
    }

    /// Keeps a registration in place of the same client's of the same kind.
    public func save(_ registration: StoredRegistration) throws(StorageFailure) {
        let visit = registration.visit
        var values: [Database.Value] = [
            .integer(Int64(registration.client.userID)), .text(registration.client.applicationID),
            .integer(Int64(registration.kind.rawValue)), .real(registration.distance),
            .integer(Int64(registration.intervalSeconds)), .integer(visit?.arrival ?? 0),
            .real(visit?.latitude ?? 0), .real(visit?.longitude ?? 0), .real(visit?.accuracy ?? 0),
            .integer(visit == nil ? 0 : 1), .integer(registration.lastFix == nil ? 0 : 1),
        ]
        values += registration.lastFix.map(FixRow.encode) ?? FixRow.none
        try database.run(
            "INSERT OR REPLACE INTO registration (uid, app, kind, distance, interval, arrival, latitude, longitude, "
                + "accuracy, has_visit, has_fix, \(FixRow.prefixed)) "
                + "VALUES (\([String](repeating: "?", count: values.count).joined(separator: ", ")))",
            values)
    }

    /// Forgets a registration.
    public func removeRegistration(
        of client: ClientIdentity, kind: LocationEventKind
    ) throws(StorageFailure) {
        try database.run(
            "DELETE FROM registration WHERE uid = ? AND app = ? AND kind = ?",
            key(client) + [.integer(Int64(kind.rawValue))])
    }

    // MARK: - Events

    /// Keeps an event and gives it the client's next number, both or neither.
    public func append(_ event: StoredEvent, for client: ClientIdentity) throws(StorageFailure) -> UInt64 {
        var sequence: UInt64 = 0
        let key = key(client)
        try database.transaction { () throws(StorageFailure) in
            try database.run(
                "INSERT INTO sequence (uid, app, last) VALUES (?, ?, 1) "
                    + "ON CONFLICT (uid, app) DO UPDATE SET last = last + 1", key)
            try database.run("SELECT last FROM sequence WHERE uid = ? AND app = ?", key) { row in
                sequence = UInt64(clamping: row.integer(0) ?? 0)
            }
            let visit = event.visit
            var values = key
            values += [
                .integer(Int64(clamping: sequence)), .integer(Int64(event.kind.rawValue)),
                .integer(visit == nil ? 0 : 1), .integer(visit?.arrival ?? 0), .integer(visit?.departure ?? 0),
                .real(visit?.latitude ?? 0), .real(visit?.longitude ?? 0), .real(visit?.accuracy ?? 0),
            ]
            values += FixRow.encode(event.fix)
            try database.run(
                "INSERT INTO event (uid, app, sequence, kind, has_visit, arrival, departure, latitude, longitude, "
                    + "accuracy, \(FixRow.prefixed)) "
                    + "VALUES (\([String](repeating: "?", count: values.count).joined(separator: ", ")))",
                values)
            try database.run(
                "DELETE FROM event WHERE uid = ? AND app = ? AND sequence <= ?",
                key + [.integer(Int64(clamping: sequence) - Int64(Self.maximumEvents))])
        }
        return sequence
    }

    /// Events with a number above `after`, oldest first, at most `limit`.
    public func events(
        for client: ClientIdentity, after: UInt64, limit: Int
    ) throws(StorageFailure) -> [StoredEvent] {
        var found: [StoredEvent] = []
        try database.run(
            "SELECT sequence, kind, has_visit, arrival, departure, latitude, longitude, accuracy, \(FixRow.prefixed) "
                + "FROM event WHERE uid = ? AND app = ? AND sequence > ? ORDER BY sequence LIMIT ?",
            key(client) + [.integer(Int64(clamping: after)), .integer(Int64(max(limit, 0)))]
        ) { row in
            guard let sequence = row.integer(0), let number = row.integer(1),
                let kind = LocationEventKind(rawValue: UInt32(clamping: number)),
                let fix = FixRow.decode(row, from: 8)
            else { return }
            var event = StoredEvent(sequence: UInt64(clamping: sequence), kind: kind, fix: fix)
            if row.integer(2) == 1 {
                event.visit = Visit(
                    arrival: row.integer(3) ?? .min, departure: row.integer(4) ?? .max, latitude: row.real(5) ?? 0,
                    longitude: row.real(6) ?? 0, accuracy: row.real(7) ?? -1)
            }
            found.append(event)
        }
        return found
    }

    /// Forgets events up to a number; returns how many are left.
    public func acknowledge(for client: ClientIdentity, upTo: UInt64) throws(StorageFailure) -> Int {
        var left = 0
        try database.transaction { () throws(StorageFailure) in
            try database.run(
                "DELETE FROM event WHERE uid = ? AND app = ? AND sequence <= ?",
                key(client) + [.integer(Int64(clamping: upTo))])
            try database.run("SELECT count(*) FROM event WHERE uid = ? AND app = ?", key(client)) { row in
                left = Int(clamping: row.integer(0) ?? 0)
            }
        }
        return left
    }

    // MARK: - Secrets and policies

    /// The client's secret and when it began to hold; what is given is kept if there was none.
    public func coarseSecret(
        for client: ClientIdentity, ifNone: (secret: UInt64, beginning: Int64)
    ) throws(StorageFailure) -> (secret: UInt64, beginning: Int64) {
        var found = ifNone
        try database.transaction { () throws(StorageFailure) in
            try database.run(
                "INSERT OR IGNORE INTO secret (uid, app, secret, beginning) VALUES (?, ?, ?, ?)",
                key(client) + [.integer(Int64(bitPattern: ifNone.secret)), .integer(ifNone.beginning)])
            try database.run("SELECT secret, beginning FROM secret WHERE uid = ? AND app = ?", key(client)) { row in
                guard let secret = row.integer(0), let beginning = row.integer(1) else { return }
                found = (UInt64(bitPattern: secret), beginning)
            }
        }
        return found
    }

    /// The policy of an application; nil: the standard one.
    public func policy(for client: ClientIdentity) throws(StorageFailure) -> StoredPolicy? {
        var found: StoredPolicy?
        try database.run(
            "SELECT background, on_battery, on_low FROM policy WHERE uid = ? AND app = ?", key(client)
        ) { row in
            func number(_ column: Int32) -> UInt32 { UInt32(clamping: row.integer(column) ?? 0) }
            found = StoredPolicy(background: number(0), onBattery: number(1), onLowBattery: number(2))
        }
        return found
    }

    /// Keeps a policy in place of the one before; nil forgets it.
    public func save(_ policy: StoredPolicy?, for client: ClientIdentity) throws(StorageFailure) {
        guard let policy else {
            return try database.run("DELETE FROM policy WHERE uid = ? AND app = ?", key(client))
        }
        try database.run(
            "INSERT OR REPLACE INTO policy (uid, app, background, on_battery, on_low) VALUES (?, ?, ?, ?, ?)",
            key(client)
                + [policy.background, policy.onBattery, policy.onLowBattery].map { .integer(Int64($0)) })
    }

    // MARK: - Private

    /// Lets the file grow no more, for tests of a full disk.
    func limitPages() throws(StorageFailure) {
        try database.run("PRAGMA max_page_count = 1")
    }

    private func key(_ client: ClientIdentity) -> [Database.Value] {
        [.integer(Int64(client.userID)), .text(client.applicationID)]
    }

    private static var schema: [String] {
        let client = "uid INTEGER NOT NULL, app TEXT NOT NULL"
        return [
            "CREATE TABLE last_fix (id INTEGER PRIMARY KEY, \(FixRow.columns))",
            "CREATE TABLE registration (\(client), kind INTEGER NOT NULL, distance REAL, interval INTEGER, "
                + "arrival INTEGER, latitude REAL, longitude REAL, accuracy REAL, has_visit INTEGER, has_fix INTEGER, "
                + "\(FixRow.prefixedColumns), PRIMARY KEY (uid, app, kind))",
            "CREATE TABLE sequence (\(client), last INTEGER NOT NULL, PRIMARY KEY (uid, app))",
            "CREATE TABLE event (\(client), sequence INTEGER NOT NULL, kind INTEGER NOT NULL, has_visit INTEGER, "
                + "arrival INTEGER, departure INTEGER, latitude REAL, longitude REAL, accuracy REAL, "
                + "\(FixRow.prefixedColumns), PRIMARY KEY (uid, app, sequence))",
            "CREATE TABLE secret (\(client), secret INTEGER NOT NULL, beginning INTEGER NOT NULL, "
                + "PRIMARY KEY (uid, app))",
            "CREATE TABLE policy (\(client), background INTEGER, on_battery INTEGER, on_low INTEGER, "
                + "PRIMARY KEY (uid, app))",
        ]
    }
}
