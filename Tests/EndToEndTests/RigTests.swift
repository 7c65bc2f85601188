import Foundation
import Geometry
import LocateMeModel
import Storage
import TestSupport
import Testing

extension SensorEndToEnd {
    @Suite(.needsIIORig())
    struct RigTests {
        /// Device axes x, y, z in the earth frame (east, north, up) at heading 0, for six attitudes. The heading is that
        /// of the top edge (+y), and where that points up or down, of the back (−z): 0 for all of them.
        private static let attitudes: [(name: String, axes: Matrix3)] = [
            ("face up", Matrix3(Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))),
            ("face down", Matrix3(Vector3(-1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, -1))),
            ("upright", Matrix3(Vector3(1, 0, 0), Vector3(0, 0, 1), Vector3(0, -1, 0))),
            ("upside down", Matrix3(Vector3(-1, 0, 0), Vector3(0, 0, -1), Vector3(0, -1, 0))),
            ("left edge up", Matrix3(Vector3(0, 0, -1), Vector3(0, 1, 0), Vector3(1, 0, 0))),
            ("tilted", Matrix3(Vector3(1, 0, 0), Vector3(0, 0.8, 0.6), Vector3(0, -0.6, 0.8))),
        ]

        private struct Pose: Sendable {
            var name: String
            var heading: Double
            var field: Vector3
            var force: Vector3
        }

        private static let poses: [Pose] = attitudes.flatMap { attitude in
            (0..<8).map { step in
                let heading = Double(step) * 45 + 3
                let angle = heading * .pi / 180
                // Seen from a device that has turned clockwise, the earth has turned the other way.
                let turn = Matrix3(
                    Vector3(cos(angle), -sin(angle), 0), Vector3(sin(angle), cos(angle), 0), Vector3(0, 0, 1))
                let toDevice = attitude.axes * turn
                return Pose(
                    name: attitude.name, heading: heading, field: toDevice * Vector3(0, 20, -44),
                    force: toDevice * Vector3(0, 0, 9.80665))
            }
        }

        /// How the magnetometer tells its values. Gauss per count as text.
        private struct Format: Sendable {
            var spelling: String
            var type: String?
            var order = "xyz"
            var scale: String
        }

        private static let formats = [
            Format(spelling: "mount_matrix", type: "be:s16/16>>0", order: "xzy", scale: "0.000146000"),
            Format(spelling: "in_mount_matrix", type: "le:s14/16>>2", order: "zyx", scale: "0.000100000"),
            Format(spelling: "in_magn_mount_matrix", type: "be:s24/32>>8", order: "xzy", scale: "0.000013300"),
            Format(spelling: "in_mount_matrix", type: nil, scale: "0.000146000"),
        ]

        /// The pose that the fake devices are in.
        private final class Present: @unchecked Sendable {
            // Sound: touched with the lock held.
            private let lock = NSLock()
            private var number = 0
            var pose: Pose { lock.withLock { RigTests.poses[number] } }
            func take(_ number: Int) { lock.withLock { self.number = number } }
        }

        @Test func `A field of known heading comes out within a tenth of a degree in 48 poses and every format`() throws
        {
            let lock = NSLock()
            nonisolated(unsafe) var failures: [String] = []
            // Sound: `failures` is touched with the lock held, and read after all have ended.
            DispatchQueue.concurrentPerform(iterations: Self.formats.count) { index in
                let found: [String]
                do {
                    found = try Self.failures(Self.formats[index])
                } catch {
                    found = ["\(Self.formats[index]): \(error)"]
                }
                lock.withLock { failures += found }
            }
            #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
        }

