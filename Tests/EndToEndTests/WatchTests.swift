import Foundation
import TestSupport
import Testing

extension EndToEnd {
    struct WatchTests {
        private func number(_ value: Any?) -> Int64? { (value as? NSNumber)?.int64Value }
        private let change = "org.locateme.SignificantChange1"
        private let session1 = "org.locateme.Session1"

        /// A folder for state, and a recording whose place is 1 km farther north each second.
        private func rig() throws -> (state: String, recording: String) {
            let state = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)").path
            let recording = try TurningPhone(
                seconds: 20, hertz: 20,
                extra: (0..<20).map { (Double($0), "fix \(47 + 0.002 * Double($0)) 8.5 5 400 8 - - - -") }
            ).write()
            return (state, recording)
        }

        @Test func `Bar 14, A10: a change is told once with its number, waits until acknowledged, over kill -9`() throws
        {
            let bus = try PrivateBus()
            let (state, recording) = try rig()
            defer {
                try? FileManager.default.removeItem(atPath: state)
                unlink(recording)
            }
            let application = "{'Reason': <'test'>, 'AppId': <'org.example.Track'>}"
            var numbers: [Int64] = []
            do {
                let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop", "--state-dir", state])
                let client = try OutsideClient(bus)
                let session = try client.openSession(application)
                try client.set(session, change, "MinimumInterval", "uint32 1")
                try client.call(session, change, "Start", "(a{sv})", "(@a{sv} {},)")
                #expect(try client.property(session, change, "Running") as? Bool == true)
                // The interval of looks is a minute; somebody else's need brings fixes in between.
                try client.call(session, "org.locateme.Location1", "Start")
                let told = try client.wait("changes", seconds: 40) { signals in
                    let found = signals.filter { $0.member == "SignificantChange" }
                    return found.count >= 2 ? found : nil
                }
                numbers = told.compactMap { number($0.arguments.first) }
                #expect(numbers == Array(1...Int64(numbers.count)))
                let places = try told.map { try FixValue($0.arguments[1]) }
                #expect(abs(places[1].latitude - places[0].latitude) > 0.0044, "500 m and 10 m of accuracies")
                kill(daemon.process.processIdentifier, SIGKILL)
                _ = try daemon.process.waitForExit()
            }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop", "--state-dir", state])
            let client = try OutsideClient(bus)
            let session = try client.openSession(application)
            #expect(try client.property(session, change, "Running") as? Bool == true, "it has gone on")
            func pending(_ after: Int64) throws -> [Int64] {
                let reply = try client.call(session, session1, "PendingEvents", "(tu)", "(\(after), 1000)")
                return (reply.first as? [[Any]] ?? []).compactMap { number($0.first) }
            }
            let waiting = try pending(0)
            #expect(waiting.starts(with: numbers), "told before, not acknowledged")
            let left = try client.call(session, session1, "AckEvents", "(t)", "(\(numbers.count),)")
            #expect(number(left.first) == Int64(try pending(Int64(numbers.count)).count))
            #expect(try pending(0).allSatisfy { $0 > Int64(numbers.count) })
            try client.call(session, change, "Stop")
            #expect(try client.property(session, change, "Running") as? Bool == false)
            // The folder is its owner's alone.
            let attributes = try FileManager.default.attributesOfItem(atPath: state)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o700)
            #expect(daemon.process.isRunning)
        }

        @Test func `Another application and one without a name hear nothing of it`() throws {
            let bus = try PrivateBus()
            let (state, recording) = try rig()
            defer {
                try? FileManager.default.removeItem(atPath: state)
                unlink(recording)
            }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop", "--state-dir", state])
            let client = try OutsideClient(bus)
            let first = try client.openSession("{'Reason': <'test'>, 'AppId': <'org.example.Track'>}")
            try client.call(first, change, "Start", "(a{sv})", "(@a{sv} {},)")
            try client.call(first, "org.locateme.Location1", "Start")
            _ = try client.wait("change", seconds: 40) { $0.first { $0.member == "SignificantChange" } }
            try client.call(first, session1, "Close")
            let other = try client.openSession("{'Reason': <'test'>, 'AppId': <'org.example.Other'>}")
            let nameless = try client.openSession()
            for session in [other, nameless] {
                #expect(try client.property(session, change, "Running") as? Bool == false)
                let reply = try client.call(session, session1, "PendingEvents", "(tu)", "(0, 1000)")
                #expect((reply.first as? [Any])?.isEmpty == true)
            }
            try client.call(nameless, change, "Start", "(a{sv})", "({'Persistent': <true>},)")
            try client.call(nameless, session1, "Close")
            #expect(try client.property(try client.openSession(), change, "Running") as? Bool == false)
            #expect(daemon.process.isRunning)
        }

        @Test func `P8, T20: the last place is known after a restart, old and said to be`() throws {
            let bus = try PrivateBus()
            let state = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: state) }
            try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
            let script = """
                import sqlite3, sys, time
                c = sqlite3.connect(sys.argv[1], isolation_level=None)
                c.execute("INSERT INTO last_fix VALUES (1, ?, 47.4211, 10.9853, 10, 400, NULL, 5, -1, -1, -1, -1, 0, 'gpsd', 7)",
                    (int((time.time() - 3600) * 1e6),))
                """
            do {
                let daemon = try DaemonProcess(bus, ["--simulate", "--state-dir", state])
                kill(daemon.process.processIdentifier, SIGTERM)
                _ = try daemon.process.waitForExit()
            }
            let insert = try Command.run("/usr/bin/python3", ["-c", script, state + "/location.db"])
            try #require(insert.status == 0, "\(insert.errors)")
            let daemon = try DaemonProcess(bus, ["--simulate", "--state-dir", state])
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            let fix = try FixValue(
                try client.call(session, "org.locateme.Location1", "GetLastKnown", "(u)", "(0,)").first)
            #expect(fix.latitude == 47.4211)
            #expect(fix.flags & 16 != 0)
            #expect(abs(fix.horizontalAccuracy - 3610) < 60, "10 m and an hour's walk")
            #expect(abs(Double(fix.realMicroseconds) * 1e-6 + 3600 - Date().timeIntervalSince1970) < 60)
            let young = try client.refusal(
                session, "org.locateme.Location1", "GetLastKnown", "(u)", "(600000,)")
            #expect(young?.name == "org.locateme.Error.LocationUnknown")
            #expect(daemon.process.isRunning)
        }
    }
}
