import Foundation
import TestSupport
import Testing

/// Buffers, triggers, rates and clocks on real libiio.
@Suite("Capture", .needsIIORig(), .needs(.program("strace")))
struct CaptureTests {
    private static func scan(_ number: Int) -> [String: Int64] {
        ["magn_x": Int64(number % 1000), "magn_y": 200, "magn_z": -400]
    }

    @Test("the device's own trigger is set, data come through the buffer in boot time, and all is put back at the end")
    func ownTrigger() throws {
        let rig = try IIORig(
            devices: [.magnetometer().firing("chip-dev0"), .accelerometer()], triggers: ["other-dev1", "chip-dev0"])
        let feed = try rig.feed(0, hertz: 100, values: Self.scan)
        defer { feed.stop() }
        let probe = try Probe(in: rig)
        try probe.ask("start 90")
        try probe.waitForMore(30)
        #expect(rig.get(0, "trigger/current_trigger") == "chip-dev0")
        #expect(rig.get(0, "sampling_frequency") == "100")
        #expect(rig.get(0, "current_timestamp_clock") == "boottime")
        #expect(try probe.ask("rate").contains("rate 100.0"))
        let samples = probe.lines.samples("magn")
        #expect(samples.allSatisfy { $0.age >= 0 && $0.age < 1_000_000 && $0.values[1] == 20 })
        #expect(try probe.ask("sensors").contains { $0.contains("/magn magnetometer true true") })
        try probe.ask("stop")
        #expect(try probe.ask("off 2000").contains("off true"))
        #expect(try probe.ask("rate").contains("rate 0.0"))
        #expect(rig.get(0, "trigger/current_trigger") == "")
        #expect(rig.get(0, "sampling_frequency") == "50")
        #expect(rig.get(0, "current_timestamp_clock") == "realtime")
        #expect(rig.get(0, "buffer/enable") == "0")
        #expect(rig.get(1, "sampling_frequency") == "50")
    }

    @Test("a trigger that never fires gives way to a timer, which gets the rate and has it taken back")
    func deadTrigger() throws {
        let rig = try IIORig(
            devices: [.magnetometer().firing("hrtimer0"), .accelerometer()], triggers: ["chip-trigger", "hrtimer0@"])
        let feed = try rig.feed(0, hertz: 100, values: Self.scan)
        defer { feed.stop() }
        let probe = try Probe(in: rig)
        try probe.ask("start 25")
        try probe.waitForMore(10)
        #expect(rig.get(0, "trigger/current_trigger") == "hrtimer0")
        #expect(rig.triggerRate(1) == "25")
        #expect(try probe.ask("sensors").contains { $0.contains("[chip-trigger,hrtimer0]") })
        try probe.ask("stop")
        #expect(try probe.ask("off 2000").contains("off true"))
        #expect(rig.triggerRate(1) == "100.000")
        #expect(rig.get(0, "trigger/current_trigger") == "")
    }

    @Test("a buffer that nothing drives gives way to raw values, with a finding")
    func silentBuffer() throws {
        let rig = try IIORig(devices: [.magnetometer(), .accelerometer()], triggers: ["chip-dev0"])
        let probe = try Probe(in: rig)
        try probe.ask("start 50")
        try probe.waitForMore(5)
        let sample = try #require(probe.lines.samples("magn").last)
        #expect(sample.values == [1, 20, -40])
        #expect(try probe.ask("findings").haveFinding("buffer-silent"))
        #expect(try probe.ask("sensors").contains { $0.contains("/magn magnetometer true false") })
        #expect(rig.get(0, "buffer/enable") == "0")
    }

    @Test("a buffer that falls silent in mid-stream gives way to raw values")
    func buffersFallsSilent() throws {
        let rig = try IIORig(devices: [.magnetometer(), .accelerometer()])
        let feed = try rig.feed(0, hertz: 100) { $0 < 50 ? ["magn_x": 7, "magn_y": 8, "magn_z": 9] : nil }
        defer { feed.stop() }
        let probe = try Probe(in: rig)
        try probe.ask("start 100")
        try probe.wait("polled values", seconds: 20) { $0.samples("magn").contains { $0.values == [1, 20, -40] } }
        #expect(probe.lines.samples("magn").contains { abs($0.values[0] - 0.7) < 1e-9 })
        #expect(!probe.lines.contains { $0.hasPrefix("lost") })
        try probe.waitForFinding("buffer-silent")
        // A second of silence, then values are read; the rest is a busy machine's.
        let samples = probe.lines.samples("magn")
        let first = try #require(samples.firstIndex { $0.values == [1, 20, -40] })
        #expect(samples[first].time - samples[first - 1].time < 4_000_000)
    }