        private static func failures(_ format: Format) throws -> [String] {
            let matrixText =
                "0, 1, 0; -0.984807753012208, 0, 0.173648177666930; 0.173648177666930, 0, 0.984807753012208"
            let matrix = try #require(MountMatrix(kernelText: matrixText)?.matrix)
            let scale = try #require(Double(format.scale)) * 100
            let forceScale = 0.000598
            let present = Present()
            let rig = try IIORig(devices: [
                .threeAxis(
                    "magn", name: "chip", scale: format.scale, type: format.type, order: format.order,
                    attributes: [format.spelling: matrixText]),
                .threeAxis("accel", name: "tilt", scale: "0.000598", type: "le:s16/16>>0"),
            ])
            @Sendable func counts(_ kind: String, _ vector: Vector3, _ scale: Double) -> [String: Int64] {
                var scan: [String: Int64] = [:]
                for (axis, name) in "xyz".enumerated() {
                    scan["\(kind)_\(name)"] = Int64((vector[axis] / scale).rounded())
                }
                return scan
            }
            var feeds: [IIORigFeed] = []
            if format.type != nil {
                feeds.append(
                    try rig.feed(0, hertz: 100) { _ in counts("magn", matrix.transposed * present.pose.field, scale) })
            }
            feeds.append(try rig.feed(1, hertz: 100) { _ in counts("accel", present.pose.force, forceScale) })
            let state = try calibratedState("chip")
            defer {
                feeds.forEach { $0.stop() }
                try? FileManager.default.removeItem(at: state)
            }
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(bus, ["--state-dir", state.path, "--no-gpsd"], rig: rig)
            let client = try OutsideClient(bus)
            var failures: [String] = []
            for number in poses.indices {
                present.take(number)
                let pose = poses[number]
                if format.type == nil {
                    for (name, value) in counts("magn", matrix.transposed * pose.field, scale) {
                        try rig.set(0, "in_\(name)_raw", "\(value)")
                    }
                }
                // Answers may be made from scans of the pose before that were still on their way, or from a device that
                // is just being switched on: the heading must be right in the end, and soon. A session of its own for
                // each question, since a session remembers which axis its last heading was of.
                let deadline = Date(timeIntervalSinceNow: 50)
                var answer = "no answer"
                var isRight = false
                repeat {
                    let session = try client.openSession()
                    do {
                        let reply = try client.call(session, "org.locateme.Heading1", "GetHeading", "(u)", "(0,)")
                        let heading = try HeadingValue(reply.first)
                        answer = "\(heading.magnetic)"
                        isRight = apart(heading.magnetic, pose.heading) <= 0.1
                    } catch let refusal as OutsideClient.Refusal {
                        answer = "\(refusal)"
                    }
                    try client.call(session, "org.locateme.Session1", "Close")
                } while !isRight && Date() < deadline
                if !isRight {
                    failures.append(
                        "\(format.spelling) \(format.type ?? "polled") \(pose.name): \(answer) for \(pose.heading)")
                }
            }
            if !daemon.process.isRunning { failures.append("locatemed has ended: \(daemon.process.errorText)") }
            return failures
        }

        @Test func `A device that is unplugged in mid-stream is told, and headings go on when it is back`() throws {
            let present = Present()
            let rig = try IIORig(devices: [
                .threeAxis("magn", name: "chip", scale: "0.000146000"),
                .threeAxis("accel", name: "tilt", scale: "0.000598"),
            ])
            let feeds = try [
                rig.feed(0, hertz: 100) { _ in
                    let field = present.pose.field
                    return [
                        "magn_x": Int64(field.x / 0.0146), "magn_y": Int64(field.y / 0.0146),
                        "magn_z": Int64(field.z / 0.0146),
                    ]
                },
                rig.feed(1, hertz: 100) { _ in ["accel_x": 0, "accel_y": 0, "accel_z": 16399] },
            ]
            let state = try calibratedState("chip")
            defer {
                feeds.forEach { $0.stop() }
                try? FileManager.default.removeItem(at: state)
            }
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(bus, ["--state-dir", state.path, "--no-gpsd"], rig: rig)
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            try client.set(session, "org.locateme.Heading1", "HeadingFilter", "-1.0")
            try client.call(session, "org.locateme.Heading1", "Start")
            func valid(_ signal: OutsideClient.Signal) throws -> Bool {
                try signal.member == "HeadingUpdated" && HeadingValue(signal.arguments.first).accuracy >= 0
            }
            _ = try client.wait("heading") { try $0.first(where: valid) }
            try rig.unplug(0)
            feeds[0].stop()
            let unplugged = Date()
            let lost = try client.wait("HeadingLost") { $0.first { $0.member == "HeadingLost" } }
            #expect(Date().timeIntervalSince(unplugged) < 3)
            #expect((lost.arguments.first as? String)?.isEmpty == false)
            #expect(try client.property("/org/locateme", "org.locateme.Status1", "MagneticHeading") as? Double == -1)
            try rig.plug(0)
            let again = try rig.feed(0, hertz: 100) { _ in ["magn_x": 0, "magn_y": 1370, "magn_z": -3014] }
            defer { again.stop() }
            _ = try client.wait("heading after the loss", seconds: 60) { signals in
                try signals.last { try valid($0) && $0.bootMicroseconds > lost.bootMicroseconds }
            }
            #expect(daemon.process.isRunning)
        }

