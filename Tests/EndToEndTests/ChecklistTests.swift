import Foundation
import TestSupport
import Testing

extension PlaceEndToEnd {
    /// What programs for phones have taught their users to expect, each under the number of the product's checklist.
    struct ChecklistTests {
        private let location = "org.locateme.Location1"
        private let manager = "org.locateme.Manager1"
        private let session1 = "org.locateme.Session1"

        private func number(_ value: Any?) -> Double? { (value as? NSNumber)?.doubleValue }

        @Test
        func
            `P1, P3 to P7, A2, A28, T1, T29: every wish of a phone's program can be set, is read back, and starts as documented`()
            throws
        {
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(bus, ["--simulate"])
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            let defaults = try client.properties(session, location)
            // P3 best, P5 none, P6 other, P10 30 s, A28 and T2 their session properties.
            for (name, value) in [
                ("DesiredAccuracy", -1.0), ("DistanceFilter", -1), ("ActivityType", 1), ("MaximumAge", 30_000),
                ("MinimumInterval", 0), ("RequiredAccuracy", 0), ("AcceptTries", 10), ("AcceptTimeout", 10_000),
            ] {
                #expect(number(defaults[name]) == value, "\(name)")
            }
            func set(_ name: String, _ text: String, _ value: Double) throws {
                try client.set(session, location, name, text)
                #expect(number(try client.property(session, location, name)) == value, "\(name) \(text)")
            }
            // P3: the six accuracies of phones.
            for metres in [-2.0, -1, 10, 100, 1000, 3000] { try set("DesiredAccuracy", "\(metres)", metres) }
            // A2, T1, T18: the intervals of the models, and any other.
            for seconds in [1, 10, 60, 900, 3600, 17] {
                try set("MinimumInterval", "uint32 \(seconds * 1000)", Double(seconds * 1000))
            }
            for type in 1...5 { try set("ActivityType", "uint32 \(type)", Double(type)) }
            // P5: the 1 m of the recipe.
            try set("DistanceFilter", "1.0", 1)
            try client.set(session, location, "PausesAutomatically", "false")
            #expect(try client.property(session, location, "PausesAutomatically") as? Bool == false)
            // P7, T29: one word sets accuracy, filter and activity together.
            try client.set(session, location, "Preset", "'walk'")
            let walk = try client.properties(session, location)
            #expect(number(walk["DistanceFilter"]) == 10 && number(walk["ActivityType"]) == 3)
            #expect(number(walk["DesiredAccuracy"]) == 10)
            // P1: both services of one session.
            try client.call(session, location, "Start")
            try client.call(session, "org.locateme.SignificantChange1", "Start", "(a{sv})", "(@a{sv} {},)")
            #expect(number(try client.property(session, location, "Mode")) == 1)
            #expect(try client.property(session, "org.locateme.SignificantChange1", "Running") as? Bool == true)
            // A wake by the bus is not offered, and says so instead of being ignored.
            let wake = try client.refusal(
                session, "org.locateme.SignificantChange1", "Start", "(a{sv})", "({'Wake': <true>},)")
            #expect(wake?.name == "org.freedesktop.DBus.Error.NotSupported")
            #expect(daemon.process.isRunning)
        }

