import Foundation
import LocateMeModel
import Testing

@testable import Storage

@Suite struct SQLiteLocationStoreTests {
    let folder: URL
    let client = ClientIdentity(userID: 1000, applicationID: "org.example.Track")

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("location-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func store() throws -> SQLiteLocationStore { try SQLiteLocationStore(directory: folder.path) }
    var file: URL { folder.appendingPathComponent(SQLiteLocationStore.fileName) }

    func fix(_ latitude: Double = 47.4211) -> Fix {
        var fix = Fix(
            realMicroseconds: 1_781_254_800_000_000, bootMicroseconds: 0, latitude: latitude, longitude: -179.9999,
            horizontalAccuracy: 4.25)
        (fix.altitude, fix.ellipsoidalAltitude, fix.verticalAccuracy) = (2650.5, 2698, 7)
        (fix.course, fix.courseAccuracy, fix.speed, fix.speedAccuracy) = (359.5, 3, 0, 0.25)
        (fix.flags, fix.source, fix.satellites) = ([.timeRepaired], "gpsd", 9)
        return fix
    }

    @Test func `T20: the whole last fix is kept, to the last digit`() throws {
        #expect(try store().lastFix() == nil)
        try store().save(lastFix: fix())
        #expect(try store().lastFix() == fix())
        try store().save(lastFix: fix(-33))
        #expect(try store().lastFix()?.latitude == -33)
        try store().save(lastFix: nil)
        #expect(try store().lastFix() == nil)
    }

    @Test func `A fix with one height only keeps the other unknown`() throws {
        var half = fix()
        half.ellipsoidalAltitude = .nan
        try store().save(lastFix: half)
        let read = try #require(try store().lastFix())
        #expect(read.altitude == 2650.5)
        #expect(read.ellipsoidalAltitude.isNaN)
    }

    @Test func `Registrations of each client and kind are kept, replaced and forgotten`() throws {
        var change = StoredRegistration(client: client, kind: .significantChange, distance: 750, intervalSeconds: 900)
        change.lastFix = fix()
        var visits = StoredRegistration(client: client, kind: .visit)
        visits.visit = Visit(arrival: .min, departure: .max, latitude: 1.5, longitude: 2.5, accuracy: 12)
        let other = StoredRegistration(client: ClientIdentity(userID: 0, applicationID: "a"), kind: .visit)
        let writer = try store()
        for entry in [change, visits, other] { try writer.save(entry) }
        #expect(Set(try store().registrations()) == [change, visits, other])
        change.distance = 500
        try writer.save(change)
        try writer.removeRegistration(of: client, kind: .visit)
        #expect(Set(try store().registrations()) == [change, other])
    }

    @Test func `Events are numbered per client, without a gap, over restarts and acknowledgements`() throws {
        let first = try store()
        #expect(try first.append(StoredEvent(kind: .significantChange, fix: fix()), for: client) == 1)
        let visit = Visit(arrival: 5, departure: .max, latitude: 1, longitude: 2, accuracy: 3)
        #expect(try first.append(StoredEvent(kind: .visit, fix: fix(), visit: visit), for: client) == 2)
        #expect(
            try first.append(
                StoredEvent(kind: .visit, fix: fix()), for: ClientIdentity(userID: 1001, applicationID: "x")) == 1)
        let second = try store()
        let waiting = try second.events(for: client, after: 0, limit: 10)
        #expect(waiting.map(\.sequence) == [1, 2])
        #expect(waiting[1].visit == visit)
        #expect(waiting[0].fix == fix())
        #expect(try second.events(for: client, after: 1, limit: 10).map(\.sequence) == [2])
        #expect(try second.events(for: client, after: 0, limit: 1).map(\.sequence) == [1])
        #expect(try second.acknowledge(for: client, upTo: 1) == 1)
        #expect(try second.acknowledge(for: client, upTo: .max) == 0)
        #expect(try store().append(StoredEvent(kind: .visit, fix: fix()), for: client) == 3)
    }

