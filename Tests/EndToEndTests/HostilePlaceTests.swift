import Foundation
import TestSupport
import Testing

extension LongEndToEnd {
    /// Bar 28: arguments that nobody in his right mind would send, and callers that have no business there.
    struct HostilePlaceTests {
        private static let numbers = ["nan", "inf", "-inf", "1e308", "-1e308", "-0.0", "2.3e-308"]
        private static let unsigned = ["0", "1", "2147483648", "4294967295"]

        @Test func `Bar 28: every number in every place is answered, with a value or an error of the contract`() throws
        {
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(bus, ["--simulate", "--place", "47.377,8.542"])
            let client = try OutsideClient(bus)
            let session = try client.openSession("{'Reason': <'test'>, 'AppId': <'org.example.Fuzz'>}")
            let allowed: Set<String> = [
                "org.freedesktop.DBus.Error.InvalidArgs", "org.freedesktop.DBus.Error.NotSupported",
                "org.freedesktop.DBus.Error.LimitsExceeded", "org.locateme.Error.LocationUnknown",
            ]
            func expectAnswer(_ path: String, _ interface: String, _ member: String, _ type: String, _ text: String)
                throws
            {
                if let refusal = try client.refusal(path, interface, member, type, text) {
                    #expect(allowed.contains(refusal.name), "\(member)\(text): \(refusal)")
                }
            }
            let properties = "org.freedesktop.DBus.Properties"
            for (interface, name) in [
                ("Location1", "DesiredAccuracy"), ("Location1", "DistanceFilter"), ("Location1", "RequiredAccuracy"),
                ("SignificantChange1", "Distance"),
            ] {
                for number in Self.numbers {
                    try expectAnswer(
                        session, properties, "Set", "(ssv)", "('org.locateme.\(interface)', '\(name)', <\(number)>)")
                    let value = try client.property(session, "org.locateme.\(interface)", name) as? Double
                    #expect(value?.isFinite == true, "\(name) = \(number)")
                }
            }
            for (interface, name) in [
                ("Location1", "AcceptTimeout"), ("Location1", "AcceptTries"), ("Location1", "MinimumInterval"),
                ("Location1", "MaximumDelay"), ("Location1", "MaximumAge"), ("Location1", "ActivityType"),
                ("SignificantChange1", "MinimumInterval"),
            ] {
                for number in Self.unsigned {
                    try expectAnswer(
                        session, properties, "Set", "(ssv)",
                        "('org.locateme.\(interface)', '\(name)', <uint32 \(number)>)")
                }
                // The wrong type is refused.
                #expect(
                    try client.refusal(
                        session, properties, "Set", "(ssv)", "('org.locateme.\(interface)', '\(name)', <'x'>)")?.name
                        == "org.freedesktop.DBus.Error.InvalidArgs")
            }
            try client.call(session, "org.locateme.Location1", "Start")
            try client.call(session, "org.locateme.SignificantChange1", "Start", "(a{sv})", "(@a{sv} {},)")
            try client.call(session, "org.locateme.Visits1", "Start")
            for number in Self.numbers {
                try expectAnswer(session, "org.locateme.Location1", "RequestLocation", "(duu)", "(\(number), 1, 0)")
            }
            for number in Self.unsigned {
                try expectAnswer(session, "org.locateme.Location1", "GetLastKnown", "(u)", "(\(number),)")
                try expectAnswer(session, "org.locateme.Session1", "SetForeground", "(u)", "(\(number),)")
            }
            for number in ["0", "1", "18446744073709551615", "9223372036854775808"] {
                try expectAnswer(session, "org.locateme.Session1", "AckEvents", "(t)", "(\(number),)")
                try expectAnswer(session, "org.locateme.Session1", "PendingEvents", "(tu)", "(\(number), 4294967295)")
            }
            for options in [
                "{'Persistent': <'yes'>}", "{'Wake': <true>}", "{'Wake': <1.0>}",
                "{'Persistent': <true>, 'x': <[1,2]>}",
            ] {
                try expectAnswer(session, "org.locateme.SignificantChange1", "Start", "(a{sv})", "(\(options),)")
            }
            for application in ["''", "'\(String(repeating: "a", count: 300))'", "'../../etc/passwd'", "'a\\nb'"] {
                try expectAnswer("/org/locateme/power", "org.locateme.Power1", "GetPolicy", "(s)", "(\(application),)")
                try expectAnswer(
                    "/org/locateme/power", "org.locateme.Power1", "SetPolicy", "(sa{sv})",
                    "(\(application), {'OnBattery': <uint32 7>})")
            }
            // A session afterwards works as if nothing had been.
            try client.call(session, "org.locateme.Session1", "Close")
            let next = try client.openSession()
            let fix = try FixValue(
                try client.call(next, "org.locateme.Location1", "RequestLocation", "(duu)", "(0.0, 20000, 60000)").first
            )
            #expect(fix.latitude.isFinite)
            #expect(daemon.process.isRunning)
        }

