import Foundation
import TestSupport
import Testing

extension PlaceEndToEnd {
    @Suite(.serialized, .needs(.pythonModule("dbusmock")))
    struct PowerTests {
        private func number(_ value: Any) -> Int? { (value as? NSNumber)?.intValue }

        @Test func `Bar 26: a flip of the mains moves every session to its column, and says so to everybody`() throws {
            let bus = try PrivateBus()
            let upower = try MockService(bus, template: "upower", name: "org.freedesktop.UPower")
            let daemon = try DaemonProcess(bus, ["--simulate"])
            let client = try OutsideClient(bus)
            let session1 = "org.locateme.Session1"
            var sessions: [String] = []
            for index in 0..<4 {
                let session = try client.openSession("{'Reason': <'test'>, 'AppId': <'org.example.App\(index)'>}")
                if index < 3 { try client.call(session, session1, "SetForeground", "(u)", "(2,)") }
                try client.call(session, "org.locateme.Location1", "Start")
                sessions.append(session)
            }
            let power = "/org/locateme/power"
            let power1 = "org.locateme.Power1"
            try client.call(
                power, power1, "SetPolicy", "(sa{sv})", "('org.example.App1', {'BackgroundMode': <uint32 2>})")
            try client.call(
                power, power1, "SetPolicy", "(sa{sv})", "('org.example.App2', {'BackgroundMode': <uint32 3>})")
            func columns() throws -> [Int?] {
                try sessions.map { number(try client.property($0, session1, "Background")) }
            }
            func wait(for expected: [Int], _ what: String) throws {
                let deadline = Date(timeIntervalSinceNow: 30)
                var present = try columns()
                while present != expected {
                    try #require(Date() < deadline, "\(what): \(present)")
                    present = try columns()
                }
            }
            try wait(for: [0, 3, 0, 0], "external")
            #expect(number(try client.property(power, power1, "PowerState")) == 1)

            try upower.setPower(onBattery: true, percent: 60)
            try wait(for: [2, 3, 0, 0], "battery")
            _ = try client.wait("PowerState told") { signals in
                signals.first { signal in
                    signal.path == power && number((signal.arguments[1] as? [String: Any])?["PowerState"] ?? 0) == 2
                }
            }
            try upower.setPower(onBattery: true, percent: 15)
            try wait(for: [3, 3, 1, 1], "low")
            #expect(number(try client.property(sessions[0], "org.locateme.Location1", "Mode")) == 2)
            try upower.setPower(onBattery: false, percent: 15)
            try wait(for: [0, 3, 0, 0], "external again")
            #expect(number(try client.property(sessions[0], "org.locateme.Location1", "Mode")) == 1)
            // Nobody has to ask: the owner was told.
            #expect(
                try client.signals("PropertiesChanged").contains {
                    $0.path == sessions[0] && ($0.arguments[1] as? [String: Any])?["Background"] != nil
                })
            #expect(daemon.process.isRunning)
        }

        @Test
        func
            `T52, A9, P16: a policy outlives the service, may be narrowed by its application, and is refused where it is none`()
            throws
        {
            let bus = try PrivateBus()
            let state = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)").path
            defer { try? FileManager.default.removeItem(atPath: state) }
            let power = "/org/locateme/power"
            let power1 = "org.locateme.Power1"
            do {
                let daemon = try DaemonProcess(bus, ["--simulate", "--state-dir", state])
                let client = try OutsideClient(bus)
                for wrong in [
                    "{'BackgroundMode': <uint32 5>}", "{'OnBattery': <uint32 5>}",
                    "{'LowBattery': <uint32 4294967295>}",
                ] {
                    #expect(
                        try client.refusal(power, power1, "SetPolicy", "(sa{sv})", "('a', \(wrong))")?.name
                            == "org.freedesktop.DBus.Error.InvalidArgs")
                }
                #expect(
                    try client.refusal(power, power1, "SetPolicy", "(sa{sv})", "('a', {'Wake': <true>})")?.name
                        == "org.freedesktop.DBus.Error.NotSupported")
                #expect(
                    try client.refusal(power, power1, "GetPolicy", "(s)", "('',)")?.name
                        == "org.freedesktop.DBus.Error.InvalidArgs")
                try client.call(
                    power, power1, "SetPolicy", "(sa{sv})",
                    "('a', {'BackgroundMode': <uint32 4>, 'OnBattery': <uint32 3>, 'Unknown': <'x'>})")
                kill(daemon.process.processIdentifier, SIGKILL)
                _ = try daemon.process.waitForExit()
            }
            let daemon = try DaemonProcess(bus, ["--simulate", "--state-dir", state])
            let client = try OutsideClient(bus)
            let policy = try #require(
                try client.call(power, power1, "GetPolicy", "(s)", "('a',)").first as? [String: Any])
            #expect(number(policy["BackgroundMode"] ?? 0) == 4)
            #expect(number(policy["OnBattery"] ?? 0) == 3)
            #expect(number(policy["LowBattery"] ?? 9) == 0)
            #expect(daemon.process.isRunning)
        }
    }
}