    @Test("a buffer that was silent is used again soon after it delivers, and is so again after the next silence")
    func bufferReturns() throws {
        let rig = try IIORig(devices: [.magnetometer(), .accelerometer()])
        let probe = try Probe(in: rig)
        try probe.ask("start 50")
        try probe.waitForFinding("buffer-silent", seconds: 30)
        for round in 0..<2 {
            let feed = try rig.feed(0, hertz: 50) { _ in ["magn_x": 7, "magn_y": 8, "magn_z": Int64(9 + round)] }
            try probe.wait("values of the buffer", seconds: 30) {
                $0.samples("magn").contains { abs($0.values[2] - 0.1 * Double(9 + round)) < 1e-9 }
            }
            try probe.waitForFinding("buffer-silent", isThere: false, seconds: 30)
            feed.stop()
            try probe.waitForFinding("buffer-silent", seconds: 30)
            try probe.waitForMore(3, seconds: 30)
        }
        #expect(!probe.lines.contains { $0.hasPrefix("lost") })
    }

    @Test("the rate changes while the sensors run")
    func rateChange() throws {
        let rig = try IIORig(devices: [.magnetometer(), .accelerometer()])
        let feed = try rig.feed(0, hertz: 100, values: Self.scan)
        defer { feed.stop() }
        let probe = try Probe(in: rig)
        try probe.ask("start 20")
        try probe.waitForMore(10)
        #expect(rig.get(0, "sampling_frequency") == "25")
        try probe.ask("start 150")
        try probe.wait("the new rate") { _ in
            rig.get(0, "sampling_frequency") == "200" && rig.get(1, "sampling_frequency") == "200"
        }
        try probe.waitForMore(10)
        #expect(try probe.ask("rate").contains("rate 200.0"))
        try probe.ask("stop")
        #expect(try probe.ask("off 2000").contains("off true"))
        #expect(rig.get(0, "sampling_frequency") == "50")
    }

    @Test("stop and start in one breath leave the sensors running")
    func restart() throws {
        let rig = try IIORig(devices: [.magnetometer(), .accelerometer()])
        let feed = try rig.feed(0, hertz: 100, values: Self.scan)
        defer { feed.stop() }
        let probe = try Probe(in: rig)
        for _ in 0..<5 {
            try probe.ask("start 100")
            try probe.waitForMore(3)
            try probe.send("stop")
            try probe.ask("start 50")
            try probe.waitForMore(3)
            try probe.ask("stop")
        }
        #expect(try probe.ask("off 2000").contains("off true"))
        #expect(rig.get(0, "sampling_frequency") == "50")
        #expect(rig.get(0, "buffer/enable") == "0")
    }

    @Test(
        "stamps of other clocks come out as boot time",
        arguments: ["realtime", "monotonic"])
    func otherClocks(clock: String) throws {
        // The first write of the clock (boottime) is refused; for realtime the second (monotonic) as well.
        let refused = clock == "realtime" ? "1..2" : "1"
        let rig = try IIORig(devices: [.magnetometer(), .accelerometer()])
        let feed = try rig.feed(0, hertz: 100, values: Self.scan)
        defer { feed.stop() }
        let probe = try Probe(
            in: rig,
            failing: IIORigInjection(0, "current_timestamp_clock", call: "write", error: "EINVAL", when: refused))
        try probe.ask("start 50")
        try probe.waitForMore(10)
        // A refused write leaves the rig's file empty, where a driver would keep its clock; the feed then stamps realtime.
        #expect(rig.get(0, "current_timestamp_clock") == (clock == "realtime" ? "" : clock))
        #expect(probe.lines.samples("magn").allSatisfy { $0.age >= 0 && $0.age < 1_000_000 })
    }

