import Foundation
import TestSupport
import Testing

extension PlaceEndToEnd {
    /// What the service promises of places, at the edges: sources that misbehave, silence, sleep, crashes.
    struct LocationBarTests {
        private let location = "org.locateme.Location1"
        private let session1 = "org.locateme.Session1"
        private let change = "org.locateme.SignificantChange1"

        private func number(_ value: Any?) -> Int64? { (value as? NSNumber)?.int64Value }

        private func fixes(_ client: OutsideClient) throws -> [FixValue] {
            try client.signals("LocationsUpdated").flatMap { signal in
                try (signal.arguments.first as? [Any] ?? []).map { try FixValue($0) }
            }
        }

        /// Says fixes of now until the client has had one more than `count`.
        private func feed(_ wire: WireServer, _ client: OutsideClient, beyond count: Int) throws {
            let limit = Date(timeIntervalSinceNow: 60)
            while try fixes(client).count <= count {
                try #require(Date() < limit, "no fix came")
                wire.sayFix()
                // The receiver's own pace: two moments may not be less than 50 ms apart.
                usleep(150_000)
            }
        }

        @Test
        func
            `Bar 21: noise, a megabyte without an end, cut lines and hang-ups: it goes on soon, and the log stays short`()
            throws
        {
            let bus = try PrivateBus()
            let wire = try WireServer()
            let daemon = try DaemonProcess(bus, wire.option)
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            try client.set(session, location, "PausesAutomatically", "false")
            try client.call(session, location, "Start")
            #expect(wire.waitForClient())
            try feed(wire, client, beyond: 0)
            let cut = Array(WireServer.fix().utf8.prefix(70))
            let megabyte = [UInt8](repeating: UInt8(ascii: "A"), count: 1 << 20)
            let noise = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0 &+ $0 >> 3) }
            for garbage in [noise, [UInt8(ascii: "$")] + megabyte, cut, cut + [13, 10], [0, 255, 36, 36, 42]] {
                wire.say(garbage)
                try feed(wire, client, beyond: fixes(client).count)
            }
            let memory = daemon.residentKilobytes
            for _ in 0..<3 {
                wire.hangUp()
                let gone = Date()
                #expect(wire.waitForClient())
                wire.sayFix()
                try feed(wire, client, beyond: fixes(client).count)
                // The first pause is a second and a fifth at most; the rest is room for a busy machine.
                #expect(Date().timeIntervalSince(gone) < 10)
            }
            #expect(daemon.residentKilobytes < memory + 2048)
            let lines = daemon.process.errorText.split(separator: "\n").filter { $0.contains("nmea") }
            // Each thing once a minute: starting, ok, the choice, lost.
            #expect(lines.count <= 8, "\(lines)")
            #expect(daemon.process.isRunning)
        }

        @Test func `T28: the wire is let go with the last one who needs it: by Stop, Close and the end of the client`()
            throws
        {
            let bus = try PrivateBus()
            let wire = try WireServer()
            let daemon = try DaemonProcess(bus, wire.option)
            for way in ["Stop", "Close", "end"] {
                let client = try OutsideClient(bus)
                let other = try OutsideClient(bus)
                let session = try client.openSession()
                let second = try other.openSession()
                try client.call(session, location, "Start")
                try other.call(second, location, "Start")
                #expect(wire.waitForClient())
                try feed(wire, client, beyond: 0)
                try other.call(second, session1, "Close")
                let count = try fixes(client).count
                try feed(wire, client, beyond: count)
                let begun = Date()
                switch way {
                case "Stop": try client.call(session, location, "Stop")
                case "Close": try client.call(session, session1, "Close")
                default: client.process.signal(SIGKILL)
                }
                #expect(wire.waitForRelease(), "\(way)")
                // A second is promised; the rest is room for a busy machine.
                #expect(Date().timeIntervalSince(begun) < 5, "\(way)")
                #expect(wire.isAlone)
            }
            #expect(daemon.process.isRunning)
        }

        @Test(.needs(.program("strace")))
        func
            `Bar 24, A14, T17: between two looks for significant changes nothing wakes the service, and no source is on`()
            throws
        {
            let bus = try PrivateBus()
            let wire = try WireServer()
            let daemon = try DaemonProcess(bus, wire.option)
            let client = try OutsideClient(bus)
            let session = try client.openSession("{'Reason': <'test'>, 'AppId': <'org.example.Far'>}")
            try client.call(session, change, "Start", "(a{sv})", "(@a{sv} {},)")
            #expect(wire.waitForClient())
            let limit = Date(timeIntervalSinceNow: 60)
            while try client.signals("SignificantChange").isEmpty {
                try #require(Date() < limit)
                wire.sayFix()
                usleep(150_000)
            }
            // One look is enough until the next interval, which is 300 s.
            #expect(wire.waitForRelease())
            let seconds = ProcessInfo.processInfo.environment["LOCATEME_FULL"] == "1" ? 240 : 4
            func trace() throws -> String {
                let tracer = try ChildProcess(
                    "/usr/bin/timeout",
                    [
                        "--signal=INT", "\(seconds)", "/usr/bin/strace", "-f", "-p",
                        "\(daemon.process.processIdentifier)",
                    ])
                try tracer.waitForExit(seconds: Double(seconds) + 30)
                #expect(tracer.errorText.contains("attached"), "\(tracer.errorText)")
                return tracer.errorText
            }
            // In silence the tracer sees the wait that it was in when it came, and nothing else. Some seconds after a change
            // memory is given back, once; what came more often would be in every look.
            var looks: [String] = []
            repeat { looks.append(try trace()) } while looks.last?.contains(" = ") == true && looks.count < 3
            let last = try #require(looks.last)
            #expect(!last.contains(" = "), "no call may end: \(last.prefix(2000))")
            #expect(last.components(separatedBy: "epoll_wait(").count == 2, "\(last.prefix(2000))")
            #expect(wire.isAlone)
        }

        @Test func `Bar 27: after sleep no fix older than the maximum age is told as new`() throws {
            let bus = try PrivateBus()
            let login = try FakeLoginManager(bus)
            let wire = try WireServer()
            let daemon = try DaemonProcess(bus, wire.option)
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            try client.call(session, location, "Start")
            #expect(wire.waitForClient())
            try feed(wire, client, beyond: 0)
            #expect(login.waitForLocks(1))
            login.send("sleep")
            try daemon.process.waitForError(containing: "goes to sleep", seconds: 30)
            // The sleep: the receiver is off, and time goes on. An age of 700 ms is over after it.
            let slept = Date()
            let other = try OutsideClient(bus)
            let second = try other.openSession()
            try other.set(second, location, "MaximumAge", "uint32 700")
            while Date().timeIntervalSince(slept) < 0.8 { usleep(20_000) }
            let last = try #require(try fixes(client).last)
            login.send("wake")
            try daemon.process.waitForError(containing: "the machine is awake", seconds: 30)
            try other.call(second, location, "Start")
            // Answered after the start has told what it tells.
            let young = try other.refusal(second, location, "GetLastKnown", "(u)", "(700,)")
            #expect(young?.name == "org.locateme.Error.LocationUnknown")
            #expect(try fixes(other).isEmpty, "an old fix as a new one")
            let any = try FixValue(try other.call(second, location, "GetLastKnown", "(u)", "(0,)").first)
            #expect(any.latitude == last.latitude && any.realMicroseconds == last.realMicroseconds)
            // Within 15 s after a resume silence is no loss.
            #expect(try client.signals("ModeChanged").compactMap { number($0.arguments.first) }.allSatisfy { $0 == 1 })
            try feed(wire, other, beyond: 0)
            let first = try #require(try fixes(other).first)
            #expect(first.realMicroseconds > last.realMicroseconds + 700_000 && first.flags & 16 == 0)
        }

        /// What it costs with 500 sessions, `Benchmarks places` measures.
        @Test func `Bar 23: as many sessions as a user may have are each told every place once, in order`() throws {
            let bus = try PrivateBus()
            let wire = try WireServer()
            let daemon = try DaemonProcess(bus, wire.option)
            let clients = try (0..<4).map { _ in try OutsideClient(bus) }
            var paths: [[String]] = []
            for client in clients {
                paths.append(try (0..<16).map { _ in try client.openSession() })
                for session in paths.last ?? [] { try client.call(session, location, "Start") }
            }
            #expect(wire.waitForClient())
            let before = daemon.cpuSeconds
            for round in 0..<10 {
                wire.sayFix(north: Double(round) * 2, metresPerSecond: 12)
                // Two moments may not be less than 50 ms apart.
                usleep(120_000)
                for (index, client) in clients.enumerated() {
                    _ = try client.wait("round \(round) at client \(index)", seconds: 60) { signals in
                        signals.count { $0.member == "LocationsUpdated" } >= 16 * (round + 1) ? true : nil
                    }
                }
            }
            for (index, client) in clients.enumerated() {
                let told = Dictionary(grouping: try client.signals("LocationsUpdated"), by: \.path)
                #expect(Set(told.keys) == Set(paths[index]))
                for (path, signals) in told {
                    let numbers = try signals.flatMap {
                        try ($0.arguments.first as? [Any] ?? []).map { try FixValue($0).sequence }
                    }
                    #expect(numbers == Array(1...10), "\(path)")
                }
            }
            // 640 signals; some ten times what they need.
            #expect(daemon.cpuSeconds - before < 5)
        }

        /// `LOCATEME_FULL=1`: 200 points, some minutes.
        @Test func `Bar 14: kill -9 at many points around events: none is lost, no number is given twice`() throws {
            let points = ProcessInfo.processInfo.environment["LOCATEME_FULL"] == "1" ? 200 : 10
            let bus = try PrivateBus()
            let state = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: state) }
            // An event each 0.2 s: 1.1 km at a time, by a vehicle that says that it is fast.
            let recording = try TurningPhone(
                seconds: 30, hertz: 5, withGyroscope: false,
                extra: (0..<150).map { step in
                    (Double(step) * 0.2, "fix \(47 + 0.01 * Double(step)) 8.5 5 400 8 6000 - 0 -")
                }
            ).write()
            defer { unlink(recording) }
            let client = try OutsideClient(bus)
            var known: [Int64: (time: Int64, latitude: Double)] = [:]
            var acknowledged: Int64 = 0
            var events = 0
            /// A number stands for one fix, for ever.
            func learn(_ number: Int64, _ time: Int64, _ latitude: Double, _ how: String) {
                if let earlier = known[number] {
                    #expect(
                        earlier.latitude == latitude && earlier.time == time,
                        "\(how): number \(number) stands for two events")
                }
                known[number] = (time, latitude)
            }
            for point in 0..<points {
                let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop", "--state-dir", state])
                let session = try client.openSession("{'Reason': <'test'>, 'AppId': <'org.example.Track'>}")
                let before = try client.signals("SignificantChange").count
                if point == 0 {
                    try client.set(session, change, "MinimumInterval", "uint32 0")
                    try client.call(session, change, "Start", "(a{sv})", "(@a{sv} {},)")
                } else {
                    #expect(try client.property(session, change, "Running") as? Bool == true)
                }
                // What was told and not acknowledged waits.
                let reply = try client.call(session, session1, "PendingEvents", "(tu)", "(0, 1000)")
                let waiting = try (reply.first as? [[Any]] ?? []).map { row in
                    let sequence = try #require(number(row.first))
                    let details = try #require(row[2] as? [String: Any])
                    learn(
                        sequence, try #require(number(details["Time"])),
                        try #require(details["Latitude"] as? NSNumber).doubleValue, "pending")
                    return sequence
                }
                #expect(waiting == waiting.sorted() && Set(waiting).count == waiting.count)
                let told = Set(known.keys.filter { $0 > acknowledged })
                #expect(told.isSubset(of: Set(waiting)), "point \(point): lost \(told.subtracting(waiting).sorted())")
                if let last = waiting.last, point % 3 == 1 {
                    try client.call(session, session1, "AckEvents", "(t)", "(\(last),)")
                    acknowledged = last
                }
                // Somebody else's need brings fixes between the looks.
                try client.call(session, location, "Start")
                _ = try client.wait("an event", seconds: 60) { signals in
                    signals.filter { $0.member == "SignificantChange" }.count > before ? true : nil
                }
                // From here on to beyond the next event, in even steps.
                usleep(UInt32(240_000 * point / points))
                kill(daemon.process.processIdentifier, SIGKILL)
                _ = try daemon.process.waitForExit()
                for signal in try client.signals("SignificantChange").dropFirst(before) {
                    let fix = try FixValue(signal.arguments[1])
                    learn(try #require(number(signal.arguments.first)), fix.realMicroseconds, fix.latitude, "told")
                    events += 1
                }
            }
            #expect(events >= points)
            // Numbers have no gap: none was given to an event that then was lost.
            let numbers = known.keys.sorted()
            #expect(numbers == Array(1...Int64(numbers.count)))
        }
    }
}
