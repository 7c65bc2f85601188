import Foundation
import TestSupport
import Testing

extension PlaceEndToEnd {
    /// `headingctl nmea` with real readers.
    struct MarineOutputTests {
        private func recording() throws -> String {
            try TurningPhone(heading: { _ in 200 }).write()
        }

        private func nmea(_ bus: PrivateBus, _ arguments: [String]) throws -> ChildProcess {
            try ChildProcess(
                BuiltProducts.executable("headingctl"), ["nmea", "--bus", bus.address] + arguments,
                environment: bus.environment)
        }

        @Test(.needs(.program("gpsd")), .needs(.program("gpspipe")))
        func `A real gpsd takes the pseudo-terminal for a device and tells the same heading and place`() throws {
            let bus = try PrivateBus()
            let file = try recording()
            defer { unlink(file) }
            let daemon = try DaemonProcess(bus, ["--replay", file, "--loop", "--place", "47.377,8.542,408"])
            let link = NSTemporaryDirectory() + "compass-\(UUID().uuidString.prefix(8))"
            let writer = try nmea(bus, ["--to", "pty:\(link)"])
            try writer.waitForError(containing: "writing to /dev/pts/")
            let port = try FreePort.tcp()
            let gpsd = try ChildProcess(
                try #require(Requirement.path(of: "gpsd")), ["-N", "-n", "-S", "\(port)", link])
            let pipe = try ChildProcess(
                "/bin/sh",
                [
                    "-c",
                    "until \(try #require(Requirement.path(of: "gpspipe"))) -w 127.0.0.1:\(port); do sleep 0.2; done",
                ])
            let reports = try pipe.wait("heading and place", seconds: 60) { lines -> [String: [String: Any]]? in
                var found: [String: [String: Any]] = [:]
                for line in lines {
                    guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                        let name = object["class"] as? String
                    else { continue }
                    if name == "ATT" { found[name, default: [:]].merge(object) { $1 } }
                    if name == "TPV", object["lat"] != nil { found[name] = object }
                }
                return found["TPV"] != nil && (found["ATT"]?["heading"] ?? found["ATT"]?["mheading"]) != nil
                    ? found : nil
            }
            let attitude = try #require(reports["ATT"])
            // Declination there is 3.7° east (WMM2025): true 203.7°, magnetic 200.0°.
            if let heading = attitude["heading"] as? Double {
                #expect(abs(heading - 203.7) < 1 || abs(heading - 200) < 1)
            }
            if let magnetic = attitude["mheading"] as? Double { #expect(abs(magnetic - 200) < 1) }
            #expect(abs((reports["TPV"]?["lat"] as? Double ?? 0) - 47.377) < 1e-5)
            #expect(abs((reports["TPV"]?["lon"] as? Double ?? 0) - 8.542) < 1e-5)
            gpsd.stop()
            writer.stop()
            #expect(!FileManager.default.fileExists(atPath: link))
            #expect(daemon.process.isRunning)
        }

        /// A program that prints the lines of a TCP server.
        private func client(_ port: UInt16) throws -> ChildProcess {
            let program = """
                import socket, time
                while True:
                    try:
                        s = socket.create_connection(("127.0.0.1", \(port)))
                        break
                    except ConnectionRefusedError:
                        time.sleep(0.1)
                for line in s.makefile(): print(line, end="", flush=True)
                """
            return try ChildProcess("/usr/bin/python3", ["-c", program])
        }

        private func rate(_ client: OutsideClient) throws -> Double? {
            try client.property("/org/locateme/compass", "org.locateme.Compass1", "Rate") as? Double
        }

        private func waitFor(_ what: String, _ condition: () throws -> Bool) throws {
            let limit = Date(timeIntervalSinceNow: 30)
            while try !condition() {
                try #require(Date() < limit, "waited in vain for \(what)")
                usleep(20_000)
            }
        }

        @Test(.needs(.program("gpsd")), .needs(.program("gpspipe")))
        func `The service itself feeds a real gpsd over TCP, and its sensors are on while somebody reads`() throws {
            let bus = try PrivateBus()
            let file = try recording()
            defer { unlink(file) }
            let port = try FreePort.tcp()
            let link = NSTemporaryDirectory() + "service-\(UUID().uuidString.prefix(8))"
            let daemon = try DaemonProcess(
                bus,
                [
                    "--replay", file, "--loop", "--place", "47.377,8.542,408", "--nmea-out", "tcp:127.0.0.1:\(port)",
                    "--nmea-out-sentences", "HDG,HDM,HDT,ROT,RMC,GGA", "--nmea-out-rate", "5",
                ])
            let outside = try OutsideClient(bus)
            #expect(try rate(outside) == 0)
            #expect(try outside.property("/org/locateme", "org.locateme.Manager1", "InUse") as? Bool == false)
            let gpsdPort = try FreePort.tcp()
            let gpsd = try ChildProcess(
                try #require(Requirement.path(of: "gpsd")),
                ["-N", "-n", "-S", "\(gpsdPort)", "tcp://127.0.0.1:\(port)"])
            let pipe = try ChildProcess(
                "/bin/sh",
                [
                    "-c",
                    "until \(try #require(Requirement.path(of: "gpspipe"))) -w 127.0.0.1:\(gpsdPort); do sleep 0.2; done",
                ])
            let reports = try pipe.wait("heading and place", seconds: 60) { lines -> [String: [String: Any]]? in
                var found: [String: [String: Any]] = [:]
                for line in lines {
                    guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                        let name = object["class"] as? String
                    else { continue }
                    if name == "ATT", object["heading"] != nil { found[name] = object }
                    if name == "TPV", object["lat"] != nil { found[name] = object }
                }
                return found.count == 2 ? found : nil
            }
            // Declination there is 3.7° east (WMM2025).
            #expect(abs((reports["ATT"]?["heading"] as? Double ?? 0) - 203.7) < 0.5)
            #expect(abs((reports["TPV"]?["lat"] as? Double ?? 0) - 47.377) < 1e-5)
            #expect(try rate(outside) == 50)
            #expect(try outside.property("/org/locateme", "org.locateme.Manager1", "InUse") as? Bool == true)
            gpsd.stop()
            try waitFor("sensors off without a reader") { try rate(outside) == 0 }
            #expect(!FileManager.default.fileExists(atPath: link))
            #expect(daemon.process.isRunning)
        }

        @Test func `Unless the administrator names what tells where, nothing that goes out does`() throws {
            let bus = try PrivateBus()
            let file = try recording()
            defer { unlink(file) }
            let port = try FreePort.tcp()
            let link = NSTemporaryDirectory() + "quiet-\(UUID().uuidString.prefix(8))"
            let daemon = try DaemonProcess(
                bus,
                [
                    "--replay", file, "--loop", "--place", "47.377,8.542,408", "--nmea-out", "tcp:127.0.0.1:\(port)",
                    "--nmea-out", "pty:\(link)", "--nmea-out-rate", "20",
                ])
            // The place is known: it is kept back, not missing.
            let outside = try OutsideClient(bus)
            #expect(
                try outside.property("/org/locateme", "org.locateme.Status1", "Latitude") as? Double == 47.377)
            let reader = try client(port)
            let lines = try reader.wait("some seconds of sentences") { $0.count >= 60 ? $0 : nil }
            #expect(Set(lines.map { $0.prefix(6) }) == ["$HCHDG", "$HCHDM", "$HCROT"])
            // Magnetic heading, no deviation left, no variation.
            let variation = lines.filter { $0.hasPrefix("$HCHDG") }.map {
                $0.split(separator: "*")[0].split(separator: ",", omittingEmptySubsequences: false)
            }
            #expect(variation.allSatisfy { $0.count == 6 && $0[2...] == ["0.0", "E", "", ""] })
            let terminal = try ChildProcess("/usr/bin/head", ["-n", "5", link])
            _ = try terminal.wait("the terminal's lines") { $0.count >= 4 ? true : nil }
            #expect(daemon.process.isRunning)
        }

        @Test(arguments: [("HDG", false), ("HDG,HDT,RMC", true)])
        func
            `The service writes Signal K too, of the edge that points ahead, and tells the place only where that is named`(
                sentences: String, tellsWhere: Bool
            ) throws
        {
            let bus = try PrivateBus()
            let file = try recording()
            defer { unlink(file) }
            let port = try FreePort.tcp()
            let daemon = try DaemonProcess(
                bus,
                [
                    "--replay", file, "--loop", "--place", "47.377,8.542,408", "--signalk-out", "tcp:127.0.0.1:\(port)",
                    "--nmea-out-sentences", sentences, "--nmea-out-orientation", "landscape-right",
                    "--nmea-out-place-rate", "5",
                ])
            let reader = try client(port)
            let wanted: Set = tellsWhere ? ["headingMagnetic", "headingTrue", "position"] : ["headingMagnetic"]
            let values = try reader.wait("deltas", seconds: 60) { lines -> [String: Any]? in
                var found: [String: Any] = [:]
                for line in lines {
                    guard let delta = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                        delta["context"] as? String == "vessels.self",
                        let updates = delta["updates"] as? [[String: Any]]
                    else { continue }
                    for value in updates.flatMap({ $0["values"] as? [[String: Any]] ?? [] }) {
                        guard let path = value["path"] as? String else { continue }
                        found[String(path.dropFirst("navigation.".count))] = value["value"]
                    }
                }
                return lines.count > 20 && wanted.isSubset(of: found.keys) ? found : nil
            }
            // The top of the recording's phone points to 200°, its left edge to 110°; declination there 3.7° east (WMM2025).
            #expect(abs((values["headingMagnetic"] as? Double ?? 0) * 180 / .pi - 110) < 0.5)
            if tellsWhere {
                #expect(abs((values["headingTrue"] as? Double ?? 0) * 180 / .pi - 113.7) < 0.5)
                let place = try #require(values["position"] as? [String: Double])
                #expect(place == ["latitude": 47.377, "longitude": 8.542, "altitude": 408])
            } else {
                #expect(Set(values.keys).isSubset(of: ["headingMagnetic", "rateOfTurn", "attitude"]))
                #expect(abs(((values["attitude"] as? [String: Double])?["yaw"] ?? 0) * 180 / .pi - 110) < 0.5)
            }
            #expect(daemon.process.isRunning)
        }

        @Test(.needs(.pythonModule("pynmea2")), .needs(.program("gpsdecode")))
        func `pynmea2 and gpsdecode read what the service writes`() throws {
            let bus = try PrivateBus()
            let file = try recording()
            defer { unlink(file) }
            let port = try FreePort.tcp()
            let daemon = try DaemonProcess(
                bus,
                [
                    "--replay", file, "--loop", "--place", "47.377,8.542,408", "--nmea-out", "tcp:127.0.0.1:\(port)",
                    "--nmea-out-sentences", "HDG,HDM,HDT,ROT,RMC,GGA",
                    "--nmea-out-place-rate", "4",
                ])
            let reader = try client(port)
            let lines = try reader.wait("all sentences") { lines in
                // gpsdecode tells a place once it has learned which sentence ends a cycle.
                Set(lines.map { $0.prefix(6).suffix(3) }).count == 6 && lines.filter { $0.contains("RMC") }.count > 4
                    ? lines : nil
            }
            let parsed = try Command.run(
                "/usr/bin/python3",
                [
                    "-c",
                    """
                    import pynmea2, sys
                    for line in sys.argv[1].splitlines():
                        m = pynmea2.parse(line, check=True)
                        if m.sentence_type == "HDG": print("HDG", m.heading, m.deviation, m.dev_dir, m.variation, m.var_dir)
                        if m.sentence_type in ("HDM", "HDT"): print(m.sentence_type, m.heading)
                        if m.sentence_type in ("RMC", "GGA"): print(m.sentence_type, round(m.latitude, 5), round(m.longitude, 5))
                    """, lines.joined(separator: "\n"),
                ])
            #expect(parsed.status == 0, "\(parsed.errors)")
            let read = Set(parsed.output.split(separator: "\n").map(String.init))
            // True 203.7° by the declination of WMM2025 there; the recording is of 200° and without noise.
            #expect(
                read.isSuperset(of: [
                    "HDG 200.0 0.0 E 3.7 E", "HDM 200.0", "HDT 203.7", "RMC 47.377 8.542", "GGA 47.377 8.542",
                ]), "\(read)")
            let decoded = try Command.run(
                "/bin/sh",
                ["-c", "printf '%s\\n' \"$1\" | sed 's/$/\\r/' | gpsdecode", "sh", lines.joined(separator: "\n")])
            #expect(decoded.output.contains(#""class":"ATT","device":"stdin","heading":203.7"#), "\(decoded.output)")
            #expect(decoded.output.contains(#""class":"TPV""#))
            #expect(daemon.process.isRunning)
        }

