import EventLoop
import Foundation
import LocateMeModel
import TestSupport
import Testing

@testable import PositionSources

/// Fixes and headings from wires that are real: pseudoterminals, TCP, UDP and sockets in the file system.
@Suite struct NMEASourceTests {
    let loop: EventLoop
    let listener = RecordingListener()

    init() throws { loop = try EventLoop() }

    /// Patience for tests, in seconds.
    private static var timing: SourceTiming {
        var timing = SourceTiming()
        timing.connect = 2
        timing.firstReport = 20
        timing.silence = 10
        timing.firstPause = 0.02
        timing.longestPause = 0.1
        timing.rateTrial = 0.1
        return timing
    }

    private func receiver(_ text: String, timing: SourceTiming = timing) throws -> NMEAReceiver {
        NMEAReceiver(loop: loop, address: try NMEAAddress(parsing: text), timing: timing) { 0.5 }
    }

    private func source(_ receiver: NMEAReceiver) -> NMEAPlaceSource {
        let source = NMEAPlaceSource(receiver: receiver)
        source.placeListener = listener
        return source
    }

    private static func line(_ body: String) -> String {
        "$\(body)*" + String(format: "%02X", body.utf8.reduce(0, ^)) + "\r\n"
    }

    private static func second(_ second: Int) -> String {
        let time = String(format: "1200%02d.00", second)
        return line("GPGGA,\(time),5147.946,N,01036.936,E,1,08,0.9,812.4,M,47.2,M,,")
            + line("GPRMC,\(time),A,5147.946,N,01036.936,E,16.0,54.7,120626,,,A")
    }

    private static let void = line("GPRMC,120030.00,V,,,,,,,120626,,,N")

    // MARK: - Ways for bytes to come

    @Test("A serial line gives one fix a second, survives noise, and is let go when nobody needs it")
    func serialLine() throws {
        let line = try Terminal()
        let source = source(try receiver("tty:\(line.path):4800"))
        #expect(source.placeState == SourceDescription(id: "nmea:tty:\(line.path):4800", kind: "nmea", state: .off))
        source.start()
        #expect(try loop.run(until: { line.rate == speed_t(B4800) }))
        line.write([0, 255, 13, 36, 10] + (0..<500).map { UInt8(truncatingIfNeeded: $0 &* 37) })
        line.write("\r\n" + Self.second(1))
        #expect(try loop.run(until: { listener.fixes.count == 1 }))
        line.write(Self.second(2))
        #expect(try loop.run(until: { listener.fixes.count == 2 }))
        #expect(listener.fixes.map(\.course) == [54.7, 54.7] && listener.fixes[0].altitude == 812.4)
        #expect(source.placeState.state == .ok && source.problem == nil)
        // Nothing was echoed to the receiver.
        #expect(line.readAll().isEmpty)
        source.stop()
        #expect(listener.states == [.starting, .ok, .off])
        // The terminal has its settings of before, and another program may open it.
        #expect(line.isEchoing)
        line.write(Self.second(3))
        _ = try loop.run(until: { false }, seconds: 0.1)
        #expect(listener.fixes.count == 2)
    }

    @Test("The rate of a serial line is found out")
    func rateIsFound() throws {
        let line = try Terminal()
        let source = source(try receiver("tty:\(line.path)"))
        source.start()
        // What comes at a wrong rate is noise.
        let feed = loop.makeTimer {
            line.write(line.rate == speed_t(B38400) ? Self.second(7) : "\u{7}xx~\u{1}\u{2}y".repeated(12))
        }
        feed.arm(afterMicroseconds: 0, everyMicroseconds: 20_000)
        #expect(try loop.run(until: { !listener.fixes.isEmpty }))
        #expect(line.rate == speed_t(B38400))
        feed.disarm()
        source.stop()
    }

