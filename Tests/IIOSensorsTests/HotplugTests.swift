import Foundation
import TestSupport
import Testing

/// Devices that come, go and change their number, told by udev.
@Suite("Hot-plug", .needsIIORig(), .needs(.root), .needs(.program("nsenter")))
struct HotplugTests {
    private static func scan(_ number: Int) -> [String: Int64] { ["magn_x": 10, "magn_y": 200, "magn_z": -400] }

    @Test("a driver that is loaded late is found by the event alone, also while nothing is wanted")
    func lateDriver() throws {
        let rig = try IIORig(devices: [.magnetometer(type: nil), .accelerometer()])
        try rig.unplug(0)
        let probe = try Probe(in: rig, hearsEvents: true)
        try probe.ask("discover")
        try probe.wait("the first scan") { $0.contains("changed") }
        #expect(try probe.ask("identity").contains("identity none"))
        try rig.plug(0)
        try probe.tell("add", "iio:device0")
        let limit = Date().addingTimeInterval(30)
        while try !probe.ask("identity").contains("identity chip at /sys/devices/platform/rig") {
            try #require(Date() < limit, "the device is not found")
            usleep(20_000)
        }
        #expect(try probe.ask("sensors").contains { $0.contains("iio:device0/magn magnetometer true") })
    }

    @Test(
        "a device that comes back under another number goes on at once, with the identity that its calibration is kept by"
    )
    func renumbered() throws {
        let rig = try IIORig(devices: [.magnetometer(), .accelerometer()])
        let feed = try rig.feed(0, hertz: 100, values: Self.scan)
        let probe = try Probe(in: rig, hearsEvents: true)
        try probe.ask("start 100")
        try probe.waitForMore(10)
        let identity = try probe.ask("identity").filter { $0.hasPrefix("identity") }
        try rig.unplug(0)
        feed.stop()
        try probe.tell("remove", "iio:device0")
        try probe.wait("loss") { $0.contains { $0.hasPrefix("lost") } }
        // By then the pauses between tries without events would have grown to seconds.
        try probe.waitForFinding("no-magnetometer")
        #expect(try probe.ask("identity").contains("identity none"))
        try rig.plug(0, as: 3)
        let again = try rig.feed(0, hertz: 100, values: Self.scan)
        defer { again.stop() }
        try probe.tell("add", "iio:device3")
        try probe.waitForMore(10, seconds: 30)
        #expect(try probe.ask("identity").filter { $0.hasPrefix("identity") } == identity)
        #expect(try probe.ask("sensors").contains { $0.contains("iio:device3/magn magnetometer true true") })
        #expect(probe.lines.contains("restarted"))
        try probe.ask("stop")
        #expect(try probe.ask("off 5000").contains("off true"))
    }

    @Test("another device under the number of one that has gone is another device")
    func replaced() throws {
        let rig = try IIORig(devices: [.magnetometer(type: nil), .accelerometer()])
        let probe = try Probe(in: rig, hearsEvents: true)
        try probe.ask("start 50")
        try probe.waitForMore(3)
        try rig.set(0, "name", "other")
        try rig.set(0, "in_magn_x_raw", "55")
        try probe.tell("remove", "iio:device0")
        try probe.tell("add", "iio:device0")
        try probe.wait("the other's field", seconds: 30) { $0.samples("magn").last?.values[0] == 5.5 }
        // The old session reads the new field too, so the identity may follow later.
        let deadline = Date(timeIntervalSinceNow: 30)
        var isOther = false
        while !isOther, Date() < deadline {
            isOther = try probe.ask("identity").contains("identity other at /sys/devices/platform/rig")
        }
        #expect(isOther)
    }

    @Test("devices that come and go hundreds of times leave no memory, threads or descriptors behind")
    func endurance() throws {
        // The full count takes minutes: LOCATEME_ENDURANCE=1000.
        let wanted = ProcessInfo.processInfo.environment["LOCATEME_ENDURANCE"].flatMap { Int($0) }
        let cycles = wanted ?? 25
        let rig = try IIORig(devices: [.magnetometer(type: nil), .accelerometer()])
        let probe = try Probe(in: rig, hearsEvents: true, isQuiet: true)
        try probe.ask("start 50")
        try probe.wait("samples") { $0.contains("state iio-magn ok") }
        var before: (memory: Int, descriptors: Int)?
        for cycle in 0..<cycles {
            if cycle == min(10, cycles / 2) { before = try Self.use(of: probe) }
            let seen = probe.lines.count
            try rig.unplug(0)
            try probe.tell("remove", "iio:device0")
            try probe.wait("the loss", seconds: 30) { $0.dropFirst(seen).contains { $0.hasPrefix("lost") } }
            let lost = probe.lines.count
            try rig.plug(0)
            try probe.tell("add", "iio:device0")
            try probe.wait("the return", seconds: 30) { $0.dropFirst(lost).contains("restarted") }
        }
        let after = try Self.use(of: probe)
        let start = try #require(before)
        #expect(after.descriptors <= start.descriptors + 2)
        #expect(after.memory - start.memory < 2_000_000, "\(after.memory - start.memory) bytes more")
        try probe.wait("the end of old threads") { _ in Self.threads(of: probe) <= 3 }
    }

    private static func use(of probe: Probe) throws -> (memory: Int, descriptors: Int) {
        let process = "/proc/\(probe.processID)"
        let pages = try String(contentsOfFile: process + "/statm", encoding: .utf8).split(separator: " ")
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: process + "/fd").count
        return (Int(pages[1]).map { $0 * 4096 } ?? 0, descriptors)
    }

    private static func threads(of probe: Probe) -> Int {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(probe.processID)/task")) ?? []).count
    }
}
