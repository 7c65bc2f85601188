import Foundation
import TestSupport
import Testing

/// Buffers of several devices on one thread: what one of them does wrong is not to hold up the others.
@Suite("Buffers that are read together", .needsIIORig(), .needs(.fuse))
struct BufferReaderTests {
    /// Three devices with buffers that are fed; nodes and files can fail.
    private final class Bench {
        let rig: IIORig
        let faulty: FaultyFiles
        let probe: Probe
        private let feeds: [IIORigFeed]

        init() throws {
            func device(_ kind: String, _ name: String, _ scale: String) -> IIORigDevice {
                .threeAxis(
                    kind, name: name, scale: scale, type: "le:s16/16>>0",
                    attributes: ["in_magn_y_raw": "200", "in_magn_z_raw": "-400", "in_accel_z_raw": "981"].filter {
                        $0.key.hasPrefix("in_\(kind)")
                    })
            }
            rig = try IIORig(devices: [
                device("magn", "chip", "0.001"), device("accel", "tilt", "0.01"), device("anglvel", "gyro", "0.0001"),
            ])
            faulty = try FaultyFiles(rig)
            feeds = try [
                rig.feed(0, hertz: 50) { ["magn_x": Int64($0 % 7), "magn_y": 200, "magn_z": -400] },
                rig.feed(1, hertz: 50) { ["accel_x": Int64($0 % 7), "accel_y": 0, "accel_z": 981] },
                rig.feed(2, hertz: 50) { ["anglvel_x": Int64($0 % 7), "anglvel_y": 2, "anglvel_z": 0] },
            ]
            probe = try Probe(in: rig, view: faulty.view)
            try probe.ask("start 50")
            for kind in ["magn", "accel", "gyro"] { try probe.waitForMore(20, kind, seconds: 60) }
        }

        deinit { for feed in feeds { feed.stop() } }
    }

    /// How many fields each delivery had: between two lines that say that all was delivered.
    private static func bunches(_ lines: ArraySlice<String>) -> [Int] {
        lines.split(separator: "all").map { bunch in bunch.count { $0.hasPrefix("magn ") } }.filter { $0 > 0 }
    }

    @Test(
        "samples that nobody needs at once come together, none is lost or late by more than was allowed, and then one by one again"
    )
    func letWait() throws {
        let bench = try Bench()
        try bench.probe.ask("wait 55")
        let from = bench.probe.lines.count
        try bench.probe.waitForMore(100, "magn", seconds: 60)
        try bench.probe.ask("wait 0")
        let waited = bench.probe.lines[from...]
        // Three periods of 20 ms hold 55 ms; a busy machine makes less of one whose scan is late.
        let bunches = Self.bunches(waited)
        #expect(Double(bunches.reduce(0, +)) > 1.5 * Double(bunches.count), "\(bunches)")
        let times = waited.filter { $0.hasPrefix("magn ") }.compactMap { Int64($0.split(separator: " ")[1]) }
        let steps = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(steps.allSatisfy { $0 > 0 })
        let spent = try #require(times.last) - (try #require(times.first))
        // Fed at 50 Hz.
        #expect(Double(times.count - 1) > Double(spent) * 50e-6 * 0.9)
        let after = bench.probe.lines.count
        try bench.probe.waitForMore(50, "magn", seconds: 60)
        let single = Self.bunches(bench.probe.lines[after...])
        #expect(Double(single.reduce(0, +)) < 1.4 * Double(single.count), "\(single)")
    }

    @Test("a buffer that fails while its samples are let wait does not keep them, and what is switched off then is off")
    func failingWhileWaiting() throws {
        let bench = try Bench()
        try bench.probe.ask("wait 55")
        try bench.probe.waitForMore(20, "magn", seconds: 60)
        try bench.faulty.set("/dev/iio:device0", "read", "ENODEV")
        // Its values are read one by one then.
        try bench.probe.waitForMore(20, "magn", seconds: 60)
        try bench.probe.ask("stop")
        try bench.probe.wait("all to be switched off", seconds: 60) { _ in
            (0..<3).allSatisfy { bench.rig.get($0, "buffer/enable") == "0" }
        }
    }

    @Test("while a read of one does not return the others go on, can be switched off, and it comes back")
    func hang() throws {
        let bench = try Bench()
        let node = "/dev/iio:device2"
        try bench.faulty.set(node, "read", "hang")
        try bench.probe.waitForFinding("device-hangs", seconds: 60)
        try bench.probe.waitForMore(50, "magn", seconds: 60)
        try bench.probe.waitForMore(50, "accel", seconds: 60)
        // Told after 1.5 s; a device that others wait for would be silent for as long.
        let times = bench.probe.lines.samples("magn").map(\.time)
        let pauses = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(try #require(pauses.max()) < 1_500_000)
        #expect(!bench.probe.lines.contains { $0.hasPrefix("lost") })
        try bench.probe.ask("stop")
        try bench.probe.wait("the others to be switched off", seconds: 60) { _ in
            bench.rig.get(0, "buffer/enable") == "0" && bench.rig.get(1, "buffer/enable") == "0"
        }
        try bench.faulty.clear(node, "read")
        try bench.probe.wait("the last to be switched off", seconds: 60) { _ in
            bench.rig.get(2, "buffer/enable") == "0"
        }
        try bench.probe.ask("start 50")
        for kind in ["magn", "accel", "gyro"] { try bench.probe.waitForMore(20, kind, seconds: 60) }
    }

    @Test("one whose reads take 100 ms is left alone with them")
    func slow() throws {
        let bench = try Bench()
        try bench.faulty.set("/dev/iio:device2", "read", "delay 100")
        // Read together, none could deliver more often than ten times a second.
        let rate = try (0..<10).map { _ in
            let before = try #require(bench.probe.lines.samples("magn").last).time
            try bench.probe.waitForMore(40, "magn", seconds: 60)
            let after = try #require(bench.probe.lines.samples("magn").last).time
            return after - before
        }
        #expect(try #require(rate.min()) < 2_000_000, "40 samples take \(rate) µs")
        #expect(!bench.probe.lines.contains { $0.hasPrefix("lost") })
    }

    @Test("one that announces scans and has none is not asked without a pause")
    func barren() throws {
        let bench = try Bench()
        // EAGAIN
        try bench.faulty.set("/dev/iio:device2", "read", "errno 11")
        try bench.probe.waitForMore(20, "magn", seconds: 60)
        func cpu() throws -> Double {
            let tasks = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(bench.probe.processID)/task")
            return try tasks.reduce(0) {
                let line = try String(
                    contentsOfFile: "/proc/\(bench.probe.processID)/task/\($1)/schedstat", encoding: .utf8)
                return $0 + (Double(line.split(separator: " ")[0]) ?? 0) * 1e-9
            }
        }
        let before = (cpu: try cpu(), time: Date())
        try bench.probe.waitForMore(100, "magn", seconds: 60)
        let share = (try cpu() - before.cpu) / Date().timeIntervalSince(before.time)
        #expect(share < 0.3, "\(share) of a processor")
    }
}
