import EventLoop
import Foundation
import LocateMeModel
import TestSupport
import Testing

extension SensorEndToEnd {
    @Suite(.needsIIORig(), .needs(.root), .needs(.program("nsenter")))
    struct PlugCycleTests {
        /// `LOCATEME_ENDURANCE=1000` in the environment: as often as a worn-out plug comes loose in a year.
        private static let cycles =
            ProcessInfo.processInfo.environment["LOCATEME_ENDURANCE"].flatMap { Int($0) } ?? 8

        private static func entries(_ folder: String) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: folder))?.count ?? 0
        }

        @Test func `A client that follows has headings after every time a device comes back, without growth`() throws {
            let rig = try IIORig(devices: [
                .threeAxis(
                    "magn", name: "chip", scale: "0.001", type: nil,
                    attributes: ["in_magn_y_raw": "200", "in_magn_z_raw": "-440"]),
                .threeAxis("accel", name: "tilt", scale: "0.01", type: nil, attributes: ["in_accel_z_raw": "981"]),
            ])
            let state = try calibratedState("chip")
            defer { try? FileManager.default.removeItem(at: state) }
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(
                bus, ["--state-dir", state.path, "--no-gpsd"], rig: rig, environment: ["IIO_NAMESPACE_NETWORK": "1"])
            let client = try HeadingFollower(bus)
            defer { client.close() }
            func tell(_ action: String) throws {
                let told = try Command.run(
                    Requirement.path(of: "nsenter") ?? "nsenter",
                    [
                        "-t", "\(daemon.process.processIdentifier)", "-n", "/usr/bin/python3",
                        Repository.file("Tests/Rigs/uevent.py").path, action, "iio:device0",
                    ])
                #expect(told.status == 0, "\(told.errors)")
            }
            func waitFor(_ what: String, _ holds: () throws -> Bool) throws {
                guard try client.wait(seconds: 60, until: holds) != nil else {
                    throw WaitFailure(description: "no \(what): \(daemon.process.errorText.suffix(1000))")
                }
            }
            try client.start()
            try waitFor("first heading") { client.updates > 0 }
            let process = "/proc/\(daemon.process.processIdentifier)"
            var early = (descriptors: 0, threads: 0, kilobytes: 0)
            for cycle in 1...Self.cycles {
                let losses = client.losses.count
                try rig.unplug(0)
                try tell("remove")
                try waitFor("HeadingLost of cycle \(cycle)") { client.losses.count > losses }
                let updates = client.updates
                let plugged = Clock.realMicroseconds()
                try rig.plug(0)
                try tell("add")
                try waitFor("heading of cycle \(cycle)") {
                    try client.updates > updates && client.status().time > plugged
                }
                #expect(try apart(client.status().degrees, 0) < 1)
                if cycle == min(20, Self.cycles / 2) {
                    early = (
                        Self.entries("\(process)/fd"), Self.entries("\(process)/task"), daemon.residentKilobytes
                    )
                }
            }
            let late = (
                descriptors: Self.entries("\(process)/fd"), threads: Self.entries("\(process)/task"),
                kilobytes: daemon.residentKilobytes
            )
            // A thread may be about to end.
            #expect(late.descriptors <= early.descriptors + 2, "\(early) \(late)")
            #expect(late.threads <= early.threads + 1, "\(early) \(late)")
            #expect(late.kilobytes <= early.kilobytes + 1024, "\(early) \(late)")
            if Self.cycles > 100 { print("\(Self.cycles) cycles: \(early), then \(late)") }
        }
    }
}