        @Test
        func
            `T22, T24, P9, A6, C1, C2, T48: many sessions of one engine, each told alone, at once, newest last, with speed`()
            throws
        {
            let bus = try PrivateBus()
            let wire = try WireServer()
            let daemon = try DaemonProcess(bus, wire.option)
            let clients = try (0..<3).map { _ in try OutsideClient(bus) }
            var sessions: [String] = []
            for client in clients.dropLast() {
                let session = try client.openSession()
                try client.call(session, location, "Start")
                sessions.append(session)
            }
            #expect(wire.waitForClient())
            func updates(_ client: OutsideClient) throws -> [OutsideClient.Signal] {
                try client.signals("LocationsUpdated")
            }
            try wire.sayFixes(metresPerSecond: 12) {
                try clients.dropLast().allSatisfy { try updates($0).count >= 2 }
            }
            #expect(try client(clients[0], sees: sessions[0]) && client(clients[1], sees: sessions[1]))
            // T48: in use while somebody is told.
            #expect(try clients[0].property("/org/locateme", manager, "InUse") as? Bool == true)
            // C1: who comes later has the present place at once, without a word of the receiver.
            let late = try clients[2].openSession()
            try clients[2].call(late, location, "Start")
            let first = try clients[2].wait("the known place") { $0.first { $0.member == "LocationsUpdated" } }
            let fields = try #require((first.arguments.first as? [[Any]])?.last)
            // A6: speed, of GGA and RMC 12 m/s; C2: the source is named, and it is no replay.
            #expect(abs((number(fields[11]) ?? -1) - 12) < 0.01)
            #expect((fields[14] as? [String: Any])?["Source"] as? String == "nmea")
            #expect(try FixValue(fields).flags & 1 == 0)
            // T24, P9: a batch comes whole, its newest last.
            try clients[2].set(late, location, "MaximumDelay", "uint32 60000")
            let before = try updates(clients[2]).count
            for step in 1...3 {
                let count = try updates(clients[0]).count
                try wire.sayFixes(north: Double(step) * 3, metresPerSecond: 12) {
                    try updates(clients[0]).count > count
                }
            }
            let flushed = try clients[2].call(late, location, "Flush")
            #expect((number(flushed.first) ?? 0) >= 3)
            let batch = try clients[2].wait("batch") {
                $0.filter { $0.member == "LocationsUpdated" }.dropFirst(before).first
            }
            let numbers = try (batch.arguments.first as? [Any] ?? []).map { try FixValue($0) }
            #expect(numbers.count >= 3)
            #expect(numbers.map(\.sequence) == numbers.map(\.sequence).sorted())
            #expect(numbers.map(\.realMicroseconds) == numbers.map(\.realMicroseconds).sorted())
            for (client, session) in zip(clients, sessions + [late]) { try client.call(session, session1, "Close") }
            #expect(wire.waitForRelease())
            #expect(try clients[0].property("/org/locateme", manager, "InUse") as? Bool == false)
            #expect(daemon.process.isRunning)
        }

        /// True if all updates of places that a client has seen are of its own session.
        private func client(_ client: OutsideClient, sees session: String) throws -> Bool {
            let seen = try client.signals("LocationsUpdated")
            return !seen.isEmpty && seen.allSatisfy { $0.path == session }
        }

        @Test
        func
            `A4, A5, T40, T41, P10: asking for the last place wakes nothing; asking for a new one gets a new one, or says what it is`()
            throws
        {
            let bus = try PrivateBus()
            let wire = try WireServer()
            let daemon = try DaemonProcess(bus, wire.option)
            let client = try OutsideClient(bus)
            let session = try client.openSession()
            // T40: nothing is known, and nothing is started by asking.
            let unknown = try client.refusal(session, location, "GetLastKnown", "(u)", "(0,)")
            #expect(unknown?.name == "org.locateme.Error.LocationUnknown")
            #expect(try client.property("/org/locateme", manager, "InUse") as? Bool == false)
            #expect(wire.isAlone)
            // A5: one shot, over filters that would hold everything back.
            try client.set(session, location, "MinimumInterval", "uint32 3600000")
            try client.set(session, location, "DistanceFilter", "100000.0")
            func request(_ accuracy: Double, _ milliseconds: Int, _ age: Int) throws -> Int {
                try client.send(
                    session, location, "RequestLocation", "(duu)", "(\(accuracy), \(milliseconds), \(age))", seconds: 60
                )
            }
            func answer(_ call: Int, dilution: Double) throws -> FixValue {
                #expect(wire.waitForClient())
                let timer = Thread {
                    while !Thread.current.isCancelled {
                        wire.sayFix(dilution: dilution)
                        usleep(150_000)
                    }
                }
                timer.start()
                defer { timer.cancel() }
                let reply = try client.answer(to: call, seconds: 60)
                timer.cancel()
                while timer.isExecuting { usleep(1000) }
                return try FixValue(reply.first)
            }
            let one = try answer(try request(50, 50_000, 0), dilution: 0.9)
            #expect(one.flags & (16 | 32) == 0 && one.horizontalAccuracy < 50)
            // It lets go by itself.
            #expect(wire.waitForRelease())
            // P10: an age that the known place has will do, at once and without waking the receiver.
            let known = try FixValue(
                try client.call(session, location, "RequestLocation", "(duu)", "(0.0, 1000, 60000)").first)
            #expect(known.latitude == one.latitude)
            #expect(wire.isAlone)
            // T41: with age 0 the known one will not do: it is younger than the call.
            let two = try answer(try request(0, 50_000, 0), dilution: 0.9)
            #expect(two.realMicroseconds > one.realMicroseconds)
            #expect(wire.waitForRelease())
            // A4: in time but worse than wanted: still a place, and it says so.
            let poor = try answer(try request(5, 2500, 0), dilution: 4)
            #expect(poor.flags & 32 != 0 && poor.horizontalAccuracy > 5)
            #expect(wire.waitForRelease())
            // Nothing in time.
            let refusal = try client.refusal(session, location, "RequestLocation", "(duu)", "(5.0, 500, 0)")
            #expect(refusal?.name == "org.locateme.Error.LocationUnknown")
            #expect(daemon.process.isRunning)
        }

