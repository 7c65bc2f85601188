import Foundation
import Geometry
import TestSupport
import Testing

extension EndToEnd {
    struct CalibrationTests {
        private static let compass = "/org/locateme/compass"
        private static let interface = "org.locateme.Calibration1"
        /// A phone's: larger than the field it hides, µT.
        private static let hardIron = Vector3(-60, 25, 110)

        /// A recording of an uncalibrated magnetometer. `direction` gives the field's direction in the device frame
        /// for a share 0…1 of its length.
        private func recording(_ direction: (Double) -> Vector3) throws -> String {
            var lines = [
                "#lmrec 1", "#device tumbling-phone", "#sensor magn test rate=50", "#sensor accel test rate=50",
            ]
            for index in 0..<1000 {
                let field = Self.hardIron + direction(Double(index) / 1000) * 48
                lines.append("\(index * 20_000) accel 0 0 9.80665")
                lines.append("\(index * 20_000) magn \(field.x) \(field.y) \(field.z)")
            }
            let path = FileManager.default.temporaryDirectory.appendingPathComponent(
                "tumble-\(UUID().uuidString).lmrec")
            try (lines.joined(separator: "\n") + "\n").write(to: path, atomically: true, encoding: .utf8)
            return path.path
        }

        /// From pole to pole of the sphere in 15 turns.
        private func spiral(_ share: Double) -> Vector3 {
            let z = 1 - 2 * share
            let radius = max(0, 1 - z * z).squareRoot()
            return Vector3(radius * cos(share * 30 * .pi), radius * sin(share * 30 * .pi), z)
        }

        private func stateDirectory() -> String {
            FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)").path
        }

        private func call(
            _ client: OutsideClient, _ member: String, _ type: String = "()", _ text: String = "()"
        ) throws -> [Any] {
            try client.call(Self.compass, Self.interface, member, type, text)
        }

        private func refusal(
            _ client: OutsideClient, _ member: String, _ type: String = "()", _ text: String = "()"
        ) throws -> OutsideClient.Refusal {
            try #require(try client.refusal(Self.compass, Self.interface, member, type, text), "\(member) is accepted")
        }

        private func values(_ client: OutsideClient) throws -> [String: Any] {
            try #require(try call(client, "Get").first as? [String: Any])
        }

        private func hardIron(_ values: [String: Any]) throws -> Vector3 {
            let numbers = try #require(values["HardIron"] as? [NSNumber]).map(\.doubleValue)
            return Vector3(numbers[0], numbers[1], numbers[2])
        }

        private func state(_ client: OutsideClient) throws -> Int {
            try #require(try client.property(Self.compass, Self.interface, "State") as? NSNumber).intValue
        }

        /// Waits until everybody was told that the state is this one.
        private func wait(_ client: OutsideClient, forState wanted: Int) throws {
            _ = try client.wait("state \(wanted)", seconds: 60) { signals in
                let states = signals.compactMap { signal -> Int? in
                    guard signal.member == "PropertiesChanged", signal.arguments.first as? String == Self.interface
                    else { return nil }
                    return ((signal.arguments[1] as? [String: Any])?["State"] as? NSNumber)?.intValue
                }
                return states.last == wanted ? true : nil
            }
        }

