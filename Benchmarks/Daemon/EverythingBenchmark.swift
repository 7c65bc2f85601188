import EventLoop
import Foundation
import LocateMeBusInterface
import LocateMeModel
import MessageBus

extension Benchmark {
    /// What the service needs with everything on at once.
    static var everything: Benchmark {
        Benchmark(
            name: "everything",
            summary:
                "locatemed with all sensors, all sources, sensor proxy, NMEA and Signal K out, kept state and ten sessions of each kind: memory, processor [--seconds N] [--binary FILE] [--mappings]"
        ) { arguments in
            do {
                return try EverythingBenchmark(arguments).run()
            } catch {
                print("everything: \(error)")
                return 1
            }
        }
    }
}

/// Measures the release build of locatemed in a private mount namespace with fake sensors, on a private bus. Needs root or user
/// namespaces and dbus-daemon. Fails above what the product promises.
final class EverythingBenchmark {
    private let loop: EventLoop
    private let bus: Child
    private let address: String
    private let locatemed: String
    private let seconds: Double
    private let showsMappings: Bool
    private let receiver = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    private var second = 0.0
    private var hasFailed = false

    private static let receiverPort: UInt16 = 39_871
    private static let sentencePort: UInt16 = 39_872
    private static let deltaPort: UInt16 = 39_873

    init(_ arguments: [String]) throws {
        func value(_ name: String) -> String? {
            guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
            return arguments[index + 1]
        }
        loop = try EventLoop()
        let binaries = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
        locatemed = value("--binary") ?? binaries + "/locatemed"
        seconds = value("--seconds").flatMap { Double($0) } ?? 20
        showsMappings = arguments.contains("--mappings")
        guard access(locatemed, X_OK) == 0 else {
            throw BenchmarkFailure("there is no \(locatemed): swift build -c release --static-swift-stdlib")
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let configuration = folder.appendingPathComponent("bus.conf")
        try """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig><listen>unix:path=\(folder.path)/socket</listen><auth>EXTERNAL</auth><policy context="default">
        <allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>
        """.write(to: configuration, atomically: true, encoding: .utf8)
        bus = try Child([
            "/usr/bin/dbus-daemon", "--config-file=\(configuration.path)", "--nofork", "--print-address=1",
        ])
        address = bus.line()
        guard !address.isEmpty else { throw BenchmarkFailure("dbus-daemon did not start") }
    }

    func run() throws -> Int32 {
        defer { bus.end() }
        let rig = try SensorRig(loop: loop, hertz: 100)
        let daemon = try start(rig)
        defer { daemon.end() }
        rig.run()
        let timer = loop.makeTimer { [weak self] in self?.sayFix() }
        timer.arm(afterMicroseconds: 0, everyMicroseconds: 1_000_000)
        // At 50°/s and 100 Hz each tenth sample is 5° further.
        let headings = try (0..<10).map { _ in
            try BenchmarkClient(bus: address, loop: loop, filterDegrees: 4.75)
        }
        for client in headings { try client.tell("Start") }
        let others = try [
            LocateMeInterfaces.location1, LocateMeInterfaces.pose1, LocateMeInterfaces.significantChange1,
            LocateMeInterfaces.visits1,
        ].flatMap { interface in try (0..<10).map { _ in try session(interface.name) } }
        let proxy = try claim()
        let readers = try [Self.sentencePort, Self.deltaPort].map(connect)
        // What only the start needed was let go after 2 s; what is in use is back after some more.
        try spin(8)
        for client in headings { client.reset() }
        let before = (cpu: daemon.cpuSeconds, time: Clock.bootMicroseconds())
        var highest = 0
        for _ in 0..<max(1, Int(seconds)) {
            try spin(1)
            highest = max(highest, daemon.residentKilobytes)
            for reader in readers { drain(reader) }
        }
        let elapsed = Double(Clock.bootMicroseconds() - before.time) * 1e-6
        guard headings.contains(where: { !$0.delays.isEmpty }) else { throw BenchmarkFailure("no heading came") }
        report("sessions", Double(headings.count + others.count), "")
        report(
            "headings, of each of 10 sessions", Double(headings.map(\.delays.count).reduce(0, +)) / elapsed / 10, "Hz")
        report("memory with everything on, highest", Double(highest) / 1024, "MB", limit: 12)
        report("processor", (daemon.cpuSeconds - before.cpu) / elapsed * 100, "% of a core")
        report("threads", Double(daemon.threads.count), "")
        if showsMappings {
            for mapping in daemon.mappings.prefix(16) {
                print("  \(mapping.resident) kB, own \(mapping.own) kB: \(mapping.name)")
            }
        }
        timer.disarm()
        rig.stop()
        for reader in readers { close(reader) }
        for connection in others + [proxy] { connection.close() }
        return hasFailed ? 1 : 0
    }

    // MARK: - Tools

    private func start(_ rig: SensorRig) throws -> Child {
        let state = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)").path
        let command = rig.command([
            locatemed, "--bus", "session", "--config", "/dev/null", "--state-dir", state, "--sensor-proxy",
            "--gpsd", "127.0.0.1:39874", "--nmea", "udp:127.0.0.1:\(Self.receiverPort)", "--nmea",
            "tcp:127.0.0.1:39875", "--geoclue", "--modemmanager", "--place", "47.2,8.5,408", "--nmea-out",
            "tcp:\(Self.sentencePort)", "--nmea-out-sentences", "HDG,HDM,HDT,ROT,RMC,GGA", "--signalk-out",
            "tcp:\(Self.deltaPort)",
        ])
        let manager = try NotificationSocket()
        let daemon = try Child(
            command,
            environment: [
                "NOTIFY_SOCKET": manager.address, "DBUS_SESSION_BUS_ADDRESS": address,
                "DBUS_SYSTEM_BUS_ADDRESS": address,
            ])
        guard manager.receive(seconds: 20) == "READY=1" else { throw BenchmarkFailure("locatemed did not start") }
        daemon.companion = manager
        return daemon
    }

