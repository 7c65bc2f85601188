import Foundation
import TestSupport
import Testing

extension LongEndToEnd {
    /// Programs that know net.hadess.SensorProxy and nothing of this package.
    struct DesktopClientTests {
        private static let geoclue = "org.freedesktop.GeoClue2"

        /// GeoClue with its compass on and a receiver of the test, away from any network.
        private final class GeoClue {
            let process: ChildProcess
            private let receiver: ChildProcess
            private let folder: URL

            init(_ bus: PrivateBus) throws {
                // Short: the address of a socket has 107 bytes.
                folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                    "g\(UInt32.random(in: 0 ... .max))")
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let socket = folder.appendingPathComponent("nmea").path
                receiver = try ChildProcess(
                    "/usr/bin/python3", [Repository.file("Tests/Clients/nmea_receiver.py").path, socket])
                _ = try receiver.wait("receiver") { $0.first { $0 == "ready" } }
                let off = ["3g", "cdma", "modem-gps", "wifi"].map { "[\($0)]\nenable=false\n" }.joined()
                let configuration = folder.appendingPathComponent("geoclue.conf").path
                try """
                [agent]
                whitelist=geoclue-demo-agent
                [network-nmea]
                enable=true
                nmea-socket=\(socket)
                [compass]
                enable=true
                \(off)
                """.write(toFile: configuration, atomically: true, encoding: .utf8)
                process = try ChildProcess(
                    "/usr/bin/unshare",
                    [
                        "-mn", "--propagation", "private", "sh", "-c",
                        "mount --bind \"$1\" /etc/geoclue/geoclue.conf && exec /usr/libexec/geoclue -t 0", "sh",
                        configuration,
                    ], environment: bus.environment)
            }

            deinit {
                process.stop()
                receiver.stop()
                try? FileManager.default.removeItem(at: folder)
            }
        }

        private func geoclue(
            _ client: OutsideClient, _ path: String, _ interface: String, _ member: String, _ type: String = "()",
            _ text: String = "()"
        ) throws -> [Any] {
            try client.call(path, interface, member, type, text, destination: Self.geoclue)
        }

        /// Heading of the newest location that GeoClue has told the client of; nil before the first.
        private func heading(_ client: OutsideClient, _ object: String) throws -> Double? {
            guard
                let path = try client.signals("LocationUpdated").last(where: { $0.path == object })?.arguments.last
                    as? String
            else { return nil }
            do {
                return try geoclue(
                    client, path, "org.freedesktop.DBus.Properties", "Get", "(ss)",
                    "('\(Self.geoclue).Location', 'Heading')"
                ).first as? Double
            } catch is OutsideClient.Refusal {
                // Replaced meanwhile, some seconds ago even.
                return nil
            }
        }

        private func poll<Value>(_ what: String, seconds: Double = 60, _ ask: () throws -> Value?) throws -> Value {
            let deadline = Date().addingTimeInterval(seconds)
            while Date() < deadline {
                if let value = try ask() { return value }
                usleep(50_000)
            }
            throw WaitFailure(description: "waited in vain for \(what)")
        }

        private func apart(_ one: Double, _ other: Double) -> Double {
            let difference = abs(one - other).truncatingRemainder(dividingBy: 360)
            return min(difference, 360 - difference)
        }

        @Test(
            .needs(.root), .needs(.program("unshare")), .needs(.file("/usr/libexec/geoclue")),
            .needs(.pythonModule("gi")))
        func `GeoClue's locations have our magnetic heading, over a restart of ours as well`() throws {
            let bus = try PrivateBus()
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("run-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            // North-east, and later south-west, without a place of ours: nothing magnetic can become true by accident.
            let first = try TurningPhone(heading: { _ in 47 }).write()
            let second = try TurningPhone(heading: { _ in 227 }).write()
            defer {
                unlink(first)
                unlink(second)
                try? FileManager.default.removeItem(at: folder)
            }
            let environment = ["RUNTIME_DIRECTORY": folder.path]
            var daemon: DaemonProcess? = try DaemonProcess(
                bus, ["--sensor-proxy", "--replay", first, "--loop"], environment: environment)
            let service = try GeoClue(bus)
            let agent = try ChildProcess(
                "/usr/bin/python3", [Repository.file("Tests/Clients/geoclue_agent.py").path, bus.address])
            _ = try agent.wait("GeoClue's agent", seconds: 60) { $0.first { $0 == "ready" } }
            let client = try OutsideClient(bus)
            let object = try #require(
                try geoclue(client, "/org/freedesktop/GeoClue2/Manager", "\(Self.geoclue).Manager", "GetClient").first
                    as? String)
            for (name, value) in [("DesktopId", "'geoclue-demo-agent'"), ("RequestedAccuracyLevel", "uint32 8")] {
                _ = try geoclue(
                    client, object, "org.freedesktop.DBus.Properties", "Set", "(ssv)",
                    "('\(Self.geoclue).Client', '\(name)', <\(value)>)")
            }
            _ = try geoclue(client, object, "\(Self.geoclue).Client", "Start")
            let heading = try poll("heading of the first run: \(service.process.errorText)") {
                try self.heading(client, object).flatMap { $0 > 0 ? $0 : nil }
            }
            #expect(apart(heading, 47) < 1)
            // GeoClue claims once and never looks who has the name: it is the service that remembers the claim.
            daemon?.process.signal(SIGKILL)
            daemon = nil
            daemon = try DaemonProcess(
                bus, ["--sensor-proxy", "--replay", second, "--loop"], environment: environment)
            let later = try poll("heading of the second run") {
                try self.heading(client, object).flatMap { apart($0, 47) > 90 ? $0 : nil }
            }
            #expect(apart(later, 227) < 1)
            _ = try geoclue(client, object, "\(Self.geoclue).Client", "Stop")
            _ = try poll("sensors off after GeoClue's release") {
                try client.property("/org/locateme/compass", "org.locateme.Compass1", "Rate") as? Double == 0
                    ? true : nil
            }
            #expect(daemon?.process.isRunning == true)
        }

