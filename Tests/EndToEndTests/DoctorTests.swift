import Foundation
import Geometry
import LocateMeModel
import Storage
import TestSupport
import Testing

/// `headingctl doctor` and `headingctl mount` beside the running service, on devices that are moved as a hand would.
extension SensorEndToEnd {
    @Suite(.needsIIORig())
    struct DoctorTests {
        /// Near Zürich in 2026 (World Magnetic Model 2025): µT horizontal and down, so a dip of 64°.
        private static let place = "47.38,8.54,408"
        private static let earth = Vector3(0, 21.4, -43.6)

        /// The rotation of a device that is turned through all directions, from the earth's axes to its own.
        private static func tumble(_ seconds: Double) -> Matrix3 {
            let (a, b, c) = (0.9 * seconds, 1.3 * seconds, 0.7 * seconds)
            let about1 = Matrix3(Vector3(1, 0, 0), Vector3(0, cos(a), sin(a)), Vector3(0, -sin(a), cos(a)))
            let about2 = Matrix3(Vector3(cos(b), 0, -sin(b)), Vector3(0, 1, 0), Vector3(sin(b), 0, cos(b)))
            let about3 = Matrix3(Vector3(cos(c), sin(c), 0), Vector3(-sin(c), cos(c), 0), Vector3(0, 0, 1))
            return about1 * about2 * about3
        }

        /// What is wrong, how the rig shows it, and what is to be found.
        private struct Case: Sendable {
            var code: String
            /// A part of what to do about it.
            var remedy: String
            /// What must not be found beside it; of the codes about the field and its calibration.
            var not: Set<String> = []
            /// What the chips deliver for what is there.
            var magnetometer = Matrix3.identity
            var accelerometer = Matrix3.identity
            var attributes: [String: String] = [:]
            var isTurned = true
            var field = DoctorTests.earth
            /// The device's own field, which turns with it, in µT.
            var iron = Vector3.zero
            var hertz = 50.0
            var injection: IIORigInjection?
            var stored: StoredHeadingState?
        }

        private static let cases: [Case] = {
            let quarter = Matrix3(Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))
            var old = StoredHeadingState()
            old.magnetometer = .init(softIron: .identity, hardIron: .zero, hardIronSigma: 0.5)
            old.source = "guided"
            old.createdRealMicroseconds = Int64((Date().timeIntervalSince1970 - 400 * 86_400) * 1e6)
            var fresh = old
            fresh.createdRealMicroseconds = Int64((Date().timeIntervalSince1970 - 86_400) * 1e6)
            // As a loudspeaker makes it at 10 cm: three times the earth's, and level.
            let magnet = Vector3(90, 110, 20)
            return [
                Case(
                    code: "accel-and-magn-frames-differ", remedy: "would be 0, -1, 0; 1, 0, 0; 0, 0, 1",
                    magnetometer: quarter),
                Case(
                    code: "magn-z-inverted", remedy: "would be 1, 0, 0; 0, 1, 0; 0, 0, -1",
                    magnetometer: Matrix3(diagonal: Vector3(1, 1, -1))),
                Case(
                    code: "magn-axes-left-handed", remedy: "would be -1, 0, 0; 0, 1, 0; 0, 0, 1",
                    magnetometer: Matrix3(diagonal: Vector3(-1, 1, 1))),
                Case(
                    code: "accel-sign-down", remedy: "would be -1, 0, 0; 0, -1, 0; 0, 0, -1",
                    accelerometer: Matrix3(diagonal: Vector3(-1, -1, -1))),
                Case(
                    code: "magn-scale-1e2-too-small", remedy: " ",
                    attributes: ["in_magn_scale": "0.000010000"]),
                Case(code: "rate-too-low", remedy: "headingctl sensors", hertz: 3),
                Case(
                    code: "magn-dead-until-accel-powered",
                    remedy: "opened first and kept open",
                    isTurned: false, field: Vector3(30, 30, 30)),
                Case(
                    code: "device-busy", remedy: "fuser",
                    injection: IIORigInjection(0, "node", call: "openat", error: "EBUSY")),
                Case(
                    code: "no-permission", remedy: "udev rules",
                    injection: IIORigInjection(0, "node", call: "openat", error: "EACCES")),
                Case(code: "calibration-old", remedy: "headingctl calibrate", isTurned: false, stored: old),
                Case(
                    code: "magnet-nearby", remedy: "move away from magnets", not: ["calibration-stale"],
                    field: earth + magnet),
                Case(
                    code: "magnet-nearby", remedy: "move away from magnets", not: ["calibration-stale"],
                    field: earth + magnet, iron: Vector3(120, -60, 30), stored: with(fresh, Vector3(120, -60, 30))),
                Case(
                    code: "magnet-nearby", remedy: "move away from magnets", isTurned: false, field: earth + magnet,
                    stored: fresh),
                Case(
                    code: "magnet-nearby", remedy: "turn the device in all directions", isTurned: false,
                    field: earth + magnet),
                Case(
                    code: "calibration-stale", remedy: "headingctl calibrate", not: ["magnet-nearby"],
                    iron: Vector3(25, -10, 8), stored: fresh),
                // As a cover with a magnet.
                Case(
                    code: "calibration-stale", remedy: "cover", not: ["magnet-nearby"], iron: Vector3(-90, 240, 60),
                    stored: fresh),
                // Nothing is wrong with a phone that has never been calibrated and has a magnet of its own.
                Case(
                    code: "", remedy: "", not: ["magnet-nearby", "calibration-stale"], iron: Vector3(-90, 240, 60)),
                Case(
                    code: "", remedy: "", not: ["magnet-nearby", "calibration-stale"], iron: Vector3(-90, 240, 60),
                    stored: with(fresh, Vector3(-90, 240, 60))),
            ]
        }()

