import Foundation
import TestSupport
import Testing

extension EndToEnd {
    struct PrivacyTests {
        @Test(.needs(.root), .needs(.program("setpriv")))
        func `Bar 2: a spy of another user sees no message with a heading or a place`() throws {
            let bus = try SystemBus.withProductPolicy()
            let recording = try TurningPhone(heading: { 36 * $0 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(
                bus, ["--replay", recording, "--loop", "--place", "47.377,8.542,408"], busArgument: "system")
            let spy = try OutsideClient(bus, user: "nobody")
            // It may not eavesdrop on this bus, and it may not become a monitor.
            for kind in ["signal", "method_call", "method_return"] {
                let refusal = #expect(throws: OutsideClient.Refusal.self) {
                    try spy.addMatch("eavesdrop='true',type='\(kind)'")
                }
                #expect(refusal?.name == "org.freedesktop.DBus.Error.AccessDenied")
            }
            let monitoring = try spy.refusal(
                "/org/freedesktop/DBus", "org.freedesktop.DBus.Monitoring", "BecomeMonitor", "(asu)", "(@as [], 0)",
                destination: "org.freedesktop.DBus")
            #expect(monitoring?.name == "org.freedesktop.DBus.Error.AccessDenied")

            // Everything at once: headings, places, poses, single requests, properties, the object manager.
            let client = try OutsideClient(bus)
            let session = try client.openSession("{'Reason': <'test'>, 'AppId': <'org.example.Secret'>}")
            try client.set(session, "org.locateme.Heading1", "HeadingFilter", "-1.0")
            try client.call(session, "org.locateme.SignificantChange1", "Start", "(a{sv})", "(@a{sv} {},)")
            try client.call(session, "org.locateme.Visits1", "Start")
            try client.call(session, "org.locateme.Heading1", "Start")
            try client.call(session, "org.locateme.Location1", "Start")
            try client.call(session, "org.locateme.Pose1", "Start")
            try client.call(session, "org.locateme.Heading1", "GetHeading", "(u)", "(0,)")
            try client.call(session, "org.locateme.Location1", "RequestLocation", "(duu)", "(0.0, 1000, 0)")
            try client.call(session, "org.locateme.Pose1", "Get", "(u)", "(0,)")
            _ = try client.properties("/org/locateme", "org.locateme.Status1")
            _ = try client.wait("updates of all kinds") { signals in
                let kinds = Set(signals.map(\.member))
                return kinds.isSuperset(of: [
                    "HeadingUpdated", "LocationsUpdated", "PoseUpdated", "SignificantChange",
                ]) ? true : nil
            }
            try client.call(session, "org.locateme.Session1", "Close")
            // The change of a public property comes after all that, and the spy does see that one.
            _ = try spy.wait("InUse false") { signals in
                signals.contains { signal in
                    signal.member == "PropertiesChanged"
                        && (signal.arguments[1] as? [String: Any])?["InUse"] as? Bool == false
                } ? true : nil
            }

            let seen = try spy.signals().filter { $0.sender != "org.freedesktop.DBus" }
            // Beside the manager's own, only state and quality of the calibration and the power are told to everybody.
            #expect(
                seen.allSatisfy { signal in
                    guard signal.member == "PropertiesChanged" else { return false }
                    if signal.path == "/org/locateme" { return true }
                    let names = (signal.arguments[1] as? [String: Any])?.keys.map { $0 } ?? []
                    if signal.path == "/org/locateme/power" {
                        return Set(names).isSubset(of: ["PowerState", "Profile"])
                    }
                    return signal.arguments[0] as? String == "org.locateme.Calibration1"
                        && Set(names).isSubset(of: ["State", "Quality"])
                })
            for secret in [
                "HeadingUpdated", "LocationsUpdated", "PoseUpdated", "SignificantChange", "org.example.Secret",
                "47.377", "8.542", session,
            ] {
                #expect(!seen.contains { "\($0)".contains(secret) }, "\(secret) in what the spy saw")
            }
            #expect(daemon.process.isRunning)
        }

        @Test(.needs(.root), .needs(.program("setpriv")))
        func `P21, P28: another user gets magnetic headings but no place and no true north`() throws {
            let bus = try SystemBus.withProductPolicy()
            let recording = try TurningPhone(heading: { _ in 90 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(
                bus, ["--replay", recording, "--loop", "--place", "47.377,8.542,408"], busArgument: "system")
            let nobody = try OutsideClient(bus, user: "nobody")
            let session = try nobody.openSession()
            #expect(
                (try nobody.property(session, "org.locateme.Session1", "Authorization") as? NSNumber)?.intValue == 2)
            for (interface, member, type, text) in [
                ("org.locateme.Location1", "Start", "()", "()"), ("org.locateme.Pose1", "Start", "()", "()"),
                ("org.locateme.Location1", "RequestLocation", "(duu)", "(0.0, 100, 0)"),
                ("org.locateme.Location1", "GetLastKnown", "(u)", "(0,)"), ("org.locateme.Pose1", "Get", "(u)", "(0,)"),
            ] {
                let refusal = try nobody.refusal(session, interface, member, type, text)
                #expect(refusal?.name == "org.locateme.Error.Denied", "\(interface).\(member)")
            }
            let reply = try nobody.call(session, "org.locateme.Heading1", "GetHeading", "(u)", "(0,)")
            let heading = try HeadingValue(reply.first)
            #expect(apart(heading.magnetic, 90) < 0.5)
            #expect(heading.trueHeading == -1)
            for key in ["Declination", "DeclinationAccuracy", "Model", "ExpectedField", "ExpectedInclination"] {
                #expect(heading.extras[key] == nil, "\(key) tells the place")
            }
            let override = try nobody.refusal(
                "/org/locateme/compass", "org.freedesktop.DBus.Properties", "Set", "(ssv)",
                "('org.locateme.Compass1', 'DeclinationOverride', <3.0>)")
            #expect(override?.name == "org.freedesktop.DBus.Error.AccessDenied")

            // The glance of another user while the owner's session runs.
            let root = try OutsideClient(bus)
            let running = try root.openSession()
            try root.call(running, "org.locateme.Heading1", "Start")
            _ = try root.wait("true heading") { signals in
                try signals.first {
                    try $0.member == "HeadingUpdated" && HeadingValue($0.arguments[0]).trueHeading >= 0
                }
            }
            let open = try root.properties("/org/locateme", "org.locateme.Status1")
            #expect((open["TrueHeading"] as? Double ?? -1) >= 0)
            #expect(open["Latitude"] as? Double == 47.377)
            let closed = try nobody.properties("/org/locateme", "org.locateme.Status1")
            #expect((closed["MagneticHeading"] as? Double ?? -1) >= 0)
            #expect(closed["TrueHeading"] as? Double == -1)
            #expect(closed["Latitude"] as? String == "nan")
            #expect(closed["Longitude"] as? String == "nan")
            #expect(closed["HorizontalAccuracy"] as? Double == -1)
            #expect(daemon.process.isRunning)
        }
    }
}
