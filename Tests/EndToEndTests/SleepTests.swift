import Foundation
import TestSupport
import Testing

extension EndToEnd {
    @Suite(.needsIIORig())
    struct SleepTests {
        /// `LOCATEME_FULL=1` in the environment: as often as a laptop sleeps in a season.
        private static let cycles = ProcessInfo.processInfo.environment["LOCATEME_FULL"] == "1" ? 200 : 6

        private static func entries(_ folder: String) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: folder))?.count ?? 0
        }

        @Test func `Headings stop for each sleep with the buffers closed, and go on by themselves, without growth`()
            throws
        {
            let rig = try IIORig(devices: [
                .threeAxis("magn", name: "chip", scale: "0.000146000"),
                .threeAxis("accel", name: "tilt", scale: "0.000598"),
            ])
            let feeds = try [
                rig.feed(0, hertz: 100) { _ in ["magn_x": 0, "magn_y": 1370, "magn_z": -3014] },
                rig.feed(1, hertz: 100) { _ in ["accel_x": 0, "accel_y": 0, "accel_z": 16399] },
            ]
            defer { feeds.forEach { $0.stop() } }
            let bus = try PrivateBus()
            let login = try FakeLoginManager(bus)
            let daemon = try DaemonProcess(bus, ["--no-gpsd"], rig: rig)
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            // The device rests, so with the usual filter there is one heading after each start.
            try client.call(session, "org.locateme.Heading1", "Start")
            #expect(login.waitForLocks(1), "no lock although sensors are on")
            #expect(login.said.contains("inhibit sleep locateme delay"))
            var folders: [(descriptors: Int, threads: Int, kilobytes: Int)] = []
            let process = "/proc/\(daemon.process.processIdentifier)"
            var known = 0
            for cycle in 1...Self.cycles {
                _ = try client.wait("heading of cycle \(cycle)", seconds: 60) { signals in
                    signals.dropFirst(known).first { $0.member == "HeadingUpdated" }
                }
                folders.append(
                    (Self.entries("\(process)/fd"), Self.entries("\(process)/task"), daemon.residentKilobytes))
                known = try client.signals().count
                login.send("sleep")
                #expect(login.waitForLocks(0), "cycle \(cycle): sleep is held up")
                // The lock is given back when everything is off.
                #expect(rig.get(0, "buffer/enable") == "0" && rig.get(1, "buffer/enable") == "0")
                let lost = try client.wait("HeadingLost of cycle \(cycle)", seconds: 60) { signals in
                    signals.dropFirst(known).first { $0.member == "HeadingLost" }
                }
                #expect(lost.arguments.first as? String == "suspended")
                #expect(
                    try client.property("/org/locateme", "org.locateme.Status1", "MagneticHeading") as? Double == -1)
                known = try client.signals().lastIndex { $0.member == "HeadingLost" }.map { $0 + 1 } ?? known
                let late = try client.signals().dropFirst(known).filter { $0.member == "HeadingUpdated" }
                #expect(late.isEmpty, "a heading after it was lost")
                login.send("wake")
                #expect(login.waitForLocks(1), "cycle \(cycle): no new lock")
            }
            _ = try client.wait("last heading", seconds: 60) { signals in
                signals.dropFirst(known).first { $0.member == "HeadingUpdated" }
            }
            // The first two cycles may still fill caches. A thread may be about to end.
            let (early, late) = (folders[2], folders[folders.count - 1])
            #expect(late.descriptors <= early.descriptors + 2, "\(folders)")
            #expect(late.threads <= early.threads + 1, "\(folders)")
            #expect(late.kilobytes <= early.kilobytes + 512, "\(folders)")
            #expect(login.locksTaken == Self.cycles + 1)
            try client.call(session, "org.locateme.Heading1", "Stop")
            #expect(login.waitForLocks(0), "a lock although nothing is on")
            #expect(daemon.process.isRunning)
        }

        @Test func `Without a login manager it works and says so once, at info`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone().write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop"])
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            try client.call(session, "org.locateme.Heading1", "Start")
            _ = try client.wait("heading") { $0.first { $0.member == "HeadingUpdated" } }
            let lines = daemon.process.errorText.split(separator: "\n").filter { $0.contains("login manager") }
            #expect(lines.count == 1 && lines[0].hasPrefix("<6>"), "\(daemon.process.errorText)")
        }
    }
}