        @Test func `A guided calibration is its caller's, is applied when it is good, and survives a crash`() throws {
            let bus = try PrivateBus()
            let path = try recording(spiral)
            let directory = stateDirectory()
            defer {
                unlink(path)
                try? FileManager.default.removeItem(atPath: directory)
            }
            let arguments = ["--replay", path, "--loop", "--speed", "4", "--state-dir", directory]
            let client = try OutsideClient(bus)
            let other = try OutsideClient(bus)
            do {
                let daemon = try DaemonProcess(bus, arguments)
                #expect(try values(client).isEmpty)
                #expect(try refusal(client, "Apply").name == "org.freedesktop.DBus.Error.AccessDenied")
                _ = try call(client, "Begin", "(a{sv})", "({'Method': <'figure-eight'>},)")
                let early = try refusal(client, "Apply")
                #expect(early.name == "org.locateme.Error.NotCalibrated" && !early.text.isEmpty)
                #expect(
                    try refusal(other, "Begin", "(a{sv})", "({},)").name
                        == "org.freedesktop.DBus.Error.LimitsExceeded")
                try wait(client, forState: 3)
                #expect(try refusal(other, "Apply").name == "org.freedesktop.DBus.Error.AccessDenied")
                #expect(try refusal(other, "Cancel").name == "org.freedesktop.DBus.Error.AccessDenied")

                let progress = try client.wait("progress") { $0.last { $0.member == "Progress" } }
                #expect(progress.path == Self.compass && progress.arguments.count == 5)
                #expect((progress.arguments[0] as? NSNumber)?.doubleValue ?? 0 > 0.3)
                #expect((progress.arguments[1] as? [NSNumber])?.count == 100)
                #expect((progress.arguments[3] as? NSNumber)?.intValue ?? 0 > 30)
                #expect((progress.arguments[4] as? String)?.isEmpty == false)

                let applied = try #require(try call(client, "Apply").first as? [String: Any])
                #expect((try hardIron(applied) - Self.hardIron).length < 2)
                #expect(applied["Source"] as? String == "guided")
                #expect((applied["SoftIron"] as? [NSNumber])?.count == 9)
                #expect(try state(client) == 4)
                // The other connection has heard everything that is broadcast, and no progress.
                try wait(other, forState: 4)
                #expect(try other.signals("Progress").isEmpty)
                daemon.process.signal(SIGKILL)
                try daemon.process.waitForExit()
            }
            do {
                let again = try DaemonProcess(bus, arguments)
                let kept = try values(client)
                #expect((try hardIron(kept) - Self.hardIron).length < 2)
                #expect(kept["Source"] as? String == "guided")
                _ = try call(client, "Reset")
                #expect(try values(client).isEmpty)
                again.process.signal(SIGKILL)
                try again.process.waitForExit()
            }
            let reset = try DaemonProcess(bus, arguments)
            #expect(try values(client).isEmpty)
            #expect(reset.process.isRunning)
        }

        @Test func `An imported calibration is checked, in force at once, and kept`() throws {
            let bus = try PrivateBus()
            let path = try recording { _ in Vector3(0, 0.5, -0.866) }
            let directory = stateDirectory()
            defer {
                unlink(path)
                try? FileManager.default.removeItem(atPath: directory)
            }
            let arguments = ["--replay", path, "--loop", "--state-dir", directory]
            let client = try OutsideClient(bus)
            let identity = "<[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]>"
            let good =
                "({'HardIron': <(-60.0, 25.0, 110.0)>, 'SoftIron': \(identity), 'HardIronSigma': <0.5>, 'Field': <48.0>},)"
            do {
                let daemon = try DaemonProcess(bus, arguments)
                for (bad, part) in [
                    ("({'SoftIron': \(identity)},)", "HardIron"),
                    ("({'HardIron': <(1.0, 2.0, 3.0)>},)", "SoftIron"),
                    ("({'HardIron': <(1.0, 2.0, 3.0)>, 'SoftIron': <[1.0, 0.0]>},)", "SoftIron"),
                    ("({'HardIron': <('a', 'b', 'c')>, 'SoftIron': \(identity)},)", "HardIron"),
                    ("({'HardIron': <(1e9, 0.0, 0.0)>, 'SoftIron': \(identity)},)", ""),
                    (
                        "({'HardIron': <(0.0, 0.0, 0.0)>, 'SoftIron': <[-1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]>},)",
                        ""
                    ),
                    ("({'HardIron': <(0.0, 0.0, 0.0)>, 'SoftIron': \(identity), 'Field': <5000.0>},)", ""),
                    ("({'HardIron': <(0.0, 0.0, 0.0)>, 'SoftIron': \(identity), 'Coverage': <55.0>},)", "coverage"),
                    ("({'HardIron': <(0.0, 0.0, 0.0)>, 'SoftIron': \(identity), 'Residual': <-5.0>},)", "residual"),
                ] {
                    let refused = try refusal(client, "Import", "(a{sv})", bad)
                    #expect(refused.name == "org.freedesktop.DBus.Error.InvalidArgs", "\(bad): \(refused)")
                    #expect(part.isEmpty || refused.text.contains(part), "\(bad): \(refused)")
                }
                #expect(try values(client).isEmpty)
                _ = try call(client, "Import", "(a{sv})", good)
                let now = try values(client)
                #expect(now["Source"] as? String == "imported")
                #expect((try hardIron(now) - Self.hardIron).length < 1e-9)
                // North along the top edge, which only shows once the hard iron is taken away.
                let session = try client.openSession()
                let reply = try client.call(session, "org.locateme.Heading1", "GetHeading", "(u)", "(0,)")
                #expect(apart(try HeadingValue(reply.first).magnetic, 0) < 3)
                daemon.process.signal(SIGKILL)
                try daemon.process.waitForExit()
            }
            let again = try DaemonProcess(bus, arguments)
            let kept = try values(client)
            #expect(kept["Source"] as? String == "imported")
            #expect((try hardIron(kept) - Self.hardIron).length < 1e-9)
            #expect(again.process.isRunning)
        }

        @Test func `A run ends with Cancel, with its time, and with its owner, and leaves nothing behind`() throws {
            let bus = try PrivateBus()
            let path = try recording { _ in Vector3(0, 0.5, -0.866) }
            defer { unlink(path) }
            let daemon = try DaemonProcess(bus, ["--replay", path, "--loop"])
            let client = try OutsideClient(bus)
            for bad in [
                "({'Method': <'shake'>},)", "({'Method': <7>},)", "({'TimeoutMs': <uint32 5>},)",
                "({'TimeoutMs': <'long'>},)",
            ] {
                let refused = try refusal(client, "Begin", "(a{sv})", bad)
                #expect(refused.name == "org.freedesktop.DBus.Error.InvalidArgs", "\(bad): \(refused)")
            }
            _ = try call(client, "Begin", "(a{sv})", "({},)")
            #expect(try state(client) == 2)
            _ = try call(client, "Cancel")
            #expect(try [0, 1].contains(state(client)))
            #expect(try refusal(client, "Cancel").name == "org.freedesktop.DBus.Error.AccessDenied")

            // A device that lies still for the whole time.
            _ = try call(client, "Begin", "(a{sv})", "({'TimeoutMs': <uint32 1000>},)")
            try wait(client, forState: 5)
            let refused = try refusal(client, "Apply")
            #expect(refused.name == "org.locateme.Error.NotCalibrated" && refused.text.contains("turned"))
            _ = try call(client, "Cancel")

            let other = try OutsideClient(bus)
            _ = try call(other, "Begin", "(a{sv})", "({'Method': <'flat-turn'>},)")
            #expect(try state(client) == 2)
            other.process.stop()
            _ = try client.wait("end of the run") { signals in
                signals.last { $0.member == "PropertiesChanged" && "\($0.arguments)".contains("Calibration1") }
                    .flatMap {
                        (($0.arguments[1] as? [String: Any])?["State"] as? NSNumber)?.intValue ?? 2 < 2 ? true : nil
                    }
            }
            let rate = try client.property(Self.compass, "org.locateme.Compass1", "Rate") as? NSNumber
            #expect(rate?.doubleValue == 0)
            #expect(daemon.process.isRunning)
        }
    }
}