        private static func with(_ state: StoredHeadingState, _ iron: Vector3) -> StoredHeadingState {
            var state = state
            state.magnetometer?.hardIron = iron
            return state
        }

        private static let magnetometerScale = 0.1
        private static let accelerometerScale = 0.01

        private static func counts(_ kind: String, _ vector: Vector3, _ scale: Double) -> [String: Int64] {
            var scan: [String: Int64] = [:]
            for (axis, name) in "xyz".enumerated() {
                scan["\(kind)_\(name)"] = Int64((vector[axis] / scale).rounded())
            }
            return scan
        }

        /// Both chips at a time; by the clock, so that they agree whoever is late.
        private static func rig(
            _ subject: Case, motion: @escaping @Sendable (Double) -> Matrix3
        ) throws -> (IIORig, [IIORigFeed]) {
            let rig = try IIORig(devices: [
                .threeAxis("magn", name: "chip", scale: "0.001", attributes: subject.attributes),
                .threeAxis("accel", name: "tilt", scale: "0.01"),
            ])
            let begin = Date()
            let hertz = min(subject.hertz, 25)
            let feeds = try [
                rig.feed(0, hertz: hertz) { number in
                    let turn = motion(Date().timeIntervalSince(begin))
                    let noise = Vector3(number.isMultiple(of: 2) ? 0.1 : 0, 0, 0)
                    let field =
                        subject.magnetometer
                        * (turn * subject.field + subject.iron + (subject.isTurned ? noise : .zero))
                    return counts("magn", field, magnetometerScale)
                },
                rig.feed(1, hertz: 25) { number in
                    let turn = motion(Date().timeIntervalSince(begin))
                    let noise = Vector3(0, number.isMultiple(of: 2) ? 0.01 : 0, 0)
                    return counts(
                        "accel", subject.accelerometer * (turn * Vector3(0, 0, 9.80665) + noise), accelerometerScale)
                },
            ]
            return (rig, feeds)
        }

        private static func headingctl(_ bus: PrivateBus, _ words: [String], rig: IIORig? = nil) throws -> Command {
            var command = [BuiltProducts.executable("headingctl")] + words
            if let rig { command = rig.command(for: command) }
            return try Command.run(command[0], Array(command.dropFirst()), environment: bus.environment)
        }

        private static func objects(_ text: String) throws -> [[String: Any]] {
            try text.split(separator: "\n").map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
        }