        @Test
        func `A7, A8, T39, T49: a reason is asked for, what there is is said, and neither log nor files tell places`()
            throws
        {
            let bus = try PrivateBus()
            let wire = try WireServer()
            let state = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: state) }
            let daemon = try DaemonProcess(bus, wire.option + ["--state-dir", state, "--log-level", "debug"])
            let client = try OutsideClient(bus)
            let empty = try client.refusal(
                "/org/locateme", manager, "RequestAuthorization", "(uusa{sv})", "(1, 2, '', @a{sv} {})")
            #expect(empty?.name == "org.freedesktop.DBus.Error.InvalidArgs")
            let values = try client.properties("/org/locateme", manager)
            #expect(values["LocationServicesEnabled"] as? Bool == true)
            #expect(values["SignificantChangeAvailable"] as? Bool == true)
            let session = try client.openSession("{'Reason': <'test'>, 'AppId': <'org.example.Kept'>}")
            try client.call(session, "org.locateme.SignificantChange1", "Start", "(a{sv})", "(@a{sv} {},)")
            try client.call(session, location, "Start")
            #expect(wire.waitForClient())
            try wire.sayFixes { try client.signals("LocationsUpdated").count >= 2 }
            daemon.process.signal(SIGTERM)
            #expect(try daemon.process.waitForExit() == 0)
            for secret in ["47.37", "47.38", "8.54", "4722.6", "00832.5"] {
                #expect(!daemon.process.errorText.contains(secret), "\(daemon.process.errorText)")
            }
            // T39: nobody else may read what is kept.
            let files = try FileManager.default.contentsOfDirectory(atPath: state)
            #expect(files.contains("location.db"))
            for file in files {
                let attributes = try FileManager.default.attributesOfItem(atPath: "\(state)/\(file)")
                #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600, "\(file)")
            }
        }

        @Test
        func `A11: who gets a place now and then gets one at once after a resume and at an unlocked screen`()
            throws
        {
            let bus = try PrivateBus()
            let login = try FakeLoginManager(bus)
            let wire = try WireServer()
            let daemon = try DaemonProcess(bus, wire.option)
            let client = try OutsideClient(bus)
            let session = try client.openSession("{'Reason': <'test'>, 'AppId': <'org.example.Now'>}")
            try client.call(
                "/org/locateme/power", "org.locateme.Power1", "SetPolicy", "(sa{sv})",
                "('org.example.Now', {'BackgroundMode': <uint32 4>})")
            try client.call(session, session1, "SetForeground", "(u)", "(2,)")
            try client.call(session, location, "Start")
            func look(_ why: String) throws {
                #expect(wire.waitForClient(), "\(why)")
                let count = try client.signals("LocationsUpdated").count
                try wire.sayFixes("after \(why)") { try client.signals("LocationsUpdated").count > count }
                // One place, then the receiver may sleep for a quarter of an hour.
                #expect(wire.waitForRelease(), "\(why)")
            }
            try look("start")
            login.send("sleep")
            try daemon.process.waitForError(containing: "goes to sleep", seconds: 30)
            login.send("wake")
            try look("resume")
            login.send("lock")
            login.send("unlock")
            try look("unlocked")
            #expect(daemon.process.isRunning)
        }
    }
}
