import Foundation
import Geometry
import LocateMeModel
import Testing

@testable import Storage

@Suite struct SQLiteStateStoreTests {
    let folder: URL
    let phone = DeviceIdentity(busPath: "/sys/devices/platform/i2c-1/1-001c", name: "af8133j", location: "")

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("storage-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func store() throws -> SQLiteStateStore { try SQLiteStateStore(directory: folder.path) }
    var file: URL { folder.appendingPathComponent(SQLiteStateStore.fileName) }

    func sample() -> StoredHeadingState {
        var state = StoredHeadingState()
        var magnetometer = StoredHeadingState.Magnetometer(
            softIron: Matrix3(Vector3(1.02, 0.01, -0.03), Vector3(0.01, 0.97, 0.004), Vector3(-0.03, 0.004, 1.01)),
            hardIron: Vector3(-125.5, 33.25, 600.125), hardIronSigma: 0.75)
        magnetometer.fieldMicrotesla = 47.25
        magnetometer.residualMicrotesla = 0.5
        magnetometer.coverage = 0.875
        magnetometer.samples = 311
        magnetometer.hardIronCovariance = Matrix3(
            Vector3(0.5, 0.1, -0.2), Vector3(0.1, 0.25, 0.05), Vector3(-0.2, 0.05, 900))
        state.magnetometer = magnetometer
        state.gyroscope = .init(bias: Vector3(0.01, -0.02, 0.0425), sigma: 0.001)
        state.gyroscope?.scale = .init(error: Vector3(0.03, -0.0125, 0.002), sigma: 0.004)
        state.latency = .init(seconds: 0.035, sigma: 0.004)
        state.createdRealMicroseconds = 1_795_000_000_123_456
        state.temperature = 31.5
        state.latitude = 45.1878
        state.longitude = 5.7269
        state.source = "guided"
        state.fieldScale = 100
        state.mountMatrix = Matrix3(Vector3(0, 1, 0), Vector3(-1, 0, 0.125), Vector3(0, 0, 1))
        return state
    }

    @Test func aStateComesBackAsItWasFromANewConnection() throws {
        try store().save(sample(), for: phone)
        #expect(try store().load(for: phone) == .state(sample()))
    }

    @Test func partsThatAreUnknownStayUnknown() throws {
        var state = StoredHeadingState()
        state.gyroscope = .init(bias: Vector3(0.01, 0, 0), sigma: 0.002)
        try store().save(state, for: phone)
        guard case .state(let loaded) = try store().load(for: phone) else {
            Issue.record("nothing came back")
            return
        }
        #expect(loaded.magnetometer == nil)
        #expect(loaded.latency == nil)
        #expect(loaded.gyroscope == state.gyroscope)
        #expect(loaded.temperature.isNaN)
        #expect(loaded.latitude.isNaN)
    }

    @Test(arguments: [
        DeviceIdentity(busPath: "/sys/devices/platform/i2c-2/2-001c", name: "af8133j", location: ""),
        DeviceIdentity(busPath: "/sys/devices/platform/i2c-1/1-001c", name: "lis3mdl", location: ""),
        DeviceIdentity(busPath: "/sys/devices/platform/i2c-1/1-001c", name: "af8133j", location: "base"),
    ])
    func anotherDeviceKnowsNothingOfIt(other: DeviceIdentity) throws {
        let store = try store()
        try store.save(sample(), for: phone)
        #expect(store.load(for: other) == .nothing)
    }

    @Test func forgettingADeviceLeavesTheOthers() throws {
        let store = try store()
        let other = DeviceIdentity(busPath: "ip:10.0.0.1", name: "lis3mdl", location: "")
        try store.save(sample(), for: phone)
        try store.save(sample(), for: other)
        try store.save(nil, for: phone)
        #expect(store.load(for: phone) == .nothing)
        #expect(store.load(for: other) == .state(sample()))
    }

    @Test func aStateThatIsNotANumberIsRefusedAndTheOneBeforeStays() throws {
        let store = try store()
        try store.save(sample(), for: phone)
        var broken = sample()
        broken.magnetometer?.hardIron.x = .nan
        #expect(throws: StorageFailure.self) { try store.save(broken, for: phone) }
        #expect(store.load(for: phone) == .state(sample()))
    }

    @Test(arguments: [
        "UPDATE heading_state SET hard_x = NULL", "UPDATE heading_state SET hard_x = 'north'",
        "UPDATE heading_state SET soft_xx = -1", "UPDATE heading_state SET soft_xy = 9",
        "UPDATE heading_state SET gyro_sigma = -1", "UPDATE heading_state SET latency = 1e300",
        "UPDATE heading_state SET field = 1e9", "UPDATE heading_state SET cov_zz = -1",
        "UPDATE heading_state SET gyro_scale_x = 0.5", "UPDATE heading_state SET gyro_scale_sigma = 'small'",
        "UPDATE heading_state SET field_scale = 7", "UPDATE heading_state SET field_scale = 'ten'",
        "UPDATE heading_state SET mount_yy = NULL", "UPDATE heading_state SET mount_xx = 0, mount_xy = 0, mount_xz = 0",
    ])
    func aRowThatWasTamperedWithIsRefusedWithTheReason(sql: String) throws {
        try store().save(sample(), for: phone)
        try Database(path: file.path).run(sql)
        guard case .refused(let reason) = try store().load(for: phone) else {
            Issue.record("the row was used: \(sql)")
            return
        }
        #expect(reason.contains("af8133j"))
    }

    @Test(arguments: [1, 2, 3])
    func aFileOfAnEarlierVersionIsReadWithoutWhatItDidNotKnow(version: Int) throws {
        try store().save(sample(), for: phone)
        let database = try Database(path: file.path)
        let matrix = ["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"].map { "mount_" + $0 }
        let gyroscope = ["x", "y", "z", "sigma"].map { "gyro_scale_" + $0 }
        // Version 4 added the first, version 3 the second, version 2 the third.
        let added = [matrix, gyroscope, ["field_scale"]].prefix(4 - version)
        for column in added.joined() { try database.run("ALTER TABLE heading_state DROP COLUMN \(column)") }
        try database.run("PRAGMA user_version = \(version)")
        var expected = sample()
        expected.mountMatrix = nil
        if version < 3 { expected.gyroscope?.scale = nil }
        if version < 2 { expected.fieldScale = 1 }
        #expect(try store().load(for: phone) == .state(expected))
        try store().save(sample(), for: phone)
        #expect(try store().load(for: phone) == .state(sample()))
    }

    @Test func aNewerSchemaIsRefusedAndNotTouched() throws {
        try store().save(sample(), for: phone)
        try Database(path: file.path).run("PRAGMA user_version = 99")
        let before = try Data(contentsOf: file)
        #expect(throws: StorageFailure.self) { try store() }
        #expect(try Data(contentsOf: file) == before)
    }

    @Test(arguments: [Data("not a database, but long enough to be one, said the file".utf8), Data(count: 4096)])
    func aFileThatIsNoDatabaseIsRefusedAndNotTouched(content: Data) throws {
        try content.write(to: file)
        #expect(throws: StorageFailure.self) { try store() }
        #expect(try Data(contentsOf: file) == content)
    }

    @Test func aFolderThatIsNotThereIsSaid() throws {
        let failure = #expect(throws: StorageFailure.self) {
            try SQLiteStateStore(directory: folder.appendingPathComponent("absent").path)
        }
        #expect(failure?.description.contains("state directory") == true)
    }

    /// A journal that a killed writer left behind is rolled back: the row before the killed transaction is there.
    @Test func aWriteThatWasCutOffLeavesTheRowBefore() throws {
        try store().save(sample(), for: phone)
        let database = try Database(path: file.path)
        try database.run("BEGIN IMMEDIATE")
        try database.run("UPDATE heading_state SET hard_x = 1")
        // A copy of the folder in mid-transaction is what a kill would leave on disk.
        let copy = folder.appendingPathComponent("copy")
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: true)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where name.hasPrefix(SQLiteStateStore.fileName) {
            try FileManager.default.copyItem(
                at: folder.appendingPathComponent(name), to: copy.appendingPathComponent(name))
        }
        #expect(try SQLiteStateStore(directory: copy.path).load(for: phone) == .state(sample()))
    }
}
