import Foundation
import TestSupport
import Testing

@testable import IIOSensors

@Suite("Settings that are put back")
struct LedgerTests {
    private let setting = DeviceSetting(
        uri: "local:", device: "iio:device0", name: "chip", attribute: "sampling_frequency")

    private func folder() throws -> String {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("ledger-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        return path
    }

    @Test("the first user leaves the value, the last one gets it back")
    func users() {
        let ledger = SettingsLedger()
        ledger.use(setting, current: "10")
        ledger.use(setting, current: "100")
        #expect(ledger.release(setting) == nil)
        #expect(ledger.release(setting) == "10")
        #expect(ledger.release(setting) == nil)
    }

    @Test("what was not put back is known to the next ledger of the same boot, and once put back is forgotten")
    func crash() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        do {
            let killed = SettingsLedger(directory: folder)
            killed.use(setting, current: "10")
        }
        do {
            let next = SettingsLedger(directory: folder)
            #expect(next.unrestored(in: "local:").map(\.setting) == [setting])
            #expect(next.unrestored(in: "ip:host").isEmpty)
            // In use again before it was repaired: the owner's value is still the first one.
            next.use(setting, current: "100")
            #expect(next.release(setting) == "10")
            next.restored(setting)
        }
        #expect(SettingsLedger(directory: folder).unrestored(in: "local:").isEmpty)
    }

    @Test("a second process leaves the first one's settings alone")
    func locked() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let first = SettingsLedger(directory: folder)
        first.use(setting, current: "10")
        let second = SettingsLedger(directory: folder)
        #expect(second.unrestored(in: "local:").isEmpty)
        second.use(setting, current: "100")
        #expect(second.release(setting) == "100")
        #expect(first.release(setting) == "10")
    }

    @Test(
        "a file of another boot or a damaged one is no ledger", arguments: ["boot 0\n", "booted 12\n", "", "x", "\n\n"])
    func stale(head: String) throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try (head + "local:\tiio:device0\tchip\tsampling_frequency\t10\n").write(
            toFile: folder + "/sensor-settings", atomically: true, encoding: .utf8)
        #expect(SettingsLedger(directory: folder).unrestored(in: "local:").isEmpty)
    }

    @Test("after kill -9 the next start puts rate, clock, trigger and buffer back", .needsIIORig())
    func killed() throws {
        let folder = try folder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let rig = try IIORig(
            devices: [.magnetometer().firing("hrtimer0"), .accelerometer()], triggers: ["hrtimer0@"])
        let feed = try rig.feed(0, hertz: 100) { _ in ["magn_x": 10, "magn_y": 200, "magn_z": -400] }
        defer { feed.stop() }
        let probe = try Probe(in: rig, stateDirectory: folder)
        try probe.ask("start 200")
        try probe.waitForMore(5)
        #expect(rig.get(0, "sampling_frequency") == "200")
        #expect(rig.get(0, "buffer/enable") == "1")
        kill(probe.processID, SIGKILL)
        let limit = Date().addingTimeInterval(30)
        while kill(probe.processID, 0) == 0 {
            try #require(Date() < limit, "the probe does not end")
            usleep(10_000)
        }
        #expect(rig.get(0, "buffer/enable") == "1")
        let next = try Probe(in: rig, stateDirectory: folder)
        try next.ask("discover")
        try next.wait("the repair") { _ in
            rig.get(0, "buffer/enable") == "0" && rig.triggerRate(0) == "100.000"
                && rig.get(0, "sampling_frequency") == "50" && rig.get(1, "sampling_frequency") == "50"
                && rig.get(0, "current_timestamp_clock") == "realtime" && rig.get(0, "trigger/current_trigger") == ""
                && !FileManager.default.fileExists(atPath: folder + "/sensor-settings")
        }
    }
}
