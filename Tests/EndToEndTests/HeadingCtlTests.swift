import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// headingctl as a user types it, against the real service.
    struct HeadingCtlTests {
        private static let program = BuiltProducts.executable("headingctl")

        private func headingctl(_ bus: PrivateBus, _ words: String) throws -> Command {
            try Command.run(
                Self.program, words.split(separator: " ").map(String.init) + ["--bus", "session"],
                environment: bus.environment.merging(["NO_COLOR": "1"]) { $1 })
        }

        private func objects(_ text: String) throws -> [[String: Any]] {
            try text.split(separator: "\n").map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
            }
        }

        private func number(_ value: Any?) throws -> Double { try #require(value as? NSNumber).doubleValue }

        @Test func `heading prints one number, or all that is known, from magnetic or true north`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone(heading: { _ in 123.4 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop", "--place", "47.377,8.542,408"])
            let plain = try headingctl(bus, "heading --wait 30s")
            #expect(plain.status == 0 && plain.errors.isEmpty, "\(plain.errors)")
            let line = plain.output.trimmingCharacters(in: .newlines)
            #expect(line.wholeMatch(of: /[0-9]{1,3}\.[0-9]/) != nil, "\(plain.output)")
            #expect(apart(try #require(Double(line)), 123.4) < 0.6)
            let all = try #require(try objects(try headingctl(bus, "heading --wait 30s --true --json").output).first)
            #expect(apart(try number(all["magnetic"]), 123.4) < 0.5)
            #expect(
                apart(try number(all["true"]), try number(all["magnetic"]) + number(all["declination"])) < 0.01)
            #expect(try number(all["accuracy"]) > 0)
            // Compared with the magnetic number: the same device, turned by the declination.
            let true1 = try headingctl(bus, "heading --true --wait 30s").output.trimmingCharacters(in: .newlines)
            #expect(apart(try #require(Double(true1)), 123.4 + (try number(all["declination"]))) < 0.6)
            let left = try headingctl(bus, "heading --wait 30s --orientation landscape-left").output
            #expect(apart(try #require(Double(left.trimmingCharacters(in: .newlines))), 213.4) < 0.6)
            #expect(daemon.process.isRunning)
        }

        @Test func `heading --follow prints a line for each turn by the filter, until the count`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone(heading: { 36 * $0 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop"])
            let followed = try headingctl(bus, "heading --follow --filter 10 --count 4 --json")
            #expect(followed.status == 0, "\(followed.errors)")
            let headings = try objects(followed.output).map { try number($0["magnetic"]) }
            #expect(headings.count == 4)
            for (one, next) in zip(headings, headings.dropFirst()) {
                // What the filter asks for, and less than the device turns in a second.
                #expect((10..<46).contains(apart(one, next)), "\(headings)")
            }
            #expect(daemon.process.isRunning)
        }

        @Test func `What cannot be had ends with status 5 and says what to do`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone(heading: { _ in 10 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop", "--no-gpsd"])
            for (words, part) in [
                ("heading --true --wait 6s", "no place is known"),
                ("heading --accuracy 0.01 --wait 6s", "the best had"),
                ("location --wait 1s", "fix"),
            ] {
                let refused = try headingctl(bus, words)
                #expect(refused.status == 5 && refused.output.isEmpty, "\(words): \(refused.status)")
                #expect(refused.errors.contains(part), "\(words): \(refused.errors)")
            }
            let json = try headingctl(bus, "location --wait 1s --json")
            #expect(json.status == 5)
            #expect(try objects(json.errors).first?["error"] != nil)
            #expect(daemon.process.isRunning)
        }

        @Test(.needsIIORig())
        func `Without a compass heading and sensors end with status 5 and the service's finding`() throws {
            let bus = try PrivateBus()
            let rig = try IIORig(devices: [.threeAxis("accel", name: "onlyaccel", scale: "0.01", type: nil)])
            let daemon = try DaemonProcess(bus, ["--place", "47.377,8.542,408"], rig: rig)
            for words in ["heading --wait 10s", "sensors"] {
                let refused = try headingctl(bus, words)
                #expect(refused.status == 5, "\(words): \(refused.status)")
                #expect(refused.errors.contains("magnetometer"), "\(words): \(refused.errors)")
            }
            #expect(try headingctl(bus, "sensors").output.contains("onlyaccel"))
            let status = try headingctl(bus, "status")
            #expect(status.status == 0 && status.output.contains("magnetometer"), "\(status.output)")
            // GeographicLib's MagneticField with WMM2025: 3.607° in July 2026, 3.794° in January 2028.
            let declination = try #require(status.output.firstMatch(of: /declination +([0-9.]+)° E ±/))
            #expect((3.5...4.2).contains(try #require(Double(declination.1))), "\(status.output)")
            #expect(daemon.process.isRunning)
        }

        @Test func `P13, T48, T53: location prints where the device is, as numbers or as an object`() throws {
            let bus = try PrivateBus()
            let daemon = try DaemonProcess(bus, ["--place", "47.377,8.542,408", "--no-gpsd"])
            let plain = try headingctl(bus, "location --wait 30s")
            #expect(plain.status == 0 && plain.errors.isEmpty, "\(plain.errors)")
            let words = plain.output.split { $0 == " " || $0 == "\n" }.map(String.init)
            #expect(words.count == 3 && words[0] == "47.3770000" && words[1] == "8.5420000", "\(plain.output)")
            let all = try #require(try objects(try headingctl(bus, "location --wait 30s --json").output).first)
            #expect(try number(all["latitude"]) == 47.377 && number(all["altitude_m"]) == 408)
            #expect(all["flags"] as? [String] == ["static"])
            #expect(all["speed"] is NSNull)
            let followed = try headingctl(bus, "location --follow --count 1")
            #expect(followed.status == 0 && followed.output == plain.output, "\(followed.output)\(followed.errors)")
            #expect(daemon.process.isRunning)
        }

        @Test func `status shows service, heading, place and sources, and passive wakes nothing`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone(heading: { _ in 200 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(
                bus, ["--replay", recording, "--loop", "--place", "47.377,8.542,408", "--log-level", "debug"])
            let passive = try headingctl(bus, "status --passive")
            #expect(passive.status == 0, "\(passive.errors)")
            #expect(!daemon.process.errorText.contains("session "), "a session was opened")
            let text = try headingctl(bus, "status")
            #expect(text.status == 0 && text.errors.isEmpty, "\(text.errors)")
            for part in ["47.37", "8.54", "WMM-2025", "replay", "static"] {
                #expect(text.output.contains(part), "\(part) is missing in \(text.output)")
            }
            for line in text.output.split(separator: "\n") { #expect(line.count <= 120, "\(line)") }
            let all = try #require(try objects(try headingctl(bus, "status --json").output).first)
            #expect(all["heading_available"] as? Bool == true && all["location_available"] as? Bool == true)
            #expect(apart(try number(all["magnetic"]), 200) < 0.5)
            let sources = try #require(all["sources"] as? [[String: Any]]).compactMap { $0["kind"] as? String }
            #expect(Set(sources).isSuperset(of: ["replay", "static"]))
            #expect((all["sensors"] as? [[String: Any]])?.count == 3)
            #expect(all["version"] as? String != nil)
            #expect(daemon.process.isRunning)
        }

        @Test func `sensors asks the service that runs, and starts none`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone().write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop"])
            let text = try headingctl(bus, "sensors")
            #expect(text.status == 0, "\(text.errors)")
            #expect(text.output.contains("from locatemed on the session bus"), "\(text.output)")
            let listed = try objects(try headingctl(bus, "sensors --json").output).compactMap { $0["kind"] as? String }
            #expect(Set(listed) == ["magnetometer", "accelerometer", "gyroscope"])
            #expect(daemon.process.isRunning)
        }

        @Test func `watch draws on a terminal, quits at a key and gives the terminal back`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone(heading: { 36 * $0 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop", "--place", "47.377,8.542,408"])
            let terminal = try Pseudoterminal(
                Self.program, ["watch", "--bus", "session"],
                environment: bus.environment.merging(["TERM": "xterm-256color", "LANG": "C.UTF-8"]) { $1 })
            let before = terminal.mode
            // A number in degrees is on the screen once headings come.
            #expect(terminal.wait(for: "\u{1B}[?1049h"))
            #expect(terminal.wait { terminal.text.contains("°") })
            terminal.resize(columns: 60, rows: 20)
            terminal.type("c")
            terminal.type("c")
            terminal.type("q")
            #expect(terminal.exitStatus() == 0)
            #expect(terminal.text.contains("\u{1B}[?1049l") && terminal.text.contains("\u{1B}[?25h"))
            #expect(terminal.mode.c_lflag & UInt32(ECHO | ICANON) == before.c_lflag & UInt32(ECHO | ICANON))
            #expect(daemon.process.isRunning)
        }

        @Test func `watch without a terminal prints a line or an object for each update`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone(heading: { 36 * $0 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop"])
            let lines = try headingctl(bus, "watch --count 5")
            #expect(lines.status == 0, "\(lines.errors)")
            #expect(lines.output.split(separator: "\n").count == 5, "\(lines.output)")
            #expect(!lines.output.contains("\u{1B}"))
            let updates = try objects(try headingctl(bus, "watch --count 5 --json").output)
            #expect(updates.count == 5)
            #expect(daemon.process.isRunning)
        }

        @Test func `replay plays on a bus of its own to the end, and leaves nothing`() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("replay-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let recording = try TurningPhone(seconds: 6, heading: { 36 * $0 }).write()
            defer { unlink(recording) }
            let played = try Command.run(
                Self.program, ["replay", recording, "--speed", "4", "--json"],
                environment: [
                    "TMPDIR": folder.path, "DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "/nonexistent",
                ])
            #expect(played.status == 0, "\(played.errors)")
            let headings = try objects(played.output).compactMap {
                (($0["heading"] as? [String: Any])?["magnetic"] as? NSNumber)?.doubleValue
            }
            .filter { $0 >= 0 }
            #expect(headings.count > 20, "\(played.output)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
        }

        @Test func `replay does not disturb a service that is there`() throws {
            let bus = try PrivateBus()
            let recording = try TurningPhone().write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(bus, ["--replay", recording, "--loop"])
            let refused = try headingctl(bus, "replay \(recording)")
            #expect(refused.status == 1, "\(refused.errors)")
            #expect(refused.errors.contains("Another locatemed serves this bus"), "\(refused.errors)")
            #expect(daemon.process.isRunning)
        }

        @Test(.needs(.root), .needs(.program("setpriv")))
        func `On the system bus another user gets headings, and status 4 for places`() throws {
            let bus = try SystemBus.withProductPolicy()
            let recording = try TurningPhone(heading: { _ in 90 }).write()
            defer { unlink(recording) }
            let daemon = try DaemonProcess(
                bus, ["--replay", recording, "--loop", "--place", "47.377,8.542,408"], busArgument: "system")
            // The build folder may lie where that user cannot look.
            let copy = FileManager.default.temporaryDirectory.appendingPathComponent("headingctl-\(UUID().uuidString)")
            try FileManager.default.copyItem(atPath: Self.program, toPath: copy.path)
            defer { unlink(copy.path) }
            func asNobody(_ words: String) throws -> Command {
                try Command.run(
                    "/usr/bin/setpriv",
                    ["--reuid", "nobody", "--regid", "nogroup", "--clear-groups", copy.path]
                        + words.split(separator: " ").map(String.init) + ["--bus", "system"],
                    environment: bus.environment)
            }
            for words in [
                "location --wait 5s", "location --follow --wait 5s", "location --json", "heading --true --wait 5s",
            ] {
                let refused = try asNobody(words)
                #expect(refused.status == 4 && refused.output.isEmpty, "\(words): \(refused.status) \(refused.output)")
                #expect(!refused.errors.contains("47.37"), "\(words): \(refused.errors)")
            }
            let magnetic = try asNobody("heading --wait 30s")
            #expect(magnetic.status == 0, "\(magnetic.errors)")
            #expect(apart(Double(magnetic.output.trimmingCharacters(in: .newlines)) ?? -1, 90) < 0.6)
            let status = try asNobody("status")
            #expect(status.status == 0 && !status.output.contains("47.37"), "\(status.output)")
            let owner = try Command.run(
                Self.program, ["location", "--bus", "system", "--wait", "30s"], environment: bus.environment)
            #expect(owner.status == 0 && owner.output.hasPrefix("47.3770000 8.5420000"), "\(owner.errors)")
            #expect(daemon.process.isRunning)
        }
    }
}
