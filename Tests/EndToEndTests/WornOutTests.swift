import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// What happens to a service in the course of a year.
    struct WornOutTests {
        private static func devices(polled: Bool = false) -> [IIORigDevice] {
            let type = polled ? nil : "le:s16/16>>0"
            return [
                .threeAxis(
                    "magn", name: "chip", scale: "0.000146000", type: type,
                    attributes: ["in_magn_x_raw": "0", "in_magn_y_raw": "1370", "in_magn_z_raw": "-3014"]),
                .threeAxis(
                    "accel", name: "tilt", scale: "0.000598", type: type, attributes: ["in_accel_z_raw": "16399"]),
            ]
        }

        @Test(.needsIIORig())
        func `A stop while a device blocks in a read does not wait for it`() throws {
            let rig = try IIORig(devices: Self.devices(polled: true))
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(bus, ["--no-gpsd"], rig: rig)
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            try client.set(session, "org.locateme.Heading1", "HeadingFilter", "-1.0")
            try client.call(session, "org.locateme.Heading1", "Start")
            _ = try client.wait("heading") { $0.first { $0.member == "HeadingUpdated" } }
            try rig.breakAttribute(0, "in_magn_x_raw", .hang)
            _ = try client.wait("HeadingLost", seconds: 40) { $0.first { $0.member == "HeadingLost" } }
            let start = Date()
            daemon.process.signal(SIGTERM)
            // The read would block for ever: any end shows that it was not waited for.
            #expect(try daemon.process.waitForExit(seconds: 30) == 0)
            #expect(Date().timeIntervalSince(start) < 10)
        }

        @Test func `Of two that are started at once one serves, and the other ends with status 6 and says who`() throws
        {
            for _ in 0..<3 {
                let bus = try PrivateBus()
                let both = try [DaemonProcess.launch(bus, []), DaemonProcess.launch(bus, [])]
                let deadline = Date(timeIntervalSinceNow: 40)
                while both.allSatisfy(\.isRunning), Date() < deadline { usleep(20_000) }
                let loser = try #require(both.first { !$0.isRunning })
                let winner = try #require(both.first { $0.isRunning })
                #expect(try loser.waitForExit() == 6)
                #expect(loser.errorText.contains("process \(winner.processIdentifier)"), "\(loser.errorText)")
                let client = try OutsideClient(bus)
                #expect(try client.openSession().hasPrefix("/org/locateme/session/"))
            }
        }

        /// Says how far the clock of the device's stamps was set back.
        private final class SetBack: @unchecked Sendable {
            // Sound: touched with the lock held.
            private let lock = NSLock()
            private var nanoseconds: Int64 = 0
            var value: Int64 {
                get { lock.withLock { nanoseconds } }
                set { lock.withLock { nanoseconds = newValue } }
            }
            /// The real time as it is now shown, in ns.
            var now: Int64 {
                var time = timespec()
                clock_gettime(CLOCK_REALTIME, &time)
                return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec) - value
            }
        }

        @Test(.needsIIORig())
        func `A clock that is set back by an hour interrupts no heading`() throws {
            var devices = Self.devices()
            // A kernel that stamps with the real time and cannot be told otherwise.
            for index in devices.indices { devices[index].attributes["current_timestamp_clock"] = nil }
            let rig = try IIORig(devices: devices)
            let setBack = SetBack()
            let feeds = try [
                rig.feed(0, hertz: 100) { number in
                    ["magn_x": Int64(number % 3), "magn_y": 1370, "magn_z": -3014, "timestamp": setBack.now]
                },
                rig.feed(1, hertz: 100) { number in
                    ["accel_x": Int64(number % 3), "accel_y": 0, "accel_z": 16399, "timestamp": setBack.now]
                },
            ]
            defer { feeds.forEach { $0.stop() } }
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(bus, ["--no-gpsd"], rig: rig)
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            try client.set(session, "org.locateme.Heading1", "HeadingFilter", "-1.0")
            try client.call(session, "org.locateme.Heading1", "Start")
            _ = try client.wait("headings") { signals in
                signals.count { $0.member == "HeadingUpdated" } >= 20 ? true : nil
            }
            setBack.value = 3_600_000_000_000
            let before = try client.signals("HeadingUpdated").count
            _ = try client.wait("headings after the jump", seconds: 30) { signals in
                signals.count { $0.member == "HeadingUpdated" } >= before + 60 ? true : nil
            }
            #expect(try client.signals("HeadingLost").isEmpty)
            let times = try client.signals("HeadingUpdated").map {
                try HeadingValue($0.arguments.first).bootMicroseconds
            }
            #expect(zip(times, times.dropFirst()).allSatisfy { $0 <= $1 }, "times run backward")
            #expect(daemon.process.isRunning)
        }
    }
}
