import Foundation
import TestSupport
import Testing

extension SensorEndToEnd {
    /// net.hadess.SensorProxy as its clients know it: names, objects, claim rules and order of messages are facts about
    /// iio-sensor-proxy 3.
    struct SensorProxyTests {
        static let name = "net.hadess.SensorProxy"
        static let path = "/net/hadess/SensorProxy"
        static let compassPath = "/net/hadess/SensorProxy/Compass"
        static let compass = "net.hadess.SensorProxy.Compass"

        /// A phone that lies flat for two seconds, then stands with its left edge up for two, then with its top edge up.
        private func turnedPhone() throws -> String {
            var lines = ["#lmrec 1", "#device tablet", "#sensor accel test rate=50", "#sensor magn test rate=50"]
            for index in 0..<300 {
                let force =
                    switch index {
                    case ..<100: "0 0 9.81"
                    case ..<200: "-9.7 0.3 1"
                    default: "0.3 9.7 1"
                    }
                lines.append("\(index * 20_000) accel \(force)")
                lines.append("\(index * 20_000) magn 0 20 -40")
            }
            let file = FileManager.default.temporaryDirectory.appendingPathComponent(
                "turned-\(UUID().uuidString).lmrec")
            try (lines.joined(separator: "\n") + "\n").write(to: file, atomically: true, encoding: .utf8)
            return file.path
        }

        private func claim(_ client: OutsideClient, _ kind: String, release: Bool = false) throws {
            let isCompass = kind == "Compass"
            try client.call(
                isCompass ? Self.compassPath : Self.path, isCompass ? Self.compass : Self.name,
                (release ? "Release" : "Claim") + kind, destination: Self.name)
        }

        /// What `PropertiesChanged` has told a client of an interface, in its order.
        private func changes(_ client: OutsideClient, _ interface: String) throws -> [[String: Any]] {
            try client.signals("PropertiesChanged").compactMap { signal in
                guard signal.arguments.first as? String == interface else { return nil }
                return signal.arguments[1] as? [String: Any]
            }
        }

        private func rate(_ client: OutsideClient) throws -> Double {
            try #require(
                try client.property("/org/locateme/compass", "org.locateme.Compass1", "Rate") as? Double)
        }