        @Test(.needs(.root), .needs(.program("nsenter")))
        func `A device that comes back under another number goes on without a new start, with its calibration`() throws
        {
            let rig = try IIORig(devices: [
                .threeAxis("magn", name: "chip", scale: "0.000146000"),
                .threeAxis("accel", name: "tilt", scale: "0.000598"),
            ])
            @Sendable func north(_ number: Int) -> [String: Int64] { ["magn_x": 0, "magn_y": 1370, "magn_z": -3014] }
            let feed = try rig.feed(0, hertz: 50, values: north)
            let other = try rig.feed(1, hertz: 50) { _ in ["accel_x": 0, "accel_y": 0, "accel_z": 16399] }
            let state = try calibratedState("chip")
            defer {
                feed.stop()
                other.stop()
                try? FileManager.default.removeItem(at: state)
            }
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(
                bus, ["--state-dir", state.path, "--no-gpsd"], rig: rig, environment: ["IIO_NAMESPACE_NETWORK": "1"])
            func tell(_ action: String, _ device: String) throws {
                let told = try Command.run(
                    Requirement.path(of: "nsenter") ?? "nsenter",
                    [
                        "-t", "\(daemon.process.processIdentifier)", "-n", "/usr/bin/python3",
                        Repository.file("Tests/Rigs/uevent.py").path, action, device,
                    ])
                #expect(told.status == 0, "\(told.errors)")
            }
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            try client.set(session, "org.locateme.Heading1", "HeadingFilter", "-1.0")
            try client.call(session, "org.locateme.Heading1", "Start")
            func valid(_ signal: OutsideClient.Signal) throws -> Bool {
                try signal.member == "HeadingUpdated" && HeadingValue(signal.arguments.first).accuracy >= 0
            }
            _ = try client.wait("heading", seconds: 60) { try $0.first(where: valid) }
            try rig.unplug(0)
            feed.stop()
            try tell("remove", "iio:device0")
            let lost = try client.wait("HeadingLost", seconds: 60) { $0.first { $0.member == "HeadingLost" } }
            let limit = Date(timeIntervalSinceNow: 60)
            while try client.property("/org/locateme", "org.locateme.Manager1", "HeadingAvailable") as? Bool != false {
                try #require(Date() < limit, "HeadingAvailable stays true")
            }
            try rig.plug(0, as: 3)
            let again = try rig.feed(0, hertz: 50, values: north)
            defer { again.stop() }
            try tell("add", "iio:device3")
            // Valid at once and without a turn of the device: by the calibration that was stored.
            let back = try client.wait("heading after the loss", seconds: 60) { signals in
                try signals.last { try valid($0) && $0.bootMicroseconds > lost.bootMicroseconds }
            }
            #expect(apart(try HeadingValue(back.arguments.first).magnetic, 0) < 1)
            #expect(daemon.process.isRunning)
        }