        /// `LOCATEME_FUZZ_SECONDS` makes it go on for so long, with another seed each time.
        @Test(.needs(.pythonModule("gi")))
        func `Bar 28: random members, signatures, values and sizes are all answered, and leave the service as it was`()
            throws
        {
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(bus, ["--simulate", "--place", "47.377,8.542"])
            let seconds = ProcessInfo.processInfo.environment["LOCATEME_FUZZ_SECONDS"]
            let seed = seconds == nil ? 7 : UInt32.random(in: 0 ... .max)
            func run(_ arguments: [String]) throws -> [String: Any] {
                let hostile = try Command.run(
                    "/usr/bin/python3",
                    [Repository.file("Tests/Clients/hostile_client.py").path, bus.address] + arguments)
                let line = hostile.output.split(separator: "\n").last.map(String.init) ?? ""
                return try #require(
                    try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                    "seed \(seed): \(hostile.errors)\n\(daemon.process.errorText.suffix(3000))")
            }
            _ = try run(["\(seed)", "150"])
            let before = daemon.residentKilobytes
            let result = try run(["\(seed &+ 1)", "600"] + [seconds].compactMap { $0 })
            print("hostile calls: \(result)")
            #expect((result["answered"] as? Int ?? 0) > 100)
            #expect(result["unanswered"] as? Int == 0, "seed \(seed): \(result)")
            let errors = (result["errors"] as? [String: Any] ?? [:]).keys
            #expect(
                errors.allSatisfy {
                    $0.hasPrefix("org.freedesktop.DBus.Error.") || $0.hasPrefix("org.locateme.Error.")
                }, "\(errors)")
            #expect(!errors.contains("org.freedesktop.DBus.Error.Disconnected"))
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            _ = try client.call(session, "org.locateme.Location1", "RequestLocation", "(duu)", "(0.0, 30000, 0)")
            _ = try client.call(session, "org.locateme.Heading1", "GetHeading", "(u)", "(0,)")
            #expect(daemon.residentKilobytes < before + 4096)
            #expect(daemon.process.isRunning)
        }

        @Test func `Bar 28: a policy of 10 MB is refused or ignored, and memory stays`() throws {
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(bus, ["--simulate"])
            let client = try OutsideClient(bus)
            let before = daemon.residentKilobytes
            let big = "{'x': <@ay [\(String(repeating: "0x41,", count: 400_000))0x41]>}"
            _ = try? client.call("/org/locateme/power", "org.locateme.Power1", "SetPolicy", "(sa{sv})", "('a', \(big))")
            let session = try client.openSession()
            _ = try? client.call(session, "org.locateme.SignificantChange1", "Start", "(a{sv})", "(\(big),)")
            #expect(try client.property("/org/locateme", "org.locateme.Manager1", "Version") is String)
            #expect(daemon.residentKilobytes < before + 8000)
            #expect(daemon.process.isRunning)
        }

        @Test func `Bar 3: nobody but the owner uses a session's changes, visits and events`() throws {
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(bus, ["--simulate"])
            let owner = try OutsideClient(bus)
            let stranger = try OutsideClient(bus)
            let session = try owner.openSession("{'Reason': <'test'>, 'AppId': <'org.example.Track'>}")
            let absent = "/org/locateme/session/00000000000000000000000000000000"
            for (interface, member, type, text) in [
                ("SignificantChange1", "Start", "(a{sv})", "(@a{sv} {},)"), ("SignificantChange1", "Stop", "()", "()"),
                ("Visits1", "Start", "()", "()"), ("Visits1", "Stop", "()", "()"),
                ("Session1", "AckEvents", "(t)", "(1,)"), ("Session1", "PendingEvents", "(tu)", "(0, 1)"),
                ("Session1", "SetForeground", "(u)", "(2,)"), ("Location1", "Flush", "()", "()"),
            ] {
                let known = try stranger.refusal(session, "org.locateme.\(interface)", member, type, text)
                let unknown = try stranger.refusal(absent, "org.locateme.\(interface)", member, type, text)
                #expect(known?.name == "org.freedesktop.DBus.Error.AccessDenied", "\(interface).\(member)")
                #expect(
                    known?.text.replacingOccurrences(of: session, with: "")
                        == unknown?.text.replacingOccurrences(of: absent, with: ""))
            }
            for interface in ["SignificantChange1", "Session1", "Location1"] {
                let known = try stranger.refusal(
                    session, "org.freedesktop.DBus.Properties", "GetAll", "(s)", "('org.locateme.\(interface)',)")
                #expect(known?.name == "org.freedesktop.DBus.Error.AccessDenied")
            }
            #expect(daemon.process.isRunning)
        }

        @Test func `Bar 22: places wanted and left again and again leave nothing behind`() throws {
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(bus, ["--simulate"])
            let client = try OutsideClient(bus)
            func cycle() throws {
                let session = try client.openSession()
                try client.call(session, "org.locateme.Location1", "Start")
                try client.call(session, "org.locateme.SignificantChange1", "Start", "(a{sv})", "(@a{sv} {},)")
                try client.call(session, "org.locateme.Session1", "Close")
            }
            for _ in 0..<20 { try cycle() }
            let before = daemon.residentKilobytes
            for _ in 0..<80 { try cycle() }
            #expect(daemon.residentKilobytes <= before + 512)
            #expect(try client.property("/org/locateme", "org.locateme.Manager1", "InUse") as? Bool == false)
        }
    }
}