        @Test(.needs(.program("c++")), .needs(.file("/usr/lib/x86_64-linux-gnu/pkgconfig/Qt5Sensors.pc")))
        func `Qt's compass gives our heading`() throws {
            let program = NSTemporaryDirectory() + "qt-compass-\(UUID().uuidString.prefix(8))"
            let build = try Command.run(
                "/bin/sh",
                [
                    "-c", "c++ -fPIC -o \"$1\" \"$2\" $(pkg-config --cflags --libs Qt5Sensors)", "sh", program,
                    Repository.file("Tests/Clients/qt_compass.cpp").path,
                ])
            try #require(build.status == 0, "\(build.errors)")
            let bus = try PrivateBus()
            let recording = try TurningPhone(heading: { 100 + 5 * $0 }).write()
            defer {
                unlink(recording)
                unlink(program)
            }
            let daemon = try DaemonProcess(bus, ["--sensor-proxy", "--replay", recording, "--loop"])
            let client = try OutsideClient(bus)
            let probe = try ChildProcess(program, [], environment: bus.environment)
            let lines = try probe.wait("ten readings", seconds: 40) { $0.count > 10 ? $0 : nil }
            #expect(lines.first == "backend iio-sensor-proxy.compass")
            let azimuths = lines.dropFirst().compactMap { Double($0.split(separator: " ")[0]) }
            #expect(azimuths == azimuths.sorted() && azimuths.allSatisfy { $0 >= 100 && $0 <= 200 })
            let now = try #require(
                try client.property(
                    SensorEndToEnd.SensorProxyTests.compassPath, SensorEndToEnd.SensorProxyTests.compass,
                    "CompassHeading") as? Double)
            let newest = try probe.wait("newer readings") { lines in
                lines.last.flatMap { Double($0.split(separator: " ")[0]) }.flatMap { $0 >= now ? $0 : nil }
            }
            #expect(newest - now < 5)
            probe.stop()
            _ = try poll("sensors off without Qt") {
                try client.property("/org/locateme/compass", "org.locateme.Compass1", "Rate") as? Double == 0
                    ? true : nil
            }
            #expect(daemon.process.isRunning)
        }

        @Test(.needs(.root), .needs(.program("monitor-sensor")), .needs(.program("setpriv")))
        func `monitor-sensor shows heading and orientation of a recorded phone`() throws {
            // A bus that lets other users in.
            let bus = try PrivateBus(
                .system(
                    policies: "<policy context=\"default\"><allow own=\"*\"/><allow send_destination=\"*\"/></policy>"))
            let recording = Repository.file("data/recordings/nexus5-walk.lmrec.gz").path
            let daemon = try DaemonProcess(bus, ["--sensor-proxy", "--replay", recording, "--loop"])
            // Until 3.5 it shows the compass to GeoClue's user only.
            let monitor = try ChildProcess(
                "/usr/bin/setpriv",
                [
                    "--reuid", "geoclue", "--clear-groups", "--regid", "nogroup", "/usr/bin/stdbuf", "-oL",
                    try #require(Requirement.path(of: "monitor-sensor")),
                ], environment: bus.environment)
            let client = try OutsideClient(bus)
            func headings(_ lines: [String]) -> [Double] {
                lines.filter { $0.contains("Compass heading changed") }
                    .compactMap { $0.split(separator: " ").last.flatMap { Double($0) } }
            }
            let shown = try monitor.wait("headings", seconds: 60) { lines in
                headings(lines).filter { $0 >= 0 }.count >= 20 ? headings(lines) : nil
            }
            #expect(shown.allSatisfy { $0 == -1 || (0..<360).contains($0) })
            let now = try #require(
                try client.property(
                    SensorEndToEnd.SensorProxyTests.compassPath, SensorEndToEnd.SensorProxyTests.compass,
                    "CompassHeading") as? Double)
            // What it shows about now is what the service says: a walk does not turn faster than this.
            _ = try monitor.wait("the same heading") { lines in
                headings(lines).suffix(20).contains { apart($0, now) < 3 } ? true : nil
            }
            let orientation = try #require(
                try client.property(
                    SensorEndToEnd.SensorProxyTests.path, SensorEndToEnd.SensorProxyTests.name,
                    "AccelerometerOrientation") as? String
            )
            // The phone is held as for texting, top edge up and tilted back.
            #expect(orientation == "normal" || orientation == "undefined")
            #expect(daemon.process.isRunning)
        }
    }
}