        @Test func `TCP clients and datagrams get whole sentences, and one that leaves disturbs nobody`() throws {
            let bus = try PrivateBus()
            let file = try recording()
            defer { unlink(file) }
            let daemon = try DaemonProcess(bus, ["--replay", file, "--loop", "--place", "47.377,8.542,408"])
            let port = try FreePort.tcp()
            let receiver = """
                import socket, sys
                s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("127.0.0.1", 0))
                print(s.getsockname()[1], flush=True)
                while True: print(s.recv(4096).decode(), end="", flush=True)
                """
            let datagrams = try ChildProcess("/usr/bin/python3", ["-c", receiver])
            let datagramPort = try datagrams.wait("port") { $0.first.flatMap { Int($0) } }
            let writer = try nmea(
                bus, ["--to", "tcp:127.0.0.1:\(port)", "--to", "udp:127.0.0.1:\(datagramPort)", "--rate", "20"])
            try writer.waitForError(containing: "udp 127.0.0.1")
            let client = """
                import socket, sys
                s = socket.create_connection(("127.0.0.1", \(port)))
                for line in s.makefile(): print(line, end="", flush=True)
                """
            let leaving = try ChildProcess("/usr/bin/python3", ["-c", client])
            _ = try leaving.wait("a sentence") { $0.first { $0.hasPrefix("$HCHDM") } }
            leaving.stop()
            let staying = try ChildProcess("/usr/bin/python3", ["-c", client])
            for reader in [staying, datagrams] {
                let lines = try reader.wait("all sentences") { lines -> [String]? in
                    let kinds = Set(lines.map { $0.prefix(6).suffix(3) })
                    return kinds.isSuperset(of: ["HDG", "HDM", "HDT", "ROT", "RMC", "GGA"]) ? lines : nil
                }
                let magnetic = try #require(lines.last { $0.hasPrefix("$HCHDM,") }?.split(separator: ",")[1])
                #expect(abs((Double(magnetic) ?? -1) - 200) <= 0.5)
                for line in lines where line.hasPrefix("$") {
                    let parts = line.dropFirst().trimmingCharacters(in: .whitespacesAndNewlines).split(separator: "*")
                    #expect(parts.count == 2 && UInt8(parts[1], radix: 16) == parts[0].utf8.reduce(0, ^), "\(line)")
                }
            }
            #expect(writer.isRunning)
            #expect(daemon.process.isRunning)
        }
    }
}

/// A port of this machine that nobody has a moment ago.
enum FreePort {
    static func tcp() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
            }
        }
        try #require(status == 0)
        return UInt16(bigEndian: address.sin_port)
    }
}