        @Test(arguments: [
            ("in_magn_x_raw", IIORig.Fault.inputOutputError), ("in_magn_x_raw", .text("garbage")),
            ("in_magn_x_raw", .empty), ("in_magn_x_raw", .missing), ("in_magn_scale", .text("nan")),
            ("name", .text("")), ("sampling_frequency_available", .text("\u{1}\u{2}")),
        ])
        func `A broken attribute neither stops the service nor makes a heading up`(
            attribute: String, fault: IIORig.Fault
        ) throws {
            let rig = try IIORig(devices: [
                .threeAxis(
                    "magn", name: "chip", scale: "0.000146000", type: nil,
                    attributes: ["in_magn_x_raw": "0", "in_magn_y_raw": "1370", "in_magn_z_raw": "-3014"]),
                .threeAxis(
                    "accel", name: "tilt", scale: "0.000598", type: nil, attributes: ["in_accel_z_raw": "16399"]),
            ])
            try rig.breakAttribute(0, attribute, fault)
            let bus = try PrivateBus()
            let state = try calibratedState("chip")
            defer { try? FileManager.default.removeItem(at: state) }
            let daemon = try DaemonProcess(
                bus, ["--no-gpsd", "--state-dir", state.path, "--log-level", "debug"], rig: rig)
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            // Rates that cannot be read do no harm. Without a name the device is another one than that whose calibration is
            // stored, so its heading cannot be trusted.
            let isHarmless = attribute == "sampling_frequency_available"
            let start = Date()
            do {
                let reply = try client.call(session, "org.locateme.Heading1", "GetHeading", "(u)", "(0,)")
                let heading = try HeadingValue(reply.first)
                #expect(isHarmless && apart(heading.magnetic, 0) < 0.5, "\(heading)")
            } catch let refusal as OutsideClient.Refusal {
                #expect(refusal.name == "org.locateme.Error.HeadingFailure")
                #expect(refusal.text.count > 20, "\(refusal.text)")
                #expect(!isHarmless, "\(refusal)")
                if attribute != "name" { #expect(Date().timeIntervalSince(start) < 10, "\(refusal)") }
                let findings = try client.call("/org/locateme/compass", "org.locateme.Compass1", "Diagnose")
                #expect(String(describing: findings).contains("Severity"), "nothing is diagnosed")
            }
            // It still answers, and it has not burnt the processor meanwhile.
            #expect(try client.openSession().hasPrefix("/org/locateme/session/"))
            #expect(daemon.process.isRunning)
            #expect(daemon.cpuSeconds < 3)
        }

        /// heading-frozen-as-good (organicmaps/organicmaps#13337, wikimedia/wikipedia-ios#525): the last heading shown for ever.
        @Test func `heading-frozen-as-good: once reads fail, the heading is lost with a reason and stays lost`() throws
        {
            let rig = try IIORig(devices: [
                .threeAxis(
                    "magn", name: "chip", scale: "0.000146000", type: nil,
                    attributes: ["in_magn_x_raw": "0", "in_magn_y_raw": "1370", "in_magn_z_raw": "-3014"]),
                .threeAxis(
                    "accel", name: "tilt", scale: "0.000598", type: nil, attributes: ["in_accel_z_raw": "16399"]),
            ])
            let bus = try PrivateBus()
            let state = try calibratedState("chip")
            defer { try? FileManager.default.removeItem(at: state) }
            let daemon = try DaemonProcess(bus, ["--no-gpsd", "--state-dir", state.path], rig: rig)
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            try client.set(session, "org.locateme.Heading1", "HeadingFilter", "-1.0")
            try client.call(session, "org.locateme.Heading1", "Start")
            let last = try client.wait("heading", seconds: 60) { signals in
                try signals.last {
                    try $0.member == "HeadingUpdated" && HeadingValue($0.arguments.first).accuracy >= 0
                }
            }
            #expect(apart(try HeadingValue(last.arguments.first).magnetic, 0) < 0.5)
            try rig.breakAttribute(0, "in_magn_x_raw", .inputOutputError)
            let lost = try client.wait("HeadingLost", seconds: 60) { $0.first { $0.member == "HeadingLost" } }
            #expect((lost.arguments.first as? String)?.isEmpty == false)
            // 2 s are the aim; what a busy machine adds is not the program's fault.
            #expect(lost.bootMicroseconds - last.bootMicroseconds < 20_000_000)
            #expect(try client.property("/org/locateme", "org.locateme.Status1", "MagneticHeading") as? Double == -1)
            // This waits for a heading as long as it may.
            let other = try client.openSession()
            let refused = try #require(
                try client.refusal(other, "org.locateme.Heading1", "GetHeading", "(u)", "(0,)"),
                "a heading although no sample comes")
            #expect(refused.name == "org.locateme.Error.HeadingFailure" && !refused.text.isEmpty)
            #expect(try client.property("/org/locateme", "org.locateme.Status1", "MagneticHeading") as? Double == -1)
            // And it comes back when the reads do.
            try rig.set(0, "in_magn_x_raw", "0")
            _ = try client.wait("heading after the loss", seconds: 60) { signals in
                try signals.last {
                    try $0.member == "HeadingUpdated" && $0.bootMicroseconds > lost.bootMicroseconds
                        && HeadingValue($0.arguments.first).accuracy >= 0
                }
            }
            #expect(daemon.process.isRunning)
        }
    }
}

/// A state directory with a calibration of a rig's device that says: nothing to correct.
func calibratedState(_ device: String) throws -> URL {
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    var state = StoredHeadingState()
    state.magnetometer = StoredHeadingState.Magnetometer(softIron: .identity, hardIron: .zero, hardIronSigma: 0.5)
    try SQLiteStateStore(directory: directory.path).save(
        state, for: DeviceIdentity(busPath: "/sys/devices/platform/rig", name: device, location: ""))
    return directory
}
