import Foundation
import TestSupport
import Testing

extension EndToEnd {
    struct SessionTests {
        private let bus: PrivateBus
        private let daemon: DaemonProcess
        private let recording: String

        init() throws {
            bus = try PrivateBus()
            recording = try TurningPhone().write()
            daemon = try DaemonProcess(bus, ["--replay", recording, "--loop", "--log-level", "debug"])
        }

        @Test func `A session is named by 128 random bits and listed to its owner alone`() throws {
            let owner = try OutsideClient(bus)
            let other = try OutsideClient(bus)
            let path = try owner.openSession()
            let identifier = try #require(path.split(separator: "/").last)
            #expect(path.hasPrefix("/org/locateme/session/"))
            #expect(identifier.count == 32)
            #expect(identifier.allSatisfy { $0.isHexDigit })

            func managed(_ client: OutsideClient) throws -> Set<String> {
                let reply = try client.call(
                    "/org/locateme", "org.freedesktop.DBus.ObjectManager", "GetManagedObjects")
                return Set(try #require(reply.first as? [String: Any]).keys)
            }
            #expect(try managed(owner) == ["/org/locateme/compass", "/org/locateme/power", path])
            #expect(try managed(other) == ["/org/locateme/compass", "/org/locateme/power"])

            func children(_ client: OutsideClient) throws -> String {
                let reply = try client.call(
                    "/org/locateme/session", "org.freedesktop.DBus.Introspectable", "Introspect")
                return try #require(reply.first as? String)
            }
            #expect(try children(owner).contains("<node name=\"\(identifier)\"/>"))
            #expect(try !children(other).contains(identifier))
            _ = try owner.wait("InterfacesAdded") { $0.first { $0.member == "InterfacesAdded" } }
            #expect(try other.signals("InterfacesAdded").isEmpty)
        }

        @Test func `Others get the same refusal from a session that exists and from one that does not`() throws {
            let owner = try OutsideClient(bus)
            let stranger = try OutsideClient(bus)
            let real = try owner.openSession()
            let invented = "/org/locateme/session/0123456789abcdef0123456789abcdef"
            let calls = [
                ("org.locateme.Session1", "Close", "()", "()"), ("org.locateme.Heading1", "Start", "()", "()"),
                ("org.locateme.Heading1", "GetHeading", "(u)", "(0,)"), ("org.locateme.Pose1", "Get", "(u)", "(0,)"),
                ("org.locateme.Location1", "GetLastKnown", "(u)", "(0,)"),
                ("org.freedesktop.DBus.Properties", "Get", "(ss)", "('org.locateme.Heading1', 'Running')"),
                ("org.freedesktop.DBus.Properties", "GetAll", "(s)", "('org.locateme.Heading1',)"),
                (
                    "org.freedesktop.DBus.Properties", "Set", "(ssv)",
                    "('org.locateme.Heading1', 'HeadingFilter', <5.0>)"
                ),
                ("org.freedesktop.DBus.Introspectable", "Introspect", "()", "()"),
                ("org.locateme.Session1", "NoSuchMethod", "()", "()"), ("org.locateme.None1", "Close", "()", "()"),
            ]
            for (interface, member, type, text) in calls {
                let onReal = try stranger.refusal(real, interface, member, type, text)
                let onInvented = try stranger.refusal(invented, interface, member, type, text)
                #expect(onReal?.name == "org.freedesktop.DBus.Error.AccessDenied", "\(interface).\(member)")
                #expect(onReal?.name == onInvented?.name, "\(interface).\(member)")
                #expect(
                    onReal?.text.replacingOccurrences(of: real, with: "PATH")
                        == onInvented?.text.replacingOccurrences(of: invented, with: "PATH"))
            }
            // and nothing of it has had an effect
            #expect(try owner.property(real, "org.locateme.Heading1", "HeadingFilter") as? Double == 1)
        }

