import Foundation
import TestSupport
import Testing

extension SensorEndToEnd {
    /// net.hadess.SensorProxy on IIO devices: which of them it switches on, and who may have them switched on.
    @Suite(.needsIIORig())
    struct SensorProxyRigTests {
        private typealias Proxy = SensorProxyTests

        private func claim(_ client: OutsideClient, _ kind: String, release: Bool = false) throws {
            let isCompass = kind == "Compass"
            try client.call(
                isCompass ? Proxy.compassPath : Proxy.path, isCompass ? Proxy.compass : Proxy.name,
                (release ? "Release" : "Claim") + kind, destination: Proxy.name)
        }

        /// What the client has been told of a property of the main interface.
        private func told<Value>(_ client: OutsideClient, _ property: String, as type: Value.Type) throws -> [Value] {
            try client.signals("PropertiesChanged").compactMap { signal in
                guard signal.arguments.first as? String == Proxy.name else { return nil }
                return (signal.arguments[1] as? [String: Any])?[property] as? Value
            }
        }

        private func waitFor(_ rig: IIORig, _ states: [Int: String], _ what: String) throws {
            let limit = Date(timeIntervalSinceNow: 30)
            while states.contains(where: { rig.get($0.key, "buffer/enable") != $0.value }) {
                try #require(Date() < limit, "\(what): \(states.keys.map { rig.get($0, "buffer/enable") ?? "gone" })")
                usleep(20_000)
            }
        }

        private static let gravity: @Sendable (Int) -> [String: Int64] = { _ in
            ["accel_x": 16399, "accel_y": 0, "accel_z": 0]
        }

        @Test func `A machine with an accelerometer and nothing else keeps its screen rotation`() throws {
            let rig = try IIORig(devices: [
                .threeAxis("accel", name: "bma250e", scale: "0.000598"),
                .threeAxis("accel", name: "base", scale: "0.000598", attributes: ["label": "accel-base"]),
            ])
            let feed = try rig.feed(0, hertz: 50, values: Self.gravity)
            defer { feed.stop() }
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(bus, ["--sensor-proxy", "--no-gpsd"], rig: rig)
            let client = try OutsideClient(bus)
            let limit = Date(timeIntervalSinceNow: 30)
            while try client.properties(Proxy.path, Proxy.name)["HasAccelerometer"] as? Bool != true {
                try #require(Date() < limit, "no accelerometer: \(daemon.process.errorText)")
            }
            #expect(try client.properties(Proxy.compassPath, Proxy.compass)["HasCompass"] as? Bool == false)
            try claim(client, "Accelerometer")
            // +x, the right edge, is up, so the device has been turned left: right-up.
            let shown = try client.wait("orientation") { _ in
                try told(client, "AccelerometerOrientation", as: String.self).last
            }
            #expect(shown == "right-up")
            #expect(rig.get(1, "buffer/enable") == "0")
            try claim(client, "Accelerometer", release: true)
            try waitFor(rig, [0: "0"], "off after the release")
            #expect(daemon.process.isRunning)
        }

        @Test func `Rotation alone switches on the accelerometer alone, a compass adds the rest and leaves it on`()
            throws
        {
            let rig = try IIORig(devices: [
                .threeAxis("magn", name: "chip", scale: "0.000146000"),
                .threeAxis("accel", name: "tilt", scale: "0.000598"),
                .threeAxis("anglvel", name: "gyro", scale: "0.000153"),
            ])
            let feeds = [
                try rig.feed(0, hertz: 50) { _ in ["magn_x": 3014, "magn_y": 1370, "magn_z": 0] },
                try rig.feed(1, hertz: 50, values: Self.gravity),
                try rig.feed(2, hertz: 50) { number in ["anglvel_x": Int64(number % 3), "anglvel_y": 0, "anglvel_z": 0]
                },
            ]
            defer { feeds.forEach { $0.stop() } }
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(bus, ["--sensor-proxy", "--no-gpsd"], rig: rig)
            let client = try OutsideClient(bus)
            try claim(client, "Accelerometer")
            _ = try client.wait("orientation") { _ in
                try told(client, "AccelerometerOrientation", as: String.self).last
            }
            #expect(rig.get(0, "buffer/enable") == "0" && rig.get(2, "buffer/enable") == "0")
            #expect(rig.get(1, "buffer/enable") == "1")
            // The device's smallest rate that serves 10 Hz.
            #expect(rig.get(1, "sampling_frequency").flatMap(Double.init) == 10)
            #expect(
                try client.property("/org/locateme/compass", "org.locateme.Compass1", "Rate") as? Double == 0)
            try claim(client, "Compass")
            try waitFor(rig, [0: "1", 1: "1", 2: "1"], "all on for the compass")
            try claim(client, "Compass", release: true)
            try waitFor(rig, [0: "0", 1: "1", 2: "0"], "the accelerometer alone again")
            let before = feeds[1].sent
            let limit = Date(timeIntervalSinceNow: 30)
            while feeds[1].sent < before + 20 { try #require(Date() < limit, "the accelerometer does not go on") }
            #expect(rig.get(0, "buffer/enable") == "0")
            try claim(client, "Accelerometer", release: true)
            try waitFor(rig, [0: "0", 1: "0", 2: "0"], "all off")
            #expect(daemon.process.isRunning)
            #expect(daemon.process.errorText.contains("headings are lost") == false)
        }