    @Test("A receiver that is unplugged and plugged in again goes on by itself")
    func unplugged() throws {
        let folder = try Folder()
        let link = folder.path + "/gps"
        var line: Terminal? = try Terminal()
        symlink(try #require(line).path, link)
        var timing = Self.timing
        // Without being told that the device is back it would take this long.
        timing.firstPause = 600
        timing.longestNearPause = 600
        let source = source(try receiver("tty:\(link):9600", timing: timing))
        source.start()
        _ = try loop.run(until: { line?.rate == speed_t(B9600) })
        line?.write(Self.second(1))
        #expect(try loop.run(until: { listener.fixes.count == 1 }))
        unlink(link)
        line = nil
        #expect(try loop.run(until: { source.placeState.state == .lost }))
        #expect(source.problem?.contains("unplugged") == true)
        #expect(listener.lostFixes == 1)
        let back = try Terminal()
        symlink(back.path, link)
        #expect(try loop.run(until: { back.rate == speed_t(B9600) }))
        back.write(Self.second(5))
        #expect(try loop.run(until: { listener.fixes.count == 2 }))
        #expect(listener.states == [.starting, .ok, .lost, .ok])
        source.stop()
    }

    @Test("What cannot be opened is a failure with its reason, and tried again")
    func cannotOpen() throws {
        let folder = try Folder()
        let path = folder.path + "/file"
        FileManager.default.createFile(atPath: path, contents: Data(Self.second(1).utf8))
        let file = source(try receiver("tty:\(path)"))
        file.start()
        #expect(file.placeState.state == .failed)
        #expect(file.problem == "cannot open tty:\(path): it is no serial line")
        file.stop()
        let missing = source(try receiver("tty:\(folder.path)/none:4800"))
        missing.start()
        #expect(missing.problem == "cannot open tty:\(folder.path)/none:4800: No such file or directory")
        missing.stop()
        #expect(missing.problem == nil && missing.placeState.state == .off)
    }

    @Test("A TCP server that hangs up is connected to again")
    func server() throws {
        let server = try FakeServer(loop: loop)
        server.greeting = Self.second(1)
        let source = source(try receiver("tcp:127.0.0.1:\(server.port)"))
        source.start()
        #expect(try loop.run(until: { listener.fixes.count == 1 }))
        server.greeting = Self.second(2)
        server.hangUp()
        #expect(try loop.run(until: { listener.fixes.count == 2 }))
        #expect(server.accepted == 2 && listener.lostFixes == 1)
        source.stop()
        #expect(try loop.run(until: { server.clients.isEmpty }))
    }

    @Test("bug-line-of-a-megabyte: a megabyte without line end, and then a sentence")
    func megabyte() throws {
        let server = try FakeServer(loop: loop)
        let source = source(try receiver("tcp:127.0.0.1:\(server.port)"))
        source.start()
        #expect(try loop.run(until: { !server.clients.isEmpty }))
        let chunk = String(repeating: "A", count: 16_384)
        var sent = 0
        let feed = loop.makeTimer {
            guard sent < 64 else { return }
            server.say(sent == 0 ? "$" + chunk : chunk)
            sent += 1
        }
        feed.arm(afterMicroseconds: 0, everyMicroseconds: 2000)
        #expect(try loop.run(until: { sent == 64 }))
        feed.disarm()
        server.say("\r\n" + Self.second(4))
        #expect(try loop.run(until: { listener.fixes.count == 1 }))
        #expect(server.accepted == 1)
        source.stop()
    }

    @Test("Nobody there is a failure that heals by itself")
    func nobodyThere() throws {
        let port = try FakeServer(loop: loop).port
        let source = source(try receiver("tcp:127.0.0.1:\(port)"))
        source.start()
        #expect(try loop.run(until: { source.placeState.state == .failed }))
        #expect(source.problem == "tcp:127.0.0.1:\(port): cannot connect: Connection refused")
        let late = try FakeServer(loop: loop, port: port)
        late.greeting = Self.second(1)
        #expect(try loop.run(until: { listener.fixes.count == 1 }))
        source.stop()
    }

    @Test(
        "Datagrams are taken, each for itself, with or without line ends",
        arguments: ["", "127.0.0.1:", "239.255.77.1:"])
    func datagrams(address: String) throws {
        let port = try Datagrams.freePort()
        let source = source(try receiver("udp:\(address)\(port)"))
        source.start()
        let target = address.hasPrefix("239") ? "239.255.77.1" : "127.0.0.1"
        var second = 0
        let feed = loop.makeTimer {
            second = (second + 1) % 60
            Datagrams.send("$GPRMC,1200", to: target, port)
            for line in Self.second(second).split(separator: "\r\n") { Datagrams.send(String(line), to: target, port) }
        }
        feed.arm(afterMicroseconds: 0, everyMicroseconds: 30_000)
        #expect(try loop.run(until: { listener.fixes.count >= 3 }))
        feed.disarm()
        source.stop()
    }

    @Test("A socket in the file system is connected to as soon as it is there")
    func fileSystemSocket() throws {
        let folder = try Folder()
        let path = folder.path + "/nmea"
        var timing = Self.timing
        timing.firstPause = 600
        timing.longestNearPause = 600
        let source = source(try receiver("unix:\(path)", timing: timing))
        source.start()
        #expect(try loop.run(until: { source.placeState.state == .failed }))
        let server = try UnixServer(loop: loop, path: path, greeting: Self.second(1))
        #expect(try loop.run(until: { listener.fixes.count == 1 }))
        #expect(server.accepted == 1)
        source.stop()
    }

    @Test(
        "Bar 21: however long it was away, what is near is tried again within a second",
        arguments: ["tcp", "unix", "tty"])
    func longOutage(kind: String) throws {
        let folder = try Folder()
        var timing = Self.timing
        // As far as pauses grow, and more.
        timing.firstPause = 600
        timing.longestPause = 600
        timing.longestNearPause = SourceTiming().longestNearPause
        let port = try FakeServer(loop: loop).port
        // A folder that is not there cannot be watched.
        let path = folder.path + "/by-id/gps"
        let source = source(
            try receiver(kind == "tcp" ? "tcp:127.0.0.1:\(port)" : "\(kind):\(path)", timing: timing))
        source.start()
        #expect(try loop.run(until: { source.placeState.state == .failed }))
        try FileManager.default.createDirectory(atPath: folder.path + "/by-id", withIntermediateDirectories: false)
        var peer: [AnyObject] = []
        switch kind {
        case "tcp":
            let server = try FakeServer(loop: loop, port: port)
            server.greeting = Self.second(1)
            peer = [server]
        case "unix": peer = [try UnixServer(loop: loop, path: path, greeting: Self.second(1))]
        default:
            let line = try Terminal()
            line.write(Self.second(1))
            symlink(line.path, path)
            peer = [line]
        }
        #expect(
            try loop.run(until: {
                (peer.first as? Terminal)?.write(Self.second(2)); return !listener.fixes.isEmpty
            }))
        source.stop()
    }

