import Foundation
import TestSupport
import Testing

extension EndToEnd {
    struct IntrospectionTests {
        /// The interfaces that each object of the service has, besides the standard ones.
        static let objects: [(path: String, interfaces: [String])] = [
            ("/org/locateme", ["Manager1", "Status1"]), ("/org/locateme/compass", ["Compass1", "Calibration1"]),
            ("/org/locateme/power", ["Power1"]),
            ("SESSION", ["Session1", "Location1", "Heading1", "Pose1", "SignificantChange1", "Visits1"]),
            ("/net/hadess/SensorProxy", ["net.hadess.SensorProxy"]),
            ("/net/hadess/SensorProxy/Compass", ["net.hadess.SensorProxy.Compass"]),
        ]

        /// The `<interface>` elements of a document by name, white space folded.
        private func interfaces(_ xml: String) throws -> [String: String] {
            var result: [String: String] = [:]
            for part in xml.components(separatedBy: "<interface name=\"").dropFirst() {
                let name = try #require(part.components(separatedBy: "\"").first)
                let element = try #require(part.components(separatedBy: "</interface>").first)
                result[name] = element.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            }
            return result
        }

        @Test func `What introspection prints is what the interface files document`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone(seconds: 1).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--sensor-proxy"])
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            for object in Self.objects {
                let path = object.path == "SESSION" ? session : object.path
                let reply = try client.call(path, "org.freedesktop.DBus.Introspectable", "Introspect")
                let printed = try interfaces(try #require(reply.first as? String))
                let ours = printed.keys.filter { !$0.hasPrefix("org.freedesktop.") }.sorted()
                let expected = object.interfaces.map { $0.contains(".") ? $0 : "org.locateme.\($0)" }
                #expect(ours == expected.sorted(), "at \(path)")
                for name in ours {
                    let file = Repository.file("dbus/\(name).xml")
                    let documented = try interfaces(String(contentsOf: file, encoding: .utf8))
                    #expect(printed[name] == documented[name], "\(name) at \(path)")
                }
                for name in ["Introspectable", "Properties", "Peer"] {
                    #expect(printed["org.freedesktop.DBus.\(name)"] != nil, "\(name) at \(path)")
                }
            }
            #expect(daemon.process.isRunning)
        }

        @Test func `busctl shows the tree and live values`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone(heading: { _ in 90 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop", "--place", "47.377,8.542,408"])
            func busctl(_ arguments: [String]) throws -> String {
                let command = try Command.run("/usr/bin/busctl", ["--address=\(bus.address)"] + arguments)
                #expect(command.status == 0, "\(command.errors)")
                return command.output
            }
            let tree = try busctl(["tree", "org.locateme"])
            #expect(tree.contains("/org/locateme/compass"))
            let idle = try busctl(["introspect", "org.locateme", "/org/locateme"])
            #expect(idle.contains("org.locateme.Manager1"))
            #expect(idle.contains("org.locateme.Status1"))
            let none = try busctl([
                "get-property", "org.locateme", "/org/locateme", "org.locateme.Status1", "MagneticHeading",
            ])
            #expect(none == "d -1\n")

            let client = try OutsideClient(bus)
            let session = try client.openSession()
            try client.call(session, "org.locateme.Heading1", "Start")
            _ = try client.wait("valid heading") { signals in
                try signals.first { try $0.member == "HeadingUpdated" && HeadingValue($0.arguments[0]).accuracy >= 0 }
            }
            let live = try busctl([
                "get-property", "org.locateme", "/org/locateme", "org.locateme.Status1", "MagneticHeading",
            ])
            let heading = try #require(live.split(whereSeparator: \.isWhitespace).last.flatMap { Double($0) })
            #expect(apart(heading, 90) < 1)
            // The session of one client is not in the tree that another one sees.
            #expect(!(try busctl(["tree", "org.locateme"])).contains(session))
            #expect(daemon.process.isRunning)
        }
    }
}
