import Foundation
import TestSupport
import Testing

/// Devices that fail, hang and vanish, on real libiio.
@Suite("Faults", .needsIIORig(), .needs(.program("strace")))
struct FaultTests {
    private static func scan(_ number: Int) -> [String: Int64] { ["magn_x": 10, "magn_y": 200, "magn_z": -400] }

    private func polledRig() throws -> IIORig { try IIORig(devices: [.magnetometer(type: nil), .accelerometer()]) }

    struct Broken: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var fault: IIORig.Fault
        var said: String
    }

    @Test(
        "an attribute that fails in mid-stream is told and lost; when it works again, so do headings",
        arguments: [
            Broken(testDescription: "EIO", fault: .inputOutputError, said: "Input/output error"),
            Broken(testDescription: "empty", fault: .empty, said: "Input/output error"),
            Broken(testDescription: "missing", fault: .missing, said: "gone"),
            Broken(testDescription: "garbage", fault: .text("banana"), said: "no number"),
            Broken(testDescription: "NaN", fault: .text("nan"), said: "no number"),
        ])
    func brokenAttribute(broken: Broken) throws {
        let rig = try polledRig()
        let probe = try Probe(in: rig)
        try probe.ask("start 50")
        try probe.waitForMore(5)
        try rig.breakAttribute(0, "in_magn_y_raw", broken.fault)
        try probe.wait("loss") { $0.contains { $0.hasPrefix("lost") && $0.contains(broken.said) } }
        #expect(try probe.ask("rate").contains("rate 0.0"))
        try probe.waitForFinding(broken.testDescription == "missing" ? "no-magnetometer" : "sensor-lost")
        try rig.set(0, "in_magn_y_raw", "77")
        try probe.wait("return") { lines in
            lines.contains("restarted") && lines.samples("magn").last?.values[1] == 7.7
        }
        #expect(try !probe.ask("findings").haveFinding("sensor-lost"))
        #expect(probe.lines.filter { $0.hasPrefix("lost") }.count == 1)
    }

    @Test("a read that never returns holds up neither the loop, nor other devices, nor a stop, nor the end")
    func hangingRead() throws {
        let rig = try polledRig()
        let probe = try Probe(
            in: rig, failing: IIORigInjection(0, "in_magn_z_raw", call: "read", delaySeconds: 600, when: "20+"))
        try probe.ask("start 50")
        try probe.waitForMore(5)
        try probe.wait("loss") { $0.contains { $0.hasPrefix("lost") && $0.contains("has not answered") } }
        #expect(try probe.ask("findings").haveFinding("device-hangs"))
        try probe.waitForMore(10, "accel")
        let asked = Date()
        try probe.ask("stop", seconds: 1)
        try probe.ask("rate", seconds: 1)
        #expect(Date().timeIntervalSince(asked) < 1)
        // A new start must not wait for the stuck thread either.
        try probe.ask("start 50", seconds: 1)
        try probe.waitForMore(5, "accel")
    }

    @Test("a program ends in time although a read hangs, and says that a device was not put back")
    func endDuringHang() throws {
        let rig = try polledRig()
        let probe = try Probe(in: rig)
        try probe.ask("start 50")
        try probe.waitForMore(5)
        try rig.breakAttribute(0, "in_magn_z_raw", .hang)
        try probe.wait("the hang") { lines in
            lines.samples("accel").last.map { $0.time > (lines.samples("magn").last?.time ?? 0) + 300_000 } ?? false
        }
        let asked = Date()
        #expect(try probe.quit(seconds: 3) == 4)
        #expect(Date().timeIntervalSince(asked) < 2)
        #expect(rig.get(1, "sampling_frequency") == "50")
    }

    @Test("a read that hangs and comes back is taken up again")
    func hangEnds() throws {
        let rig = try polledRig()
        let probe = try Probe(in: rig)
        try probe.ask("start 50")
        try probe.waitForMore(5)
        try rig.breakAttribute(0, "in_magn_z_raw", .hang)
        try probe.wait("loss") { $0.contains { $0.hasPrefix("lost") } }
        let pipe = rig.path(0, "in_magn_z_raw")
        let moved = pipe + ".old"
        try FileManager.default.moveItem(atPath: pipe, toPath: moved)
        try rig.set(0, "in_magn_z_raw", "-400")
        let writer = open(moved, O_WRONLY | O_NONBLOCK)
        #expect(writer >= 0)
        _ = write(writer, "-400\n", 5)
        close(writer)
        try probe.waitForMore(5)
        #expect(probe.lines.contains("restarted"))
    }

    @Test("an attribute that hangs when devices are looked for costs that device, not the others")
    func hangingDiscovery() throws {
        let rig = try IIORig(devices: [.accelerometer(), .magnetometer(type: nil), .accelerometer()])
        let probe = try Probe(
            in: rig, failing: IIORigInjection(0, "sampling_frequency_available", call: "read", delaySeconds: 600))
        try probe.ask("start 50")
        try probe.ask("rate", seconds: 1)
        try probe.waitForMore(5)
        try probe.waitForMore(5, "accel")
        let findings = try probe.ask("findings")
        #expect(
            findings.contains { $0.hasPrefix("finding device-hangs") && $0.contains("sampling_frequency_available") })
        #expect(try probe.ask("sensors").contains { $0.contains("iio:device2/accel accelerometer true") })
    }

    @Test("an attribute that hangs while the context is opened is told, and the loop goes on")
    func hangingContext() throws {
        let rig = try polledRig()
        let probe = try Probe(in: rig, failing: IIORigInjection(0, "name", call: "read", delaySeconds: 600))
        try probe.ask("start 50")
        try probe.ask("rate", seconds: 1)
        try probe.wait("loss") { $0.contains { $0.hasPrefix("lost") && $0.contains("does not return") } }
        #expect(try probe.ask("findings").haveFinding("device-hangs"))
        try probe.ask("stop", seconds: 1)
    }

    @Test("a device that another process holds for a while is told and waited for")
    func busyForAWhile() throws {
        let rig = try polledRig()
        let probe = try Probe(
            in: rig, failing: IIORigInjection(0, "in_magn_x_raw", call: "read", error: "EBUSY", when: "1..6"))
        try probe.ask("start 50")
        try probe.waitForMore(5)
        #expect(!probe.lines.contains { $0.hasPrefix("lost") })
        #expect(try !probe.ask("findings").haveFinding("device-busy"))
    }

    @Test("a device that stays busy is told as busy")
    func busy() throws {
        let rig = try polledRig()
        let probe = try Probe(in: rig, failing: IIORigInjection(0, "in_magn_x_raw", call: "read", error: "EBUSY"))
        try probe.ask("start 50")
        try probe.wait("loss") {
            $0.contains { $0.hasPrefix("lost") && $0.contains("another process holds the device") }
        }
        #expect(try probe.ask("findings").haveFinding("device-busy"))
        try probe.waitForMore(5, "accel")
    }

    @Test("a field out of range is a magnet, not a loss", arguments: ["EINVAL", "ERANGE"])
    func overflow(error: String) throws {
        let rig = try polledRig()
        let probe = try Probe(
            in: rig, failing: IIORigInjection(0, "in_magn_x_raw", call: "read", error: error, when: "10..60"))
        try probe.ask("start 50")
        try probe.waitForFinding("magn-overflow")
        try probe.waitForFinding("magn-overflow", isThere: false)
        try probe.waitForMore(5)
        #expect(!probe.lines.contains { $0.hasPrefix("lost") })
    }

    @Test("a buffer that may not be opened gives way to raw values, and the missing permission is told")
    func noPermission() throws {
        let rig = try IIORig(devices: [.magnetometer(), .accelerometer()])
        let probe = try Probe(in: rig, failing: IIORigInjection(0, "node", call: "openat", error: "EACCES"))
        try probe.ask("start 50")
        try probe.waitForMore(5)
        let findings = try probe.ask("findings")
        #expect(findings.haveFinding("no-permission") && findings.haveFinding("buffer-silent"))
    }

    @Test("a rate that may not be set is told with what stays in force")
    func rateRefused() throws {
        let rig = try polledRig()
        let probe = try Probe(
            in: rig, failing: IIORigInjection(0, "sampling_frequency", call: "openat", error: "EACCES", when: "2"))
        try probe.ask("start 100")
        try probe.waitForMore(5)
        try probe.waitForFinding("rate-not-set")
        #expect(rig.get(0, "sampling_frequency") == "50")
    }

    @Test("a buffer whose reads end with an error is lost and opened anew", arguments: ["ENODEV", "EIO"])
    func bufferError(error: String) throws {
        let rig = try IIORig(devices: [.magnetometer(), .accelerometer()])
        let feed = try rig.feed(0, hertz: 100, values: Self.scan)
        defer { feed.stop() }
        let probe = try Probe(in: rig, failing: IIORigInjection(0, "node", call: "read", error: error, when: "30"))
        try probe.ask("start 100")
        // The count starts anew with each thread, so there is a loss after every 29 scans.
        try probe.waitForMore(70)
        if error == "ENODEV" { #expect(probe.lines.contains { $0.hasPrefix("lost") && $0.contains("gone") }) }
    }

    @Test(
        "a device unplugged in mid-stream is lost with the reason, and used again when it is back",
        arguments: [true, false])
    func unplug(isBuffered: Bool) throws {
        let rig = try IIORig(devices: [.magnetometer(type: isBuffered ? "be:s16/16>>0" : nil), .accelerometer()])
        let feed = isBuffered ? try rig.feed(0, hertz: 100, values: Self.scan) : nil
        defer { feed?.stop() }
        let probe = try Probe(in: rig)
        try probe.ask("start 100")
        try probe.waitForMore(10)
        try rig.unplug(0)
        try probe.wait("loss") { $0.contains { $0.hasPrefix("lost") } }
        try probe.waitForFinding("no-magnetometer")
        #expect(try probe.ask("identity").contains("identity none"))
        try rig.plug(0)
        try probe.waitForMore(10, seconds: 30)
        #expect(probe.lines.contains("restarted"))
        #expect(try probe.ask("identity").contains("identity chip at /sys/devices/platform/rig"))
        #expect(try !probe.ask("findings").haveFinding("no-magnetometer"))
    }

    @Test("without any sensor the source says so and tries again without spinning")
    func noSensors() throws {
        let rig = try IIORig(devices: [])
        let probe = try Probe(in: rig)
        try probe.ask("start 50")
        try probe.wait("loss") { $0.contains { $0.hasPrefix("lost") } }
        #expect(try probe.ask("findings").contains { $0.hasPrefix("finding no-magnetometer error") })
        #expect(try probe.ask("rate").contains("rate 0.0"))
        // 0.5, 1, 2 … s between tries: at most four in the first three seconds.
        usleep(3_000_000)
        #expect(probe.lines.filter { $0 == "changed" }.count <= 5)
        try probe.ask("stop")
        let count = probe.lines.count
        usleep(1_000_000)
        #expect(probe.lines.count == count)
    }

    @Test("a kernel without IIO is told")
    func noIIO() throws {
        let rig = try IIORig(devices: [])
        try FileManager.default.removeItem(at: rig.root.appendingPathComponent("sys/bus"))
        let probe = try Probe(in: rig)
        try probe.ask("discover")
        try probe.wait("the scan's end") { $0.contains("changed") }
        let findings = try probe.ask("findings")
        #expect(findings.contains { $0.hasPrefix("finding no-") && $0.contains(" error ") })
    }

    @Test("contexts that cannot be are told", arguments: ["nonsense:", "ip:127.0.0.1:1", "usb:99.99.99", ""])
    func badContext(uri: String) throws {
        let probe = try Probe(contexts: [uri])
        try probe.ask("discover")
        try probe.wait("the scan's end", seconds: 20) { $0.contains("changed") }
        #expect(
            try probe.ask("findings").contains {
                $0.hasPrefix("finding context-unreachable error") && $0.contains("\(uri) cannot be opened")
            })
    }
}