    @Test func `Unacknowledged events do not grow without end`() throws {
        let store = try store()
        for _ in 0..<3 { _ = try store.append(StoredEvent(kind: .visit, fix: fix()), for: client) }
        // The rest directly: a thousand transactions with fsync would take a while.
        let extra = SQLiteLocationStore.maximumEvents
        #expect(extra == 1000)
        try sql(
            "UPDATE sequence SET last = 1002 WHERE uid = 1000; UPDATE event SET sequence = sequence + 9000 WHERE uid = 1000;"
                + "UPDATE event SET sequence = sequence - 8998 WHERE uid = 1000")
        #expect(try store.append(StoredEvent(kind: .visit, fix: fix()), for: client) == 1003)
        #expect(try store.events(for: client, after: 0, limit: 2000).map(\.sequence) == [4, 5, 1003])
    }

    @Test func `The secret of coarse places stays the first one`() throws {
        let first = try store().coarseSecret(for: client, ifNone: (.max, 5))
        #expect(first.secret == .max && first.beginning == 5)
        let second = try store().coarseSecret(for: client, ifNone: (7, 9))
        #expect(second.secret == .max && second.beginning == 5)
    }

    @Test func `Policies are kept and forgotten`() throws {
        try store().save(StoredPolicy(background: 3, onBattery: 4, onLowBattery: 1), for: client)
        #expect(try store().policy(for: client) == StoredPolicy(background: 3, onBattery: 4, onLowBattery: 1))
        try store().save(nil, for: client)
        #expect(try store().policy(for: client) == nil)
    }

    @Test func `A row that is no place on earth is not read as one`() throws {
        try store().save(lastFix: fix())
        try sql("UPDATE last_fix SET latitude = 91")
        #expect(try store().lastFix() == nil)
        try sql("UPDATE last_fix SET latitude = 'x'")
        #expect(try store().lastFix() == nil)
    }

    @Test func `A file of a newer version and a file of nonsense are refused and left as they are`() throws {
        _ = try store()
        try sql("PRAGMA user_version = 99")
        let newer = #expect(throws: StorageFailure.self) { try store() }
        #expect(newer?.description.contains("schema version 99") == true)
        let other = folder.appendingPathComponent("other")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
        let broken = other.appendingPathComponent(SQLiteLocationStore.fileName)
        try Data(repeating: 0x5a, count: 4096).write(to: broken)
        #expect(throws: StorageFailure.self) { try SQLiteLocationStore(directory: other.path) }
        #expect(try Data(contentsOf: broken) == Data(repeating: 0x5a, count: 4096))
    }

    @Test func `A full file system is told and loses nothing that was kept`() throws {
        let store = try store()
        try store.save(lastFix: fix())
        // /dev/full is no file system: a page limit makes SQLite say the same.
        try sql("VACUUM")
        let writer = try self.store()
        try writer.limitPages()
        var failure: StorageFailure?
        for index in 0..<500 where failure == nil {
            do {
                _ = try writer.append(StoredEvent(kind: .visit, fix: fix(Double(index) / 10)), for: client)
            } catch {
                failure = error
            }
        }
        #expect(failure?.description.contains("the file system is full") == true)
        #expect(try self.store().lastFix() == fix())
        let numbers = try self.store().events(for: client, after: 0, limit: 1000).map(\.sequence)
        #expect(numbers == Array(1...UInt64(max(numbers.count, 1))).prefix(numbers.count).map { $0 })
    }

    private func sql(_ text: String) throws {
        let result = try Process.run(
            URL(fileURLWithPath: "/usr/bin/python3"),
            arguments: [
                "-c",
                "import sqlite3,sys; c=sqlite3.connect(sys.argv[1], isolation_level=None); c.executescript(sys.argv[2])",
                file.path, text,
            ])
        result.waitUntilExit()
        try #require(result.terminationStatus == 0)
    }
}
