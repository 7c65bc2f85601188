import EventLoop
import Foundation
import LocateMeBusInterface
import LocateMeModel
import MessageBus

extension Benchmark {
    /// What places cost the running service.
    static var places: Benchmark {
        Benchmark(
            name: "places",
            summary:
                "locatemed with 500 sessions and a place each second: processor, memory, delay; a significant change alone: wake-ups [--sessions N] [--seconds N] [--idle SECONDS] [--binary FILE] [--bus ADDRESS]"
        ) { arguments in
            do {
                return try PlaceBenchmark(arguments).run()
            } catch {
                print("places: \(error)")
                return 1
            }
        }
    }
}

/// Measures the release build of locatemed on a private bus, fed with NMEA by UDP. Needs root, since no user may have so many
/// sessions: the clients connect as several users. Fails above what the product promises.
final class PlaceBenchmark {
    private let loop: EventLoop
    /// The bus of its own, nil if it measures on one that runs.
    private let bus: Child?
    private let address: String
    private let locatemed: String
    private let peer: String
    private let sessions: Int
    private let seconds: Double
    private let idleSeconds: Double
    private let receiver: Int32
    private let port: UInt16
    private var second = 0.0
    /// CLOCK_BOOTTIME in µs at which the receiver spoke.
    private var spoken: [Int64] = []
    private var hasFailed = false

