import Foundation
import TestSupport
import Testing

extension LongEndToEnd {
    /// What is kept of a compass, through kills, damage and changes of the hardware. Origins of the bug input
    /// calibration-lost-at-reboot: PX4/PX4-Autopilot#16070, kriswiner/BNO055#3, divis1969/android_device_meizu_meilan2#53.
    struct KeptCalibrationTests {
        private static let compass = "/org/locateme/compass"
        private static let interface = "org.locateme.Calibration1"

        private func stateDirectory() -> String {
            FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)").path
        }

        private func importText(_ number: Int) -> String {
            "({'HardIron': <(\(number).0, \(2 * number).0, -\(3 * number).0)>, "
                + "'SoftIron': <[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]>, 'HardIronSigma': <0.5>},)"
        }

        private func values(_ client: OutsideClient) throws -> [String: Any] {
            try #require(try client.call(Self.compass, Self.interface, "Get").first as? [String: Any])
        }

        /// The number of the import that is in force, 0 for none; nil if parts of several are.
        private func number(_ client: OutsideClient) throws -> Int? {
            guard let hard = try values(client)["HardIron"] as? [NSNumber] else { return 0 }
            let number = hard[0].intValue
            return hard[1].intValue == 2 * number && hard[2].intValue == -3 * number ? number : nil
        }

        private func findings(_ client: OutsideClient) throws -> String {
            String(describing: try client.call(Self.compass, "org.locateme.Compass1", "Diagnose"))
        }

        private func sql(_ directory: String, _ statement: String) throws {
            let script = "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit()"
            let done = try Command.run(
                "/usr/bin/python3", ["-c", script, directory + "/locateme.db", statement])
            try #require(done.status == 0, "\(done.errors)")
        }

        @Test func `A kill at any moment loses nothing that was applied, and leaves nothing half`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone(seconds: 2, heading: { _ in 0 }).write()
            let directory = stateDirectory()
            defer {
                unlink(recording)
                try? FileManager.default.removeItem(atPath: directory)
            }
            let client = try OutsideClient(bus)
            var random = SeededGenerator(seed: 20_260_701)
            var applied = 0
            var cutShort = 0
            for round in 0..<20 {
                let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop", "--state-dir", directory])
                let found = try #require(try number(client), "round \(round): parts of several calibrations")
                // The one that was being stored may have made it; none that was answered may be lost.
                #expect(found >= applied, "round \(round): \(applied) was applied, \(found) is there")
                applied = found
                let calls = try (1...12).map { step in
                    (
                        applied + step,
                        try client.send(Self.compass, Self.interface, "Import", "(a{sv})", importText(applied + step))
                    )
                }
                let awaited = Int.random(in: 0..<calls.count, using: &random)
                if awaited > 0 { _ = try client.answer(to: calls[awaited - 1].1) }
                usleep(UInt32.random(in: 0..<3000, using: &random))
                daemon.process.signal(SIGKILL)
                try daemon.process.waitForExit()
                for (number, call) in calls {
                    do {
                        _ = try client.answer(to: call)
                        applied = number
                    } catch is OutsideClient.Refusal {
                        cutShort += 1
                    }
                }
            }
            // Kills that come before the first or after the last would prove nothing.
            #expect(applied > 20 && cutShort > 20, "\(applied) applied, \(cutShort) cut short")
        }

        @Test(
            arguments: [
                ("UPDATE heading_state SET hard_x = NULL", "stored-calibration-refused"),
                ("UPDATE heading_state SET soft_xx = -1", "stored-calibration-refused"),
                ("UPDATE heading_state SET name = 'another-chip'", "stored-calibration-of-another-device"),
                ("PRAGMA user_version = 99", "calibrations-not-kept"),
            ])
        func `What cannot be used is refused and said, in the journal and by Diagnose`(
            statement: String, code: String
        ) throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone(seconds: 2, heading: { _ in 0 }).write()
            let directory = stateDirectory()
            defer {
                unlink(recording)
                try? FileManager.default.removeItem(atPath: directory)
            }
            let arguments = ["--replay", recording, "--loop", "--state-dir", directory, "--log-level", "info"]
            let client = try OutsideClient(bus)
            do {
                let daemon = try DaemonProcess(bus, arguments)
                _ = try client.call(Self.compass, Self.interface, "Import", "(a{sv})", importText(7))
                #expect(try !findings(client).contains(code))
                daemon.process.signal(SIGKILL)
                try daemon.process.waitForExit()
            }
            try sql(directory, statement)
            let file = URL(fileURLWithPath: directory + "/locateme.db")
            let before = try Data(contentsOf: file)
            do {
                let daemon = try DaemonProcess(bus, arguments)
                #expect(try number(client) == 0)
                #expect(try findings(client).contains(code))
                let told = daemon.process.errorText
                let word = code == "calibrations-not-kept" ? "version 99" : "turning-phone"
                #expect(told.contains(word), "\(told)")
                // Use for a moment does not write over what somebody may want to repair.
                let session = try client.openSession()
                _ = try? client.call(session, "org.locateme.Heading1", "GetHeading", "(u)", "(2000,)")
                try client.call(session, "org.locateme.Session1", "Close")
                if code != "stored-calibration-of-another-device" { #expect(try Data(contentsOf: file) == before) }
                daemon.process.signal(SIGKILL)
                try daemon.process.waitForExit()
            }
            guard code != "calibrations-not-kept" else { return }
            do {
                let daemon = try DaemonProcess(bus, arguments)
                _ = try client.call(Self.compass, Self.interface, "Import", "(a{sv})", importText(8))
                #expect(try !findings(client).contains(code))
                daemon.process.signal(SIGKILL)
                try daemon.process.waitForExit()
            }
            let daemon = try DaemonProcess(bus, arguments)
            #expect(try number(client) == 8)
            #expect(try !findings(client).contains(code))
            #expect(daemon.process.isRunning)
        }

        @Test(.needsIIORig())
        func `calibration-lost-at-reboot: killed at once and found under another number, it is there, with its age`()
            throws
        {
            let rig = try IIORig(devices: [
                .threeAxis("magn", name: "chip", scale: "0.000146000"),
                .threeAxis("accel", name: "tilt", scale: "0.000598"),
            ])
            let directory = stateDirectory()
            defer { try? FileManager.default.removeItem(atPath: directory) }
            let bus = try PrivateBus()
            let client = try OutsideClient(bus)
            let arguments = ["--state-dir", directory, "--no-gpsd"]
            do {
                let daemon = try DaemonProcess(bus, arguments, rig: rig)
                try waitForCompass(client)
                _ = try client.call(Self.compass, Self.interface, "Import", "(a{sv})", importText(9))
                daemon.process.signal(SIGKILL)
                try daemon.process.waitForExit()
            }
            try rig.unplug(0)
            try rig.plug(0, as: 4)
            let daemon = try DaemonProcess(bus, arguments, rig: rig)
            try waitForCompass(client)
            #expect(try number(client) == 9)
            let kept = try values(client)
            #expect((kept["AgeSeconds"] as? NSNumber)?.intValue ?? -1 >= 0)
            #expect((kept["AgeSeconds"] as? NSNumber)?.intValue ?? .max < 600)
            #expect(kept["Source"] as? String == "imported")
            #expect(daemon.process.isRunning)
        }

        /// Devices are looked for after the start.
        private func waitForCompass(_ client: OutsideClient) throws {
            let limit = Date(timeIntervalSinceNow: 60)
            while try client.property("/org/locateme", "org.locateme.Manager1", "HeadingAvailable") as? Bool != true {
                try #require(Date() < limit, "no compass")
            }
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the same numbers in every run.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