    // MARK: - States

    @Test("No fix is told once and does not end the connection")
    func noFix() throws {
        let server = try FakeServer(loop: loop)
        let source = source(try receiver("tcp:127.0.0.1:\(server.port)"))
        source.start()
        #expect(try loop.run(until: { !server.clients.isEmpty }))
        server.say(Self.void + Self.second(1) + Self.void + Self.void)
        #expect(try loop.run(until: { listener.lostFixes == 1 }))
        server.say(Self.second(40))
        #expect(try loop.run(until: { listener.fixes.count == 2 }))
        #expect(listener.lostFixes == 1 && server.accepted == 1 && source.placeState.state == .ok)
        source.stop()
    }

    @Test("A wire that keeps silent is lost, and opened again")
    func silence() throws {
        var timing = Self.timing
        timing.silence = 0.3
        timing.firstReport = 0.5
        let server = try FakeServer(loop: loop)
        let source = source(try receiver("tcp:127.0.0.1:\(server.port)", timing: timing))
        source.start()
        #expect(try loop.run(until: { server.accepted == 3 }))
        #expect(source.placeState.state == .failed)
        #expect(source.problem == "tcp:127.0.0.1:\(server.port) sends no NMEA sentences")
        source.stop()
    }

    @Test("Sentences without a checksum are named as the reason, and taken where the source is set so")
    func checksums() throws {
        var timing = Self.timing
        timing.firstReport = 0.3
        let text = "$GPRMC,101500,A,5147.946,N,01036.936,E,3.2,211.0,120626,,\r\n"
        let server = try FakeServer(loop: loop)
        server.greeting = text
        let strict = source(try receiver("tcp:127.0.0.1:\(server.port)", timing: timing))
        strict.start()
        #expect(
            try loop.run(until: { strict.problem?.hasSuffix("; the latest line was dropped: no checksum") == true }))
        strict.stop()
        let lenient = source(try receiver("tcp:127.0.0.1:\(server.port),checksum=optional"))
        lenient.start()
        #expect(try loop.run(until: { listener.fixes.count == 1 }))
        lenient.stop()
    }

    @Test("A listener may stop the source from within a fix")
    func stopFromWithin() throws {
        let server = try FakeServer(loop: loop)
        server.greeting = (1...9).map(Self.second).joined()
        let source = source(try receiver("tcp:127.0.0.1:\(server.port)"))
        listener.onFix = { source.stop() }
        source.start()
        #expect(try loop.run(until: { server.accepted == 1 && server.clients.isEmpty }))
        #expect(listener.fixes.count == 1 && source.placeState.state == .off)
    }

    // MARK: - Headings

    private func headings(_ text: String, declination: Double = .nan) throws -> ([Double], NMEAHeadingSource) {
        listener.fixes = []
        let server = try FakeServer(loop: loop)
        server.greeting = text + "$GPTXT,01,01,02,end*3E\r\n" + Self.second(1)
        let receiver = try receiver("tcp:127.0.0.1:\(server.port)")
        let place = source(receiver)
        let source = NMEAHeadingSource(loop: loop, receivers: [receiver])
        let sensors = RecordingSensorListener()
        source.sensorListener = sensors
        source.setDeclination(declination)
        #expect(source.isDiscovering && source.sensors.isEmpty)
        source.start(rateHertz: 10)
        place.start()
        #expect(try loop.run(until: { !listener.fixes.isEmpty }))
        place.stop()
        source.stop()
        #expect(source.sensorStates.map(\.state) == [.off])
        #expect(try loop.run(until: { server.accepted == 1 && server.clients.isEmpty }))
        return (sensors.headings.map { ($0 * 1000).rounded() / 1000 }, source)
    }

    @Test("Magnetic headings come as they are, the deviation applied; true ones through the declination")
    func headingsOfSentences() throws {
        let (magnetic, source) = try headings(
            Self.line("HCHDG,10.0,2.5,E,3.0,E") + Self.line("HCHDM,350.0,M"))
        #expect(magnetic == [12.5, 350])
        #expect(source.sensors.map(\.kind) == [.hubHeading] && source.hubHeadingSource == .nmea)
        #expect(try headings(Self.line("HEHDT,2.0,T"), declination: 4.5).0 == [357.5])
        #expect(try headings(Self.line("GPTHS,2.0,A") + Self.line("GPTHS,3.0,V"), declination: -4.5).0 == [6.5])
    }

    @Test("Without a place a true heading gives none, and says what is missing")
    func trueHeadingWithoutPlace() throws {
        let server = try FakeServer(loop: loop)
        server.greeting = Self.line("HEHDT,2.0,T")
        let source = NMEAHeadingSource(loop: loop, receivers: [try receiver("tcp:127.0.0.1:\(server.port)")])
        source.start(rateHertz: 10)
        #expect(try loop.run(until: { source.needsDeclination }))
        #expect(source.silenceReason?.contains("no place is known") == true)
        source.setDeclination(2)
        server.say(Self.line("HEHDT,2.0,T"))
        #expect(try loop.run(until: { source.sensorStates.map(\.state) == [.ok] }))
        source.stop()
    }

    @Test("A gyrocompass counts before a magnetic compass, and that before what was computed from it")
    func preference() throws {
        let text =
            Self.line("HCHDT,14.0,T") + Self.line("HCHDG,10.0,,,4.0,E") + Self.line("HCHDT,14.1,T")
            + Self.line("HEHDT,15.0,T") + Self.line("HCHDG,10.2,,,4.0,E") + Self.line("HEHDT,15.2,T")
        #expect(try headings(text, declination: 4).0 == [10, 10, 11, 11.2])
    }
}

extension String {
    fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