    @Test("one chip with all three sensors is read through one buffer")
    func nineAxes() throws {
        var channels: [IIORigDevice.Channel] = []
        var attributes = [
            "in_accel_scale": "0.000598", "in_anglvel_scale": "0.001064724", "in_magn_x_scale": "0.001500",
            "in_magn_y_scale": "0.001400", "in_magn_z_scale": "0.001300", "sampling_frequency": "50",
            "sampling_frequency_available": "10 20 50 100 200 500", "current_timestamp_clock": "realtime",
        ]
        for kind in ["accel", "anglvel", "magn"] {
            for axis in "xyz" {
                channels.append(.init("\(kind)_\(axis)", "be:s16/16>>0", index: channels.count))
                attributes["in_\(kind)_\(axis)_raw"] = "0"
            }
        }
        channels.append(.init("timestamp", "le:s64/64>>0", index: channels.count))
        let rig = try IIORig(
            devices: [IIORigDevice(name: "mpu9250", attributes: attributes, channels: channels)],
            triggers: ["mpu9250-dev0"])
        let feed = try rig.feed(0, hertz: 100) { _ in
            [
                "accel_x": 1, "accel_y": -2, "accel_z": 16399, "anglvel_x": 1, "anglvel_y": -1000, "anglvel_z": 0,
                "magn_x": 100, "magn_y": 100, "magn_z": -100,
            ]
        }
        defer { feed.stop() }
        let probe = try Probe(in: rig)
        try probe.ask("start 100")
        try probe.waitForMore(20)
        let lines = probe.lines
        let magn = try #require(lines.samples("magn").last).values
        let accel = try #require(lines.samples("accel").last).values
        let gyro = try #require(lines.samples("gyro").last).values
        for (value, expected) in zip(
            magn + accel + gyro, [15, 14, -13, 0.000598, -0.001196, 9.806602, 0.001064724, -1.064724, 0])
        {
            #expect(abs(value - expected) < 1e-9)
        }
        // One scan gives one sample of each, with one time.
        // (The last scan's lines may not all be there yet.)
        #expect(lines.samples("magn").prefix(15).map(\.time) == lines.samples("gyro").prefix(15).map(\.time))
    }

    @Test("a hub without an accelerometer gives its own heading, in tenths and with undefined upper bits")
    func hubHeading() throws {
        let values: [Int64] = [2716, 2719, -12, 2731]
        let device = IIORigDevice(
            name: "magn_3d",
            attributes: [
                "in_rot_from_north_magnetic_tilt_comp_raw": "2716", "in_rot_scale": "0.000001", "in_rot_offset": "0",
                "in_rot_sampling_frequency": "10",
            ],
            channels: [.init("rot_from_north_magnetic_tilt_comp", "le:s16/32>>0", index: 0)], trigger: "magn_3d-dev0")
        let rig = try IIORig(devices: [device], triggers: ["magn_3d-dev0"])
        let feed = try rig.feed(0, hertz: 50) { ["rot_from_north_magnetic_tilt_comp": values[$0 % 4]] }
        defer { feed.stop() }
        let probe = try Probe(in: rig)
        try probe.ask("start 20")
        try probe.waitForMore(20, "hub")
        let degrees = Set(probe.lines.samples("hub").map { ($0.values[0] * 1000).rounded() / 1000 })
        #expect(degrees == [271.6, 271.9, 273.1])
        #expect(probe.lines.haveState("iio-rot", "ok"))
        let findings = try probe.ask("findings")
        #expect(findings.haveFinding("hub-heading-tenths") && findings.haveFinding("hub-heading-scale-absurd"))
        #expect(rig.get(0, "in_rot_sampling_frequency") == "20")
    }

    @Test("when nothing is wanted there are no threads, and the loop sleeps")
    func idle() throws {
        let rig = try IIORig(devices: [.magnetometer(), .accelerometer()])
        let feed = try rig.feed(0, hertz: 100, values: Self.scan)
        defer { feed.stop() }
        let probe = try Probe(in: rig)
        try probe.ask("start 100")
        try probe.waitForMore(5)
        #expect(Set(threads(probe)) == ["iio-chip\n", "iio-accel\n", "iio-buffers\n"])
        try probe.ask("stop")
        #expect(try probe.ask("off 2000").contains("off true"))
        try probe.wait("the end of the threads") { _ in threads(probe).isEmpty }
        // The absence of wake-ups can only be seen over a while; the first while may hold the end of the last answer.
        let windows = try (0..<3).map { _ in
            let before = try switches(probe)
            usleep(1_200_000)
            return try switches(probe) == before
        }
        #expect(windows.contains(true))
    }

    /// Names of the threads that the source has started.
    private func threads(_ probe: Probe) -> [String] {
        let tasks = "/proc/\(probe.processID)/task"
        let numbers = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return numbers.compactMap { try? String(contentsOfFile: "\(tasks)/\($0)/comm", encoding: .utf8) }
            .filter { $0.hasPrefix("iio-") && !$0.hasPrefix("iio-probe") }
    }

    private func switches(_ probe: Probe) throws -> Substring? {
        let status = try String(contentsOfFile: "/proc/\(probe.processID)/status", encoding: .utf8)
        return status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches") }
    }
}