    init(_ arguments: [String]) throws {
        func value(_ name: String) -> String? {
            guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
            return arguments[index + 1]
        }
        guard geteuid() == 0 else { throw BenchmarkFailure("only root can connect as several users") }
        loop = try EventLoop()
        let binaries = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
        locatemed = value("--binary") ?? binaries + "/locatemed"
        peer = binaries + "/bus-peer"
        sessions = value("--sessions").flatMap { Int($0) } ?? 500
        seconds = value("--seconds").flatMap { Double($0) } ?? 30
        idleSeconds = value("--idle").flatMap { Double($0) } ?? 60
        guard access(locatemed, X_OK) == 0 else {
            throw BenchmarkFailure("there is no \(locatemed): swift build -c release --static-swift-stdlib")
        }
        guard access(peer, X_OK) == 0 else {
            throw BenchmarkFailure("there is no \(peer): swift build -c release --product bus-peer")
        }
        if let given = value("--bus") {
            (bus, address) = (nil, given)
        } else {
            (bus, address) = try Self.startBus()
        }
        receiver = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let probe = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var local = Self.loopback(0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &local) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(probe, $0, size) | getsockname(probe, $0, &size)
            }
        }
        port = UInt16(bigEndian: local.sin_port)
        close(probe)
    }

    func run() throws -> Int32 {
        defer { bus?.end() }
        let daemon = try start()
        defer { daemon.end() }
        // By then it has let go what only the start needed.
        try spin(3)
        report("memory after the start", Double(daemon.residentKilobytes) / 1024, "MB")
        let floor = try measureFloor()
        try measureSessions(daemon, floor: floor)
        try measureIdle(daemon)
        return hasFailed ? 1 : 0
    }

    // MARK: - Measurements

    /// `floor`: ms that bus and clients need alone, 99th percentile.
    private func measureSessions(_ daemon: Child, floor: Double) throws {
        let empty = daemon.residentKilobytes
        let clients = try Child([peer, "sessions", address, "\(sessions)", "16"], quiet: false, hasInput: true)
        guard clients.line() == "ready" else { throw BenchmarkFailure("bus-peer got no sessions") }
        let timer = loop.makeTimer { [weak self] in self?.sayFix() }
        timer.arm(afterMicroseconds: 0, everyMicroseconds: 1_000_000)
        try spin(4)
        spoken = []
        let before = (cpu: daemon.cpuSeconds, time: Clock.bootMicroseconds())
        try spin(seconds)
        timer.disarm()
        let elapsed = Double(Clock.bootMicroseconds() - before.time) * 1e-6
        let cpu = (daemon.cpuSeconds - before.cpu) / elapsed * 100
        try spin(1)
        let memory = daemon.residentKilobytes
        // Each arrival belongs to what the receiver has said last.
        var next = 0
        var delays: [Int64] = []
        for arrival in clients.numbers().sorted() {
            while next < spoken.count, spoken[next] <= arrival { next += 1 }
            if next > 0 { delays.append(arrival - spoken[next - 1]) }
        }
        delays.sort()
        guard !delays.isEmpty else { throw BenchmarkFailure("no place came") }
        report("sessions", Double(sessions), "")
        report(
            "places, of each session", Double(delays.count) / Double(spoken.count) / Double(sessions), "of a second's")
        report("processor", cpu, "% of a core", limit: 10)
        report("memory", Double(memory) / 1024, "MB")
        report("memory, of each session", Double(memory - empty) / Double(sessions), "kB")
        report("datagram to signal of all, p50", percentile(delays, 50), "ms")
        report("datagram to signal of all, p99", percentile(delays, 99), "ms", limit: max(10, floor + 5))
        report("above what the bus alone needs, p99", percentile(delays, 99) - floor, "ms")
        try spin(1)
    }

    /// The same number of signals of the same size from a C program to another: what bus and clients need alone; the 99th
    /// percentile in ms.
    private func measureFloor() throws -> Double {
        let bare = try Child([peer, "bare", address, "\(sessions)", "16", "\(Int(min(seconds, 10)))"], quiet: false)
        let delays = bare.numbers().sorted()
        guard !delays.isEmpty else { throw BenchmarkFailure("bus-peer got no signals") }
        report("peer: C on libdbus, bare signals, p50", percentile(delays, 50), "ms")
        report("peer: C on libdbus, bare signals, p99", percentile(delays, 99), "ms")
        return percentile(delays, 99)
    }

    /// One application waits for significant changes; the receiver has been heard once.
    private func measureIdle(_ daemon: Child) throws {
        let client = try PlaceBenchmarkClient(bus: address, loop: loop)
        let timer = loop.makeTimer { [weak self] in self?.sayFix() }
        timer.arm(afterMicroseconds: 0, everyMicroseconds: 500_000)
        try spin(3)
        timer.disarm()
        let before = (waits: daemon.waits, cpu: daemon.cpuSeconds)
        try spin(idleSeconds)
        let minutes = idleSeconds / 60
        report(
            "significant change alone: wake-ups", Double(daemon.waits - before.waits) / minutes, "a minute", limit: 1)
        report(
            "significant change alone: processor", (daemon.cpuSeconds - before.cpu) / idleSeconds * 100, "% of a core")
        client.close()
    }

    // MARK: - Tools

    /// A dbus-daemon for any user, and its address.
    private static func startBus() throws -> (Child, String) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        let configuration = folder.appendingPathComponent("bus.conf")
        try """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-BUS Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig><listen>unix:path=\(folder.path)/socket</listen><auth>EXTERNAL</auth><policy context="default">
        <allow user="*"/><allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/></policy></busconfig>
        """.write(to: configuration, atomically: true, encoding: .utf8)
        let bus = try Child([
            "/usr/bin/dbus-daemon", "--config-file=\(configuration.path)", "--nofork", "--print-address=1",
        ])
        let address = bus.line()
        guard !address.isEmpty else { throw BenchmarkFailure("dbus-daemon did not start") }
        return (bus, address)
    }

    private func start() throws -> Child {
        let command = [
            locatemed, "--bus", "session", "--config", "/dev/null", "--no-gpsd", "--nmea", "udp:127.0.0.1:\(port)",
            "--state-dir",
            FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)").path,
        ]
        let manager = try NotificationSocket()
        let daemon = try Child(
            command, environment: ["NOTIFY_SOCKET": manager.address, "DBUS_SESSION_BUS_ADDRESS": address], quiet: false)
        guard manager.receive(seconds: 20) == "READY=1" else { throw BenchmarkFailure("locatemed did not start") }
        daemon.companion = manager
        return daemon
    }

    /// A moment of a receiver that drives north at 14 m/s.
    private func sayFix() {
        second += 1
        let now = UTCDate(realMicroseconds: Clock.realMicroseconds())
        let time = String(format: "%02d%02d%02d.00", now.hour, now.minute, now.second)
        let day = String(format: "%02d%02d%02d", now.day, now.month, now.year % 100)
        let place = String(format: "47%07.4f,N,00832.5200,E", 10 + second * 14 / 1852)
        spoken.append(Clock.bootMicroseconds())
        for body in [
            "GPGGA,\(time),\(place),1,08,0.90,408.0,M,47.0,M,,", "GPRMC,\(time),A,\(place),27.21,0.0,\(day),,,A",
        ] {
            let line = "$\(body)*" + String(format: "%02X", body.utf8.reduce(0, ^)) + "\r\n"
            var address = Self.loopback(port)
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

    /// In ms.
    private func percentile(_ sorted: [Int64], _ percent: Int) -> Double {
        guard !sorted.isEmpty else { return .nan }
        return Double(sorted[min(sorted.count - 1, sorted.count * percent / 100)]) / 1000
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

/// One application that waits for significant changes.
final class PlaceBenchmarkClient {
    private let connection: BusConnection

    init(bus: String, loop: EventLoop) throws(BusError) {
        connection = try BusConnection(.address(bus), loop: loop)
        let open = try BusMessage.methodCall(
            destination: LocateMeBus.name, path: LocateMeBus.managerPath,
            interface: LocateMeInterfaces.manager1.name, member: "CreateSession")
        try open.append(.dictionary(["Reason": .string("benchmark"), "AppId": .string("org.example.Benchmark")]))
        var reader = try connection.callBlocking(open).reader()
        let start = try BusMessage.methodCall(
            destination: LocateMeBus.name, path: try reader.readObjectPath(),
            interface: LocateMeInterfaces.significantChange1.name, member: "Start")
        try start.append(.dictionary([:]))
        _ = try connection.callBlocking(start)
    }

    func close() { connection.close() }
}