        @Test func `Options are checked one by one and the error names the wrong one`() throws {
            let client = try OutsideClient(bus)
            let long = String(repeating: "x", count: 201)
            for (options, part) in [
                ("@a{sv} {}", "'Reason'"), ("{'Reason': <''>}", "'Reason'"), ("{'Reason': <5>}", "'Reason'"),
                ("{'Reason': <'\(long)'>}", "'Reason'"), ("{'Reason': <'x'>, 'AppId': <true>}", "'AppId'"),
                ("{'Reason': <'x'>, 'Preset': <'rocket'>}", "'Preset'"),
                ("{'Reason': <'x'>, 'Preset': <uint32 1>}", "'Preset'"),
            ] {
                let refusal = try client.refusal(
                    "/org/locateme", "org.locateme.Manager1", "CreateSession", "(a{sv})", "(\(options),)")
                #expect(refusal?.name == "org.freedesktop.DBus.Error.InvalidArgs", "\(options)")
                #expect(refusal?.text.contains(part) == true, "\(options): \(refusal?.text ?? "")")
            }
            let wake = try client.refusal(
                "/org/locateme", "org.locateme.Manager1", "CreateSession", "(a{sv})",
                "({'Reason': <'x'>, 'WakeName': <'org.example.App'>},)")
            #expect(wake?.name == "org.freedesktop.DBus.Error.NotSupported")
            // Keys that nobody knows are ignored; the right ones work.
            let path = try client.openSession(
                "{'Reason': <'x'>, 'Colour': <'red'>, 'AppId': <'org.example.App.desktop'>}")
            #expect(try client.property(path, "org.locateme.Session1", "AppId") as? String == "org.example.App")
        }

        @Test func `Wrong types and unknown members get the error that says so`() throws {
            let client = try OutsideClient(bus)
            let path = try client.openSession()
            let error = "org.freedesktop.DBus.Error."
            for (interface, member, type, text, name) in [
                ("org.locateme.Heading1", "GetHeading", "(s)", "('x',)", "InvalidArgs"),
                ("org.locateme.Heading1", "GetHeading", "()", "()", "InvalidArgs"),
                ("org.locateme.Heading1", "Start", "(u)", "(1,)", "InvalidArgs"),
                ("org.locateme.Heading1", "Fly", "()", "()", "UnknownMethod"),
                ("org.locateme.Nothing1", "Start", "()", "()", "UnknownInterface"),
                ("org.locateme.Session1", "SetForeground", "(u)", "(3,)", "InvalidArgs"),
                (
                    "org.freedesktop.DBus.Properties", "Get", "(ss)", "('org.locateme.Heading1', 'Nope')",
                    "UnknownProperty"
                ),
                (
                    "org.freedesktop.DBus.Properties", "Set", "(ssv)", "('org.locateme.Heading1', 'Running', <true>)",
                    "PropertyReadOnly"
                ),
                (
                    "org.freedesktop.DBus.Properties", "Set", "(ssv)",
                    "('org.locateme.Heading1', 'HeadingFilter', <'5'>)",
                    "InvalidArgs"
                ),
                (
                    "org.freedesktop.DBus.Properties", "Set", "(ssv)",
                    "('org.locateme.Heading1', 'HeadingFilter', <-3.0>)",
                    "InvalidArgs"
                ),
                (
                    "org.freedesktop.DBus.Properties", "Set", "(ssv)",
                    "('org.locateme.Heading1', 'HeadingOrientation', <uint32 5>)", "InvalidArgs"
                ),
                (
                    "org.freedesktop.DBus.Properties", "Set", "(ssv)",
                    "('org.locateme.Location1', 'DistanceFilter', <-7.0>)", "InvalidArgs"
                ),
            ] {
                let refusal = try client.refusal(path, interface, member, type, text)
                #expect(refusal?.name == error + name, "\(interface).\(member)\(text): \(String(describing: refusal))")
                #expect(refusal?.text.isEmpty == false)
            }
            let missing = try client.refusal("/org/locateme/nowhere", "org.locateme.Manager1", "UnregisterAgent")
            #expect(missing?.name == error + "UnknownObject")
        }

