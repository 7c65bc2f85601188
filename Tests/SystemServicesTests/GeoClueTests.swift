import EventLoop
import Foundation
import LocateMeModel
import MessageBus
import TestSupport
import Testing

@testable import SystemServices

/// Against the real GeoClue on a private bus, fed by a socket of the test, away from any network.
@Suite(
    .needs(.program("dbus-daemon")), .needs(.pythonModule("gi")), .needs(.root), .needs(.program("unshare")),
    .needs(.file("/usr/libexec/geoclue")))
struct GeoClueTests {
    private final class Listener: PlaceSourceListener {
        var fixes: [Fix] = []
        var states: [SourceState] = []
        func placeSource(_ source: any PlaceSource, delivered fix: Fix) { fixes.append(fix) }
        func placeSourceHasNoFix(_ source: any PlaceSource) {}
        func placeSourceChanged(_ source: any PlaceSource) {
            if states.last != source.placeState.state { states.append(source.placeState.state) }
        }
    }

    /// GeoClue with its network sources off, as user of the test, and a receiver on a socket.
    private final class GeoClue {
        let running: RunningCommand
        private let folder: URL

        init(_ bus: PrivateBus, receiver: String) throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent("g\(UInt32.random(in: 0 ... .max))")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let off = ["3g", "cdma", "modem-gps", "wifi", "compass"].map { "[\($0)]\nenable=false\n" }.joined()
            let configuration = folder.appendingPathComponent("geoclue.conf").path
            try """
            [agent]
            whitelist=geoclue-demo-agent
            [network-nmea]
            enable=true
            nmea-socket=\(receiver)
            \(off)
            """.write(toFile: configuration, atomically: true, encoding: .utf8)
            running = try Command.start(
                "/usr/bin/unshare",
                [
                    "-mn", "--propagation", "private", "sh", "-c",
                    "mount --bind \"$1\" /etc/geoclue/geoclue.conf && exec /usr/libexec/geoclue -t 0", "sh",
                    configuration,
                ], environment: bus.environment)
        }

        deinit {
            running.signal(SIGKILL)
            _ = running.wait()
            try? FileManager.default.removeItem(at: folder)
        }
    }

    @Test(
        "Bars 4 and 5: places of the real GeoClue become fixes, once a moment, without its accuracy of 0 and its speeds"
    )
    func realService() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let connection = try BusConnection(.address(bus.address), loop: loop)
        let receiver = try ReceiverSocket()
        let geoclue = try GeoClue(bus, receiver: receiver.path)
        let agent = try BusHelper("geoclue_agent.py", bus)
        let source = GeoCluePlaceSource(connection: connection, firstPause: 100_000)
        let listener = Listener()
        source.placeListener = listener
        // The witnesses: what GeoClue itself says of the same moments.
        var told = 0
        let witness = connection.addMatch(
            BusMatchRule(
                sender: ServiceName.geoClue, interface: "org.freedesktop.GeoClue2.Client", member: "LocationUpdated")
        ) { _ in told += 1 }
        defer { witness.cancel() }
        source.start()
        let came = try loop.run(until: { listener.fixes.count >= 3 }, seconds: 60)
        #expect(came, "\(source.problem ?? "") \(geoclue.running.errorsSoFar)")
        for fix in listener.fixes {
            #expect(abs(fix.latitude - 51.7991) < 1e-3 && abs(fix.longitude - 10.6156) < 1e-3)
            #expect(fix.source == "geoclue" && fix.speed == -1 && fix.course == -1)
            // For a dilution of 0.9 GeoClue says 0 m. Here that means unknown, and becomes the source's floor.
            #expect(fix.horizontalAccuracy == 0)
        }
        // GGA and RMC of one moment are two updates there, unless it reads them in one go.
        #expect(told >= listener.fixes.count)
        for (first, second) in zip(listener.fixes, listener.fixes.dropFirst()) {
            #expect(first.realMicroseconds != second.realMicroseconds || first.latitude != second.latitude)
        }
        #expect(source.placeState.state == .ok && source.problem == nil)
        // It is killed: lost, and said so.
        geoclue.running.signal(SIGKILL)
        #expect(try loop.run(until: { source.placeState.state == .lost }, seconds: 40))
        #expect(source.problem != nil)
        source.stop()
        #expect(listener.states.last == .off && source.problem == nil)
        withExtendedLifetime(agent) {}
        connection.close()
    }

    @Test("Without GeoClue the source says so, and tries again")
    func absent() throws {
        let bus = try PrivateBus()
        let loop = try EventLoop()
        let connection = try BusConnection(.address(bus.address), loop: loop)
        let source = GeoCluePlaceSource(connection: connection, firstPause: 10_000)
        source.start()
        #expect(try loop.run(until: { source.problem == "GeoClue is not installed" }))
        #expect(source.placeState.state == .failed)
        source.stop()
        connection.close()
    }

    @Test("What GeoClue leaves unknown stays unknown")
    func unknowns() throws {
        let fix = try #require(
            GeoCluePlaceSource.fix([
                "Latitude": .double(47.5), "Longitude": .double(8.5), "Accuracy": .double(0),
                "Altitude": .double(-.greatestFiniteMagnitude), "Speed": .double(47_142), "Heading": .double(45),
                "Timestamp": .structure([.uint64(1_781_260_530), .uint64(250_000)]),
            ]))
        #expect(fix.altitude.isNaN && fix.verticalAccuracy == -1 && fix.speed == -1 && fix.course == -1)
        #expect(fix.realMicroseconds == 1_781_260_530_250_000 && fix.horizontalAccuracy == 0)
        #expect(GeoCluePlaceSource.fix(["Latitude": .string("47.5")]) == nil)
    }
}

/// A receiver on a socket in the file system: sentences of now, a place a little further each quarter of a second, on a
/// thread of its own.
private final class ReceiverSocket: @unchecked Sendable {
    // Sound: all is set once in `init`, before the thread begins, which reads only.
    let path: String
    private let listener: Int32

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("r\(UInt32.random(in: 0 ... .max))").path
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let listener = listener
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let isListening = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(listener, 4) == 0
            }
        }
        guard isListening else { throw Errno.current }
        chmod(path, 0o666)
        Thread.detachNewThread {
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                Thread.detachNewThread { Self.serve(client) }
            }
        }
    }

    deinit {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        unlink(path)
    }

    private static func serve(_ client: Int32) {
        defer { close(client) }
        for step in 0..<400 {
            let date = UTCDate(realMicroseconds: Clock.realMicroseconds())
            let time = String(format: "%02d%02d%02d.00", date.hour, date.minute, date.second)
            let place = String(format: "5147.%04d,N,01036.9360,E", 9460 + step % 50)
            let body = "GPGGA,\(time),\(place),1,08,0.9,812.4,M,47.2,M,,"
            let day = String(format: "%02d%02d%02d", date.day, date.month, date.year % 100)
            for body in [body, "GPRMC,\(time),A,\(place),0.0,0.0,\(day),,,A"] {
                let line = "$\(body)*" + String(format: "%02X", body.utf8.reduce(0, ^)) + "\r\n"
                guard send(client, line, line.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else { return }
            }
            usleep(250_000)
        }
    }
}
