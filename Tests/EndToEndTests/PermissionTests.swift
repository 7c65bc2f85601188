import Foundation
import TestSupport
import Testing

extension PlaceEndToEnd {
    struct PermissionTests {
        private func systemBus() throws -> PrivateBus {
            // Who may talk to whom is not what these tests are about.
            try PrivateBus(
                .system(
                    policies: "<policy context=\"default\"><allow own=\"*\"/><allow send_destination=\"*\"/></policy>"))
        }

        private func number(_ value: Any) -> Int? { (value as? NSNumber)?.intValue }

        @Test(.needs(.root), .needs(.program("setpriv")), .needs(.program("pkaction")))
        func
            `A7, P16, P27: polkit gives another user nothing, then a coarse place, then the exact one, and takes it back, live`()
            throws
        {
            let bus = try systemBus()
            let polkit = try RealPolicyKit(bus)
            let recording = try TurningPhone(heading: { _ in 90 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(
                bus, ["--replay", recording, "--loop", "--place", "47.377,8.542,408"], busArgument: "system")
            let nobody = try OutsideClient(bus, user: "nobody")
            let session = try nobody.openSession("{'Reason': <'test'>, 'AppId': <'org.example.Map'>}")
            let session1 = "org.locateme.Session1"
            #expect(number(try nobody.property(session, session1, "Authorization")) == 2)
            let location = "org.locateme.Location1"
            #expect(try nobody.refusal(session, location, "Start")?.name == "org.locateme.Error.Denied")

            func waitFor(_ status: Int, _ accuracy: Int) throws {
                let deadline = Date(timeIntervalSinceNow: 40)
                while true {
                    let values = try nobody.properties(session, session1)
                    let isSo =
                        number(values["Authorization"] ?? 0) == status
                        && number(values["AccuracyAuthorization"] ?? 0) == accuracy
                    if isSo { return }
                    try #require(Date() < deadline, "\(values)")
                    usleep(100_000)
                }
            }
            try polkit.permit("org.locateme.location.reduced", to: "nobody")
            try waitFor(4, 1)
            // It was told, not only found.
            #expect(
                try nobody.signals("PropertiesChanged").contains { signal in
                    signal.path == session && (signal.arguments[1] as? [String: Any])?["AccuracyAuthorization"] != nil
                })
            let coarse = try FixValue(try nobody.call(session, location, "GetLastKnown", "(u)", "(0,)").first)
            #expect(coarse.flags & 8 != 0)
            #expect(coarse.horizontalAccuracy == 3000)
            #expect(abs(coarse.latitude - 47.377) < 0.05 && coarse.latitude != 47.377)
            let again = try FixValue(try nobody.call(session, location, "GetLastKnown", "(u)", "(0,)").first)
            #expect(again.latitude == coarse.latitude && again.longitude == coarse.longitude)
            #expect(
                try nobody.refusal(session, "org.locateme.Visits1", "Start")?.name == "org.locateme.Error.Denied")
            let glance = try nobody.properties("/org/locateme", "org.locateme.Status1")
            #expect(glance["Latitude"] as? Double != 47.377)
            #expect((glance["HorizontalAccuracy"] as? Double ?? 0) >= 3000)

            // Declination, strength and dip of the model: three figures that tell the exact place, if they are of it.
            func model(_ names: [String] = ["Declination", "ExpectedField", "ExpectedInclination"]) throws -> [Double] {
                let reply = try nobody.call(session, "org.locateme.Heading1", "GetHeading", "(u)", "(0,)")
                let heading = try HeadingValue(reply.first)
                #expect(abs(heading.trueHeading - heading.magnetic - 3.7) < 0.2)
                return try names.map { try #require(heading.extras[$0].flatMap(Double.init)) }
            }
            let coarseModel = try model()
            #expect(try model() == coarseModel)
            try nobody.call(session, "org.locateme.Heading1", "Start")
            func glanced() throws -> Double {
                let glance = try nobody.properties("/org/locateme", "org.locateme.Status1")
                return try #require(glance["TrueHeading"] as? Double) - (glance["MagneticHeading"] as? Double ?? 0)
            }
            let coarseGlance = try glanced()
            // Those who may know more at the same time change nothing.
            let root = try OutsideClient(bus)
            let other = try root.openSession()
            try root.call(other, "org.locateme.Heading1", "Start")
            func told(_ client: OutsideClient) throws -> Double {
                try client.wait("a heading") { signals in
                    try signals.last { $0.member == "HeadingUpdated" }.flatMap {
                        try HeadingValue($0.arguments.first).extras["Declination"].flatMap(Double.init)
                    }
                }
            }
            #expect(try told(nobody) == coarseModel[0])
            #expect(try abs(told(root) - coarseModel[0]) > 1e-5)

            try polkit.permit("org.locateme.location.precise", to: "nobody")
            try waitFor(4, 2)
            let exactModel = try model()
            for (coarse, exact) in zip(coarseModel, exactModel) {
                // 100 m are 1e-3° of dip, 3e-4° of declination and 6e-4 µT there (WMM2025); some kilometres a fiftieth.
                #expect(abs(coarse - exact) > 1e-5 && abs(coarse - exact) < 0.2)
            }
            #expect(try abs(glanced() - coarseGlance) > 1e-5)
            let exact = try FixValue(try nobody.call(session, location, "GetLastKnown", "(u)", "(0,)").first)
            #expect(exact.latitude == 47.377)
            try polkit.permit("org.locateme.location.background", to: "nobody")
            try waitFor(3, 2)
            try nobody.call(session, location, "Start")

            try polkit.withdrawRules()
            try waitFor(2, 0)
            let error = try nobody.wait("error") { $0.first { $0.member == "Error" } }
            #expect(error.arguments.first as? String == "org.locateme.Error.Denied")
            #expect(number(try nobody.property(session, location, "Mode")) == 0)
            #expect(daemon.process.isRunning)
        }

        @Test(.needs(.root), .needs(.program("setpriv")), .needs(.program("pkaction")))
        func `P27: who may know a coarse place gets coarse places and poses, and the exact one by no other road`()
            throws
        {
            let bus = try systemBus()
            let polkit = try RealPolicyKit(bus)
            try polkit.permit("org.locateme.location.reduced", to: "nobody")
            let recording = try TurningPhone(heading: { 36 * $0 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(
                bus, ["--replay", recording, "--loop", "--place", "47.377,8.542,408"], busArgument: "system")
            let nobody = try OutsideClient(bus, user: "nobody")
            let session = try nobody.openSession()
            let limit = Date(timeIntervalSinceNow: 40)
            while number(try nobody.property(session, "org.locateme.Session1", "AccuracyAuthorization")) != 1 {
                try #require(Date() < limit, "the rule has no effect")
                usleep(100_000)
            }
            for interface in ["Heading1", "Location1", "Pose1"] {
                try nobody.call(session, "org.locateme.\(interface)", "Start")
            }
            _ = try nobody.refusal(session, "org.locateme.SignificantChange1", "Start", "(a{sv})", "(@a{sv} {},)")
            let place = try nobody.call(
                session, "org.locateme.Location1", "RequestLocation", "(duu)", "(0.0, 20000, 60000)")
            let pose = try nobody.call(session, "org.locateme.Pose1", "Get", "(u)", "(0,)")
            // Another who may know the exact place asks for it at the same time.
            let root = try OutsideClient(bus)
            let other = try root.openSession()
            try root.call(other, "org.locateme.Pose1", "Start")
            let exact = try root.wait("the exact pose") { $0.last { $0.member == "PoseUpdated" } }
            #expect(try FixValue(exact.arguments[2]).latitude == 47.377)
            let signals = try nobody.wait("places and poses") { signals in
                let kinds = Set(signals.map(\.member))
                return kinds.isSuperset(of: ["LocationsUpdated", "PoseUpdated", "HeadingUpdated"]) ? signals : nil
            }
            var fixes = [try FixValue(place.first), try FixValue(pose[1])]
            for signal in signals where signal.member == "PoseUpdated" {
                // Bit 1: the place is valid.
                if let valid = number(signal.arguments[1]), valid & 1 != 0 {
                    fixes.append(try FixValue(signal.arguments[2]))
                }
            }
            #expect(fixes.count > 2, "no pose has a place")
            for fix in fixes {
                #expect(fix.flags & 8 != 0 && fix.horizontalAccuracy >= 3000)
                #expect(abs(fix.latitude - 47.377) < 0.05 && abs(fix.longitude - 8.542) < 0.07)
                #expect(fix.latitude == fixes[0].latitude && fix.longitude == fixes[0].longitude)
            }

            // Whatever else it can read.
            var seen = signals.map { "\($0)" } + ["\(place)", "\(pose)"]
            for (path, interfaces) in [
                ("/org/locateme", ["Manager1", "Status1"]), ("/org/locateme/compass", ["Compass1", "Calibration1"]),
                ("/org/locateme/power", ["Power1"]),
                (session, ["Session1", "Location1", "Heading1", "Pose1", "SignificantChange1", "Visits1"]),
            ] {
                for interface in interfaces {
                    seen.append("\(try nobody.properties(path, "org.locateme.\(interface)"))")
                }
                seen.append("\(try nobody.call(path, "org.freedesktop.DBus.Introspectable", "Introspect"))")
            }
            for (path, interface, member) in [
                ("/org/locateme/compass", "org.locateme.Compass1", "ListSensors"),
                ("/org/locateme/compass", "org.locateme.Compass1", "Diagnose"),
                ("/org/locateme/compass", "org.locateme.Calibration1", "Get"),
            ] { seen.append("\(try nobody.call(path, interface, member))") }
            for secret in ["47.377", "8.542"] {
                let leaks = seen.filter { $0.contains(secret) }
                #expect(leaks.isEmpty, "\(secret) in \(leaks)")
            }
            // The coarse place is there in words, so the exact one would be found.
            #expect(seen.contains { $0.contains("\(fixes[0].latitude)".prefix(8)) })
            #expect(daemon.process.isRunning)
        }

        @Test(.needs(.root), .needs(.program("setpriv")), .needs(.program("pkaction")))
        func `Calibration and declination each need their own action; nobody waits for an agent that is not there`()
            throws
        {
            let bus = try systemBus()
            let polkit = try RealPolicyKit(bus)
            let recording = try TurningPhone(heading: { _ in 90 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(
                bus, ["--replay", recording, "--loop", "--place", "47.377,8.542,408"], busArgument: "system")
            let nobody = try OutsideClient(bus, user: "nobody")
            let compass = "/org/locateme/compass"
            func setDeclination() throws -> String? {
                try nobody.refusal(
                    compass, "org.freedesktop.DBus.Properties", "Set", "(ssv)",
                    "('org.locateme.Compass1', 'DeclinationOverride', <3.0>)")?.name
            }
            func reset() throws -> String? {
                try nobody.refusal(compass, "org.locateme.Calibration1", "Reset")?.name
            }
            let denied = "org.freedesktop.DBus.Error.AccessDenied"
            #expect(try setDeclination() == denied)
            #expect(try reset() == denied)
            #expect(try nobody.refusal(compass, "org.locateme.Calibration1", "Get") == nil)
            let answer = try nobody.call(
                "/org/locateme", "org.locateme.Manager1", "RequestAuthorization", "(uusa{sv})",
                "(1, 2, 'a map', @a{sv} {})")
            #expect(number(answer[0]) == 2, "polkit's own default is no")

            try polkit.permit("org.locateme.calibrate", to: "nobody")
            let deadline = Date(timeIntervalSinceNow: 40)
            while try reset() == denied { try #require(Date() < deadline) }
            #expect(try setDeclination() == denied)
            try polkit.permit("org.locateme.manage", to: "nobody")
            while try setDeclination() == denied { try #require(Date() < deadline) }
            #expect(daemon.process.isRunning)
        }

        @Test(.needs(.root), .needs(.program("setpriv")))
        func `A polkit that hangs lets headings through at once and refuses places after some seconds`() throws {
            let bus = try systemBus()
            // A name without anybody behind it: our own client owns it and never answers.
            let silent = try OutsideClient(bus)
            try silent.call(
                "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName", "(su)",
                "('org.freedesktop.PolicyKit1', 0)", destination: "org.freedesktop.DBus")
            silent.process.signal(SIGSTOP)
            defer { silent.process.signal(SIGCONT) }
            let recording = try TurningPhone(heading: { _ in 90 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(
                bus, ["--replay", recording, "--loop", "--place", "47.377,8.542"], busArgument: "system")
            let nobody = try OutsideClient(bus, user: "nobody")
            let session = try nobody.openSession()
            let start = Date()
            let waiting = try nobody.send(session, "org.locateme.Location1", "Start")
            let heading = try nobody.call(session, "org.locateme.Heading1", "GetHeading", "(u)", "(0,)")
            #expect(apart(try HeadingValue(heading.first).magnetic, 90) < 1)
            let refusal = #expect(throws: OutsideClient.Refusal.self) { _ = try nobody.answer(to: waiting) }
            #expect(refusal?.name == "org.locateme.Error.Denied")
            #expect(Date().timeIntervalSince(start) < 40)
            #expect(daemon.process.errorText.contains("polkit gave no answer"))
        }

        @Test(.needs(.root), .needs(.program("setpriv")))
        func `Without polkit the active user may know places, and as long as the session is the active one only`()
            throws
        {
            let bus = try systemBus()
            let manager = try FakeLoginManager(bus)
            manager.send("user 65534")
            let recording = try TurningPhone(heading: { _ in 90 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(
                bus, ["--replay", recording, "--loop", "--place", "47.377,8.542"], busArgument: "system")
            let nobody = try OutsideClient(bus, user: "nobody")
            let session = try nobody.openSession()
            func mayKnow() -> Bool {
                (try? nobody.call(session, "org.locateme.Location1", "RequestLocation", "(duu)", "(0.0, 20000, 60000)"))
                    != nil
            }
            func wait(until wanted: Bool) throws {
                let deadline = Date(timeIntervalSinceNow: 30)
                while mayKnow() != wanted { try #require(Date() < deadline, "still \(!wanted)") }
            }
            try wait(until: true)
            try nobody.call(session, "org.locateme.Location1", "Start")
            manager.send("user 1000")
            try wait(until: false)
            let told = try nobody.property("/org/locateme", "org.locateme.Status1", "Latitude") as? Double
            #expect(told?.isNaN ?? true)
            manager.send("user 65534")
            try wait(until: true)
            #expect(daemon.process.isRunning)
        }

        @Test func `P2, P8, A8, T47: places switched off for everybody are off at once, and told; headings go on`()
            throws
        {
            let bus = try PrivateBus()
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("switch-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let file = folder.appendingPathComponent("locateme.conf")
            func write(_ state: String) throws {
                try "[place]\nlocation-services = \(state)\nplace = 47.377,8.542\nfuture-key = 1\n"
                    .write(to: file, atomically: true, encoding: .utf8)
            }
            try write("on")
            let recording = try TurningPhone(heading: { _ in 90 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(
                bus, ["--replay", recording, "--loop", "--place", "47.377,8.542", "--config", file.path])
            #expect(daemon.process.errorText.contains("unknown key 'future-key', ignoring"))
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            try client.call(session, "org.locateme.Location1", "Start")
            try write("off")
            kill(daemon.process.processIdentifier, SIGHUP)
            let error = try client.wait("error") { $0.first { $0.member == "Error" } }
            #expect(error.arguments.first as? String == "org.locateme.Error.ServicesDisabled")
            let manager = "org.locateme.Manager1"
            #expect(try client.property("/org/locateme", manager, "LocationServicesEnabled") as? Bool == false)
            #expect(
                try client.refusal(session, "org.locateme.Location1", "Start")?.name
                    == "org.locateme.Error.ServicesDisabled")
            #expect(try client.properties("/org/locateme", "org.locateme.Status1")["Latitude"] as? String == "nan")
            _ = try client.call(session, "org.locateme.Heading1", "GetHeading", "(u)", "(0,)")
            try write("on")
            kill(daemon.process.processIdentifier, SIGHUP)
            let deadline = Date(timeIntervalSinceNow: 30)
            while try client.refusal(session, "org.locateme.Location1", "Start") != nil {
                try #require(Date() < deadline)
            }
        }
    }
}