        @Test func `A claim of the compass is answered after its first heading, and only the claimant is told`() throws
        {
            let bus = try PrivateBus()
            let recording = try TurningPhone(heading: { 100 + 5 * $0 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--sensor-proxy", "--replay", recording, "--loop"])
            let client = try OutsideClient(bus)
            let bystander = try OutsideClient(bus)
            let before = try client.properties(Self.compassPath, Self.compass)
            #expect(before["HasCompass"] as? Bool == true)
            #expect(before["CompassHeading"] as? Double == -1)
            try claim(client, "Compass")
            let first = try #require(try changes(client, Self.compass).first?["CompassHeading"] as? Double)
            #expect(first >= 100 && first < 110)
            #expect(first == (first * 10).rounded() / 10)
            _ = try client.wait("more headings") { _ in try changes(client, Self.compass).count >= 10 ? true : nil }
            let now = try #require(
                try client.property(Self.compassPath, Self.compass, "CompassHeading") as? Double)
            #expect(now > first && now < 200)
            #expect(try changes(bystander, Self.compass).isEmpty)
            #expect(try changes(client, Self.name).isEmpty)
            #expect(daemon.process.isRunning)
        }

        @Test func `Claims are a set per connection, and the sensors go off with the last one`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone(heading: { _ in 30 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--sensor-proxy", "--replay", recording, "--loop"])
            let one = try OutsideClient(bus)
            let other = try OutsideClient(bus)
            try claim(one, "Compass", release: true)
            try claim(one, "Compass")
            try claim(one, "Compass")
            // The second claimant gets the heading that there is, since its own copy may be older.
            try claim(other, "Compass")
            #expect(try changes(other, Self.compass).first?["CompassHeading"] as? Double == 30)
            #expect(try rate(one) == 50)
            try claim(one, "Compass", release: true)
            #expect(try rate(one) == 50)
            other.process.stop()
            _ = try poll("sensors off after the claimant left") { try rate(one) == 0 ? true : nil }
            #expect(try one.property(Self.compassPath, Self.compass, "CompassHeading") as? Double == -1)
            #expect(daemon.process.isRunning)
        }

        @Test func `A claim outlives unplugging, and the claimant is told what happens`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone(
                seconds: 4, extra: [(1.5, "event unplug magn"), (2.5, "event plug magn")], heading: { _ in 77 }
            ).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--sensor-proxy", "--replay", recording])
            let client = try OutsideClient(bus)
            try claim(client, "Compass")
            let headings = try client.wait("heading, loss, heading") { _ in
                let told = try changes(client, Self.compass).compactMap { $0["CompassHeading"] as? Double }
                return told.count >= 3 ? told : nil
            }
            #expect(headings.prefix(3) == [77, -1, 77])
            #expect(try changes(client, Self.compass).allSatisfy { !$0.isEmpty })
            #expect(daemon.process.isRunning)
        }

        @Test func `Without a sensor a claim succeeds at once`() throws {
            let bus = try PrivateBus()
            let recording = try turnedPhone()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--sensor-proxy", "--replay", recording])
            let client = try OutsideClient(bus)
            for kind in ["Light", "Proximity"] {
                try claim(client, kind)
                try claim(client, kind, release: true)
            }
            let properties = try client.properties(Self.path, Self.name)
            #expect(properties["HasAmbientLight"] as? Bool == false)
            #expect(properties["LightLevelUnit"] as? String == "lux")
            #expect(properties["HasProximity"] as? Bool == false)
            #expect(properties["HasAccelerometer"] as? Bool == true)
            let refusal = try client.refusal(Self.path, Self.name, "ClaimThermometer", destination: Self.name)
            #expect(refusal?.name == "org.freedesktop.DBus.Error.UnknownMethod")
            #expect(daemon.process.isRunning)
        }

        @Test(.needs(.program("monitor-sensor")))
        func `monitor-sensor of iio-sensor-proxy shows the edge that is up`() throws {
            let bus = try PrivateBus()
            let recording = try turnedPhone()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--sensor-proxy", "--replay", recording])
            let monitor = try ChildProcess(
                "/usr/bin/stdbuf", ["-oL", try #require(Requirement.path(of: "monitor-sensor"))],
                environment: bus.environment)
            let shown = try monitor.wait("three orientations") { lines in
                let words = lines.filter { $0.contains("ccelerometer orientation changed") }
                return words.count >= 2 ? words : nil
            }
            #expect(shown[0].hasSuffix("changed: left-up"))
            #expect(shown[1].hasSuffix("changed: normal"))
            #expect(monitor.outputLines.contains { $0.contains("=== No ambient light sensor") })
            #expect(daemon.process.isRunning)
        }

        @Test(.needsIIORig())
        func `Light and proximity of real sysfs files reach those who have claimed them`() throws {
            let rig = try IIORig(devices: [
                IIORigDevice(
                    name: "ltr", attributes: ["in_illuminance_raw": "400", "in_illuminance_scale": "0.25"],
                    trigger: nil),
                IIORigDevice(
                    name: "prox", attributes: ["in_proximity_raw": "10", "in_proximity_nearlevel": "100"],
                    trigger: nil),
            ])
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(bus, ["--sensor-proxy", "--no-gpsd"], rig: rig)
            let client = try OutsideClient(bus)
            _ = try poll("the sensors found") {
                let found = try client.properties(Self.path, Self.name)
                return found["HasAmbientLight"] as? Bool == true && found["HasProximity"] as? Bool == true ? true : nil
            }
            try claim(client, "Light")
            try claim(client, "Proximity")
            // Lux are (raw + offset) · scale (sysfs-bus-iio, in_illuminance): 400 · 0.25.
            #expect(
                try client.call(
                    Self.path, "org.freedesktop.DBus.Properties", "Get", "(ss)", "('\(Self.name)', 'LightLevel')"
                ).first as? Double == 100)
            try rig.set(0, "in_illuminance_raw", "8")
            try rig.set(1, "in_proximity_raw", "100")
            _ = try client.wait("two lux and something near") { _ in
                let told = try changes(client, Self.name)
                return told.contains { $0["LightLevel"] as? Double == 2 }
                    && told.contains { $0["ProximityNear"] as? Bool == true } ? true : nil
            }
            // Below the level but not by a tenth: still near.
            try rig.set(1, "in_proximity_raw", "95")
            try rig.set(0, "in_illuminance_raw", "16")
            _ = try client.wait("four lux") { _ in
                try changes(client, Self.name).contains { $0["LightLevel"] as? Double == 4 } ? true : nil
            }
            #expect(try client.property(Self.path, Self.name, "ProximityNear") as? Bool == true)
            try rig.set(1, "in_proximity_raw", "80")
            _ = try client.wait("nothing near") { _ in
                try changes(client, Self.name).last { $0["ProximityNear"] != nil }?["ProximityNear"] as? Bool == false
                    ? true : nil
            }
            #expect(daemon.process.isRunning)
        }

        @Test func `While another program has the name, the service waits for it`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone().write()
            defer { unlink(recording) }
            let other = try OutsideClient(bus)
            // 4: do not queue; the other program does not let itself be replaced.
            try other.call(
                "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName", "(su)", "('\(Self.name)', uint32 4)",
                destination: "org.freedesktop.DBus")
            let daemon = try DaemonProcess(bus, ["--sensor-proxy", "--replay", recording, "--loop"])
            let client = try OutsideClient(bus)
            func owner() throws -> String? {
                try client.call(
                    "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner", "(s)", "('\(Self.name)',)",
                    destination: "org.freedesktop.DBus"
                ).first as? String
            }
            #expect(try owner() == other.uniqueName)
            other.process.stop()
            let service =
                try client.call(
                    "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner", "(s)", "('org.locateme',)",
                    destination: "org.freedesktop.DBus"
                ).first as? String
            _ = try poll("name handed over") { (try? owner()) == service ? true : nil }
            try claim(client, "Compass")
            #expect(try changes(client, Self.compass).isEmpty == false)
            #expect(daemon.process.isRunning)
        }
    }
}

/// Asks until there is an answer.
private func poll<Value>(_ what: String, seconds: Double = 20, _ ask: () throws -> Value?) throws -> Value {
    let deadline = Date().addingTimeInterval(seconds)
    while Date() < deadline {
        if let value = try ask() { return value }
        usleep(20_000)
    }
    throw WaitFailure(description: "waited in vain for \(what)")
}