    /// A client of its own with one session that has started an interface.
    private func session(_ interface: String) throws -> BusConnection {
        let connection = try BusConnection(.address(address), loop: loop)
        let open = try BusMessage.methodCall(
            destination: LocateMeBus.name, path: LocateMeBus.managerPath,
            interface: LocateMeInterfaces.manager1.name, member: "CreateSession")
        try open.append(.dictionary(["Reason": .string("benchmark"), "AppId": .string("org.example.Benchmark")]))
        var reader = try connection.callBlocking(open).reader()
        let start = try BusMessage.methodCall(
            destination: LocateMeBus.name, path: try reader.readObjectPath(), interface: interface, member: "Start")
        if interface == LocateMeInterfaces.significantChange1.name { try start.append(.dictionary([:])) }
        _ = try connection.callBlocking(start)
        return connection
    }

    private func claim() throws -> BusConnection {
        let connection = try BusConnection(.address(address), loop: loop)
        let path: ObjectPath = "/net/hadess/SensorProxy"
        for (path, interface, member) in [
            (path, "net.hadess.SensorProxy", "ClaimAccelerometer"),
            ("/net/hadess/SensorProxy/Compass", "net.hadess.SensorProxy.Compass", "ClaimCompass"),
        ] as [(ObjectPath, String, String)] {
            _ = try connection.callBlocking(
                try BusMessage.methodCall(
                    destination: "net.hadess.SensorProxy", path: path, interface: interface, member: member))
        }
        return connection
    }

    private func connect(_ port: UInt16) throws -> Int32 {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = Self.loopback(port)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Foundation.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw BenchmarkFailure("nobody listens at port \(port)") }
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        return descriptor
    }

    private func drain(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }

    /// A moment of a receiver that drives north at 14 m/s.
    private func sayFix() {
        second += 1
        let now = UTCDate(realMicroseconds: Clock.realMicroseconds())
        let time = String(format: "%02d%02d%02d.00", now.hour, now.minute, now.second)
        let day = String(format: "%02d%02d%02d", now.day, now.month, now.year % 100)
        let place = String(format: "47%07.4f,N,00832.5200,E", 10 + second * 14 / 1852)
        for body in [
            "GPGGA,\(time),\(place),1,08,0.90,408.0,M,47.0,M,,", "GPRMC,\(time),A,\(place),27.21,0.0,\(day),,,A",
        ] {
            let line = "$\(body)*" + String(format: "%02X", body.utf8.reduce(0, ^)) + "\r\n"
            var address = Self.loopback(Self.receiverPort)
            _ = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    sendto(receiver, line, line.utf8.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private func spin(_ seconds: Double) throws {
        let timer = loop.makeTimer { [loop] in loop.stop() }
        timer.arm(afterMicroseconds: Int64(seconds * 1e6))
        try loop.run()
    }

    private func report(_ what: String, _ value: Double, _ unit: String, limit: Double? = nil) {
        var line =
            what + String(repeating: " ", count: max(1, 46 - what.count)) + String(format: "%.2f", value) + " " + unit
        if let limit {
            hasFailed = hasFailed || value > limit
            line += value <= limit ? "  (at most \(limit))" : "  ABOVE \(limit)"
        }
        print(line)
        fflush(nil)
    }
}
