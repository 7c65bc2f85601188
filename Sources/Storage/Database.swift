internal import CSQLite
internal import LocateMeModel

/// One SQLite database file. Statements are prepared, bound and finished inside one call, so that no handle
/// outlives it.
final class Database {
    private let handle: OpaquePointer
    let path: String

    /// Once in the life of the process, before its first database.
    private static let isFrugal: Void = locateme_sqlite_without_page_reserve()

    /// Opens or creates a file. `busyMilliseconds` is how long another writer is waited for.
    init(path: String, busyMilliseconds: Int32 = 200) throws(StorageFailure) {
        _ = Self.isFrugal
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        let status = sqlite3_open_v2(path, &opened, flags, nil)
        guard status == SQLITE_OK, let opened else {
            let reason = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close(opened)
            throw StorageFailure(
                "cannot open '\(path)': \(reason); check that the state directory exists and may be written")
        }
        handle = opened
        self.path = path
        sqlite3_busy_timeout(handle, busyMilliseconds)
    }

    deinit { sqlite3_close(handle) }

    /// Runs one statement; `row` is called for each row of the answer.
    func run(
        _ sql: String, _ bindings: [Value] = [], row: (Row) -> Void = { _ in }
    ) throws(StorageFailure) {
        var prepared: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK, let statement = prepared else {
            throw failure()
        }
        defer { sqlite3_finalize(statement) }
        for (index, value) in bindings.enumerated() {
            guard bind(value, to: statement, at: Int32(index + 1)) == SQLITE_OK else { throw failure() }
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: row(Row(statement: statement))
            case SQLITE_DONE: return
            default: throw failure()
            }
        }
    }

    /// Writes to a log beside the file from now on and does not wait for the disk: the loop that saves also answers clients, and
    /// each of the three waits of a commit takes 5 to 130 ms on a busy disk. With `synchronous=NORMAL` a log survives the end of
    /// the program, and a power cut can cost its last commits but not the file (sqlite.org/pragma.html). Where a file system
    /// cannot have one, commits wait as before.
    func writeAhead() throws(StorageFailure) {
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = NORMAL")
        // 0.4 MB: the states are small, and so may the log be.
        try run("PRAGMA wal_autocheckpoint = 100")
    }

    /// Runs `body` as one transaction: all of it is kept, or nothing.
    func transaction(_ body: () throws(StorageFailure) -> Void) throws(StorageFailure) {
        try run("BEGIN IMMEDIATE")
        do {
            try body()
            try run("COMMIT")
        } catch {
            // The first failure is the one to report.
            try? run("ROLLBACK")
            throw error
        }
    }

    /// What a statement is given.
    enum Value {
        case text(String)
        case real(Double)
        case integer(Int64)
        case null
    }

    /// One row of an answer, valid inside the callback only. Columns count from 0.
    struct Row {
        fileprivate let statement: OpaquePointer

        func text(_ column: Int32) -> String? {
            guard let bytes = sqlite3_column_text(statement, column) else { return nil }
            return String(cString: bytes)
        }

        /// Nil for NULL and for anything but a number.
        func real(_ column: Int32) -> Double? {
            switch sqlite3_column_type(statement, column) {
            case SQLITE_FLOAT, SQLITE_INTEGER: sqlite3_column_double(statement, column)
            default: nil
            }
        }

        /// Nil for NULL and for anything but an integer.
        func integer(_ column: Int32) -> Int64? {
            sqlite3_column_type(statement, column) == SQLITE_INTEGER ? sqlite3_column_int64(statement, column) : nil
        }
    }

    private func bind(_ value: Value, to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch value {
        case .text(let text):
            // SQLITE_TRANSIENT: SQLite copies the bytes before the call returns.
            let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            return sqlite3_bind_text(statement, index, text, -1, transient)
        case .real(let number):
            // SQLite stores NaN as NULL by itself; said here so that it is no surprise.
            return number.isNaN ? sqlite3_bind_null(statement, index) : sqlite3_bind_double(statement, index, number)
        case .integer(let number): return sqlite3_bind_int64(statement, index, number)
        case .null: return sqlite3_bind_null(statement, index)
        }
    }

    private func failure() -> StorageFailure {
        let code = sqlite3_errcode(handle)
        let reason = String(cString: sqlite3_errmsg(handle))
        let remedy =
            switch code & 0xff {
            case SQLITE_NOTADB, SQLITE_CORRUPT:
                "the file is damaged; it is left as it is: move it away and what is learned from now on is kept anew"
            case SQLITE_FULL: "the file system is full; free some space"
            case SQLITE_BUSY, SQLITE_LOCKED: "another process holds it; is a second locatemed running?"
            case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN:
                "the state directory must be writable for the service's user"
            default: "what was stored before is untouched"
            }
        return StorageFailure("'\(path)': \(reason); \(remedy)")
    }
}