        @Test func `A session ends with Close, and the owner is told`() throws {
            let client = try OutsideClient(bus)
            let path = try client.openSession()
            try client.call(path, "org.locateme.Session1", "Close")
            let closed = try client.wait("Closed") { $0.first { $0.member == "Closed" && $0.path == path } }
            #expect((closed.arguments.first as? NSNumber)?.intValue == 1)
            _ = try client.wait("InterfacesRemoved") { $0.first { $0.member == "InterfacesRemoved" } }
            let refusal = try client.refusal(path, "org.locateme.Session1", "Close")
            #expect(refusal?.name == "org.freedesktop.DBus.Error.AccessDenied")
        }

        @Test func `A client that leaves takes its sessions along, and the sensors go off within a second`() throws {
            let leaver = try OutsideClient(bus)
            let watcher = try OutsideClient(bus)
            let path = try leaver.openSession()
            try leaver.call(path, "org.locateme.Heading1", "Start")
            _ = try leaver.wait("heading") { $0.first { $0.member == "HeadingUpdated" } }
            #expect(try watcher.property("/org/locateme", "org.locateme.Manager1", "InUse") as? Bool == true)
            kill(leaver.process.processIdentifier, SIGKILL)
            let left = Date()
            _ = try watcher.wait("InUse false") { signals in
                // Other properties may change after it.
                signals.first {
                    $0.member == "PropertiesChanged"
                        && ($0.arguments[1] as? [String: Any])?["InUse"] as? Bool == false
                }
            }
            #expect(Date().timeIntervalSince(left) < 1)
            #expect(try watcher.property("/org/locateme/compass", "org.locateme.Compass1", "Rate") as? Double == 0)
            #expect(try watcher.property("/org/locateme", "org.locateme.Status1", "MagneticHeading") as? Double == -1)
        }

        @Test func `A connection may have sixteen sessions, a user sixty-four`() throws {
            let clients = try (0..<5).map { _ in try OutsideClient(bus) }
            for client in clients.dropLast() {
                for _ in 0..<16 { _ = try client.openSession() }
                let refusal = try client.refusal(
                    "/org/locateme", "org.locateme.Manager1", "CreateSession", "(a{sv})", "({'Reason': <'x'>},)")
                #expect(refusal?.name == "org.freedesktop.DBus.Error.LimitsExceeded")
            }
            let last = try #require(clients.last)
            let refusal = try last.refusal(
                "/org/locateme", "org.locateme.Manager1", "CreateSession", "(a{sv})", "({'Reason': <'x'>},)")
            #expect(refusal?.name == "org.freedesktop.DBus.Error.LimitsExceeded")
            clients[0].process.stop()
            // Room is there again as soon as the daemon has heard of the end.
            try daemon.process.waitForError(containing: "\(clients[0].uniqueName) has left the bus")
            #expect(try last.openSession().hasPrefix("/org/locateme/session/"))
        }

        @Test func `What is not there yet says so instead of pretending`() throws {
            let client = try OutsideClient(bus)
            let manager = try client.properties("/org/locateme", "org.locateme.Manager1")
            for name in ["RegionMonitoringAvailable", "GeocodingAvailable"] {
                #expect(manager[name] as? Bool == false, "\(name)")
            }
            #expect(manager["MaximumRegionRadius"] as? Double == -1)
            #expect(manager["HeadingAvailable"] as? Bool == true)
            for (member, type, text) in [
                ("CompleteWake", "(s)", "('x',)"), ("RegisterAgent", "(ou)", "(objectpath '/a', 1)"),
                ("UnregisterAgent", "()", "()"),
            ] {
                let refusal = try client.refusal("/org/locateme", "org.locateme.Manager1", member, type, text)
                #expect(refusal?.name == "org.freedesktop.DBus.Error.NotSupported", "\(member)")
            }
            let status = try client.call(
                "/org/locateme", "org.locateme.Manager1", "RequestAuthorization", "(uusa{sv})",
                "(2, 2, 'test', {})")
            #expect((status.first as? NSNumber)?.intValue == 3, "always, as asked")
        }
    }
}