        @Test func `Light and proximity come through buffers, and the near level is udev's`() throws {
            var near = IIORigDevice(
                name: "prox", attributes: ["in_proximity_nearlevel": "5"],
                channels: [.init("proximity", "le:u16/16>>0", index: 0)], trigger: nil)
            near.udev = ["PROXIMITY_NEAR_LEVEL": "100"]
            let rig = try IIORig(devices: [
                IIORigDevice(
                    name: "als",
                    attributes: [
                        "in_illuminance_raw": "40", "in_illuminance_scale": "0.5",
                        "in_illuminance_sampling_frequency": "0",
                    ],
                    channels: [.init("illuminance", "le:u32/32>>0", index: 0)], trigger: nil),
                near,
            ])
            let light = try rig.feed(0, hertz: 20) { number in ["illuminance": Int64(200 + number)] }
            // Near from the tenth scan on, then within a tenth below the level, then away.
            let proximity = try rig.feed(1, hertz: 20) { number in
                ["proximity": number < 10 ? 50 : number < 40 ? 100 : number < 60 ? 95 : 50]
            }
            defer {
                light.stop()
                proximity.stop()
            }
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(bus, ["--sensor-proxy", "--no-gpsd"], rig: rig)
            let client = try OutsideClient(bus)
            let limit = Date(timeIntervalSinceNow: 30)
            while true {
                let found = try client.properties(Proxy.path, Proxy.name)
                if found["HasAmbientLight"] as? Bool == true, found["HasProximity"] as? Bool == true { break }
                try #require(Date() < limit, "\(found)")
            }
            try claim(client, "Light")
            try claim(client, "Proximity")
            let levels = try client.wait("light from the buffer") { _ in
                let levels = try told(client, "LightLevel", as: Double.self).filter { $0 >= 100 }
                return levels.count >= 5 ? levels : nil
            }
            // Lux are (raw + offset) · scale (sysfs-bus-iio, in_illuminance).
            #expect(levels == levels.sorted() && levels.allSatisfy { ($0 * 2).rounded() == $0 * 2 })
            #expect(rig.get(0, "in_illuminance_sampling_frequency").flatMap(Double.init) == 10)
            let nearness = try client.wait("near and away", seconds: 40) { _ in
                let told = try told(client, "ProximityNear", as: Bool.self)
                return told.last == false && told.contains(true) ? told : nil
            }
            #expect(nearness.drop { !$0 } == [true, false])
            try claim(client, "Light", release: true)
            try claim(client, "Proximity", release: true)
            try waitFor(rig, [0: "0", 1: "0"], "off after the release")
            let restored = Date(timeIntervalSinceNow: 30)
            while rig.get(0, "in_illuminance_sampling_frequency") != "0" {
                try #require(Date() < restored, "the rate is not put back")
            }
            #expect(daemon.process.isRunning)
        }