        private static func findings(_ subject: Case) throws -> (status: Int32, found: [[String: Any]], errors: String)
        {
            let (rig, feeds) = try rig(subject) { subject.isTurned ? tumble($0) : .identity }
            let bus = try PrivateBus()
            let state = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
            if let stored = subject.stored {
                try SQLiteStateStore(directory: state.path).save(
                    stored, for: DeviceIdentity(busPath: "/sys/devices/platform/rig", name: "chip", location: ""))
            }
            let daemon = try DaemonProcess(
                bus, ["--state-dir", state.path, "--no-gpsd", "--place", place], rig: rig, failing: subject.injection)
            defer {
                // Of strace it is the child that runs, and would go on without it.
                if subject.injection != nil { daemon.process.signalChildren(SIGTERM) }
                daemon.process.stop()
                feeds.forEach { $0.stop() }
                try? FileManager.default.removeItem(at: state)
            }
            let result = try headingctl(bus, ["doctor", "--bus", "session", "--for", "12s", "--json"])
            return (result.status, try objects(result.output), result.errors)
        }

        @Test(.needs(.program("strace")))
        func `doctor finds each fault by the running service and says what to do`() throws {
            let lock = NSLock()
            nonisolated(unsafe) var failures: [String] = []
            // Sound: touched with the lock held, and read after all have ended.
            Threads.each(Self.cases.count) { index in
                let subject = Self.cases[index]
                do {
                    let (status, found, errors) = try Self.findings(subject)
                    let codes = found.compactMap { $0["code"] as? String }
                    let finding = found.first { $0["code"] as? String == subject.code }
                    var wrong: [String] = []
                    wrong += codes.filter { subject.not.contains($0) }.map { "found \($0): \(found)" }
                    if subject.code.isEmpty {
                        // Found nothing of the kind.
                    } else if let finding {
                        let remedy = finding["remedy"] as? String ?? ""
                        if !remedy.contains(subject.remedy) { wrong.append("to do: \(remedy)") }
                        let isInfo = finding["severity"] as? String == "info"
                        if !isInfo, status != 1 { wrong.append("status \(status): \(errors)") }
                    } else {
                        wrong.append("found \(codes): \(errors)")
                    }
                    lock.withLock { failures += wrong.map { "\(index) \(subject.code): \($0)" } }
                } catch {
                    lock.withLock { failures.append("\(subject.code): \(error)") }
                }
            }
            #expect(failures.isEmpty, "\(failures.joined(separator: "\n"))")
        }

        @Test func `mount guides through poses and turn beside the service, and names the wrong chip`() throws {
            // The accelerometer's chip lies a quarter turn about the screen's normal, which nobody has declared.
            let quarter = Matrix3(Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))
            let subject = Case(code: "", remedy: "", accelerometer: quarter)
            let upright = Matrix3(Vector3(1, 0, 0), Vector3(0, 0, 1), Vector3(0, -1, 0))
            let right = Matrix3(Vector3(0, 0, 1), Vector3(0, 1, 0), Vector3(-1, 0, 0))
            // Long enough for a busy machine to see each pose for the 1.5 s that it takes.
            let (rig, feeds) = try Self.rig(subject) { seconds in
                switch seconds {
                case ..<6: .identity
                case ..<10: upright
                case ..<14: right
                default: Self.tumble(seconds)
                }
            }
            defer { feeds.forEach { $0.stop() } }
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(bus, ["--no-gpsd"], rig: rig)
            let result = try Self.headingctl(
                bus, ["mount", "--json", "--place", "47.38,8.54", "--wait", "60s"], rig: rig)
            #expect(result.status == 0, "\(result.errors)")
            for step in ["1 of 4", "2 of 4", "3 of 4", "4 of 4"] { #expect(result.errors.contains(step)) }
            let found = try #require(try Self.objects(result.output).first)
            #expect(found["accelerometer_wrong"] as? Bool == true && found["magnetometer_wrong"] as? Bool == false)
            let lines = try #require(found["hwdb"] as? [String])
            #expect(lines.contains(" LOCATEME_MOUNT_MATRIX=0, -1, 0; 1, 0, 0; 0, 0, 1"), "\(lines)")
            #expect(daemon.process.isRunning)
            // The service still has its devices.
            #expect(try Self.headingctl(bus, ["sensors", "--bus", "session"]).output.contains("chip"))
        }
    }
}