        @Test(.needs(.program("monitor-sensor")))
        func `monitor-sensor shows light in lux, and near and away as things pass`() throws {
            var near = IIORigDevice(
                name: "prox", attributes: ["in_proximity_nearlevel": "5"],
                channels: [.init("proximity", "le:u16/16>>0", index: 0)], trigger: nil)
            near.udev = ["PROXIMITY_NEAR_LEVEL": "100"]
            let rig = try IIORig(devices: [
                IIORigDevice(
                    name: "als", attributes: ["in_illuminance_raw": "40", "in_illuminance_scale": "0.5"],
                    channels: [.init("illuminance", "le:u32/32>>0", index: 0)], trigger: nil), near,
            ])
            let light = try rig.feed(0, hertz: 20) { number in ["illuminance": Int64(200 + number % 100)] }
            let proximity = try rig.feed(1, hertz: 20) { number in ["proximity": number / 20 % 2 == 0 ? 50 : 120] }
            defer {
                light.stop()
                proximity.stop()
            }
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(bus, ["--sensor-proxy", "--no-gpsd"], rig: rig)
            let client = try OutsideClient(bus)
            let limit = Date(timeIntervalSinceNow: 30)
            while try client.properties(Proxy.path, Proxy.name)["HasProximity"] as? Bool != true {
                try #require(Date() < limit, "no proximity: \(daemon.process.errorText)")
            }
            let monitor = try ChildProcess(
                "/usr/bin/stdbuf", ["-oL", try #require(Requirement.path(of: "monitor-sensor"))],
                environment: bus.environment)
            func told(_ what: String, _ lines: [String]) -> [String] {
                lines.filter { $0.contains(what) }.compactMap { $0.components(separatedBy: "changed: ").last }
            }
            let nearness = try monitor.wait("near and away", seconds: 40) { lines in
                let told = told("Proximity value changed", lines)
                return told.count >= 3 ? told : nil
            }
            #expect(Set(nearness) == ["0", "1"])
            let levels = try monitor.wait("light", seconds: 40) { lines in
                let told = told("Light changed", lines)
                return told.count >= 5 ? told : nil
            }
            // Lux are raw · scale (sysfs-bus-iio, in_illuminance): 20 before the buffer, then (200…299) · 0.5.
            let lux = levels.compactMap { level -> Double? in
                level.hasSuffix(" (lux)") ? level.split(separator: " ").first.flatMap { Double($0) } : nil
            }
            #expect(lux.count == levels.count && lux.allSatisfy { (100..<150).contains($0) || $0 == 20 }, "\(levels)")
            #expect(daemon.process.isRunning)
        }

        @Test(
            .needs(.root), .needs(.program("setpriv")), .needs(.program("pkaction")), .needs(.program("monitor-sensor"))
        )
        func `Polkit decides who may claim: not another user, GeoClue's user, and whom a rule permits`() throws {
            let bus = try PrivateBus(
                .system(
                    policies: "<policy context=\"default\"><allow own=\"*\"/><allow send_destination=\"*\"/></policy>"))
            let polkit = try RealPolicyKit(bus)
            let recording = try TurningPhone(heading: { _ in 90 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(
                bus, ["--sensor-proxy", "--replay", recording, "--loop"], busArgument: "system")
            let nobody = try OutsideClient(bus, user: "nobody")
            func refusal(_ client: OutsideClient, _ member: String) throws -> OutsideClient.Refusal? {
                try client.refusal(Proxy.compassPath, Proxy.compass, member, destination: Proxy.name)
            }
            for member in ["ClaimCompass", "ReleaseCompass"] {
                let refusal = try #require(try refusal(nobody, member))
                #expect(refusal.name == "org.freedesktop.DBus.Error.AccessDenied")
                #expect(refusal.text.contains("Not Authorized: "))
            }
            #expect(
                try client(bus, "root").property(
                    "/org/locateme/compass", "org.locateme.Compass1", "Rate") as? Double == 0)
            // A service without a seat, as it is installed for GeoClue.
            #expect(try refusal(try client(bus, "geoclue"), "ClaimCompass") == nil)
            try polkit.permit("net.hadess.SensorProxy.claim-sensor", to: "nobody")
            let limit = Date(timeIntervalSinceNow: 40)
            while try refusal(nobody, "ClaimCompass") != nil {
                try #require(Date() < limit, "the rule has no effect")
                usleep(100_000)
            }
            #expect(daemon.process.isRunning)
        }

        private func client(_ bus: PrivateBus, _ user: String) throws -> OutsideClient {
            try OutsideClient(bus, user: user == "root" ? nil : user)
        }
    }
}
