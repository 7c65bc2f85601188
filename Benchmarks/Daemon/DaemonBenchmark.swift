import EventLoop
import Foundation
import LocateMeBusInterface
import MessageBus

extension Benchmark {
    /// What the running service costs.
    static var daemon: Benchmark {
        Benchmark(
            name: "daemon",
            summary:
                "locatemed with 9 axes at 100 Hz and ten sessions at 10 Hz: processor, memory, delay, start, idle [--only start|peer|bus|load] [--seconds N] [--stopped [N]] [--binary FILE] [--mappings]"
        ) { arguments in
            do {
                return try DaemonBenchmark(arguments).run()
            } catch {
                print("daemon: \(error)")
                return 1
            }
        }
    }

    /// The client that the daemon's benchmark stops; not for people.
    static var daemonClient: Benchmark {
        Benchmark(name: "daemon-client", summary: "one session without a filter on a bus, for 'daemon' [BUS]") {
            arguments in
            do {
                let loop = try EventLoop()
                let client = try BenchmarkClient(bus: arguments.first ?? "", loop: loop, filterDegrees: -1)
                try client.tell("Start")
                print("ready")
                fflush(nil)
                try loop.run()
                return 0
            } catch {
                print("daemon-client: \(error)")
                return 1
            }
        }
    }
}

/// Measures the release build of locatemed in a private mount namespace with fake sensors, on a private bus. Needs root
/// or user namespaces, dbus-daemon, and for the peer's figures the product iio-peer. Fails above what the product promises.
final class DaemonBenchmark {
    private static let hertz = 100.0
    private static let sessions = 10

    private let loop: EventLoop
    private let bus: Child
    private let address: String
    private let binaries: String
    private let locatemed: String
    private let seconds: Double
    private let stoppedSeconds: Double?
    private let showsMappings: Bool
    private let only: String?
    private var hasFailed = false

    init(_ arguments: [String]) throws {
        func value(_ name: String) -> String? {
            guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
            return arguments[index + 1]
        }
        loop = try EventLoop()
        binaries = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent().path
        locatemed = value("--binary") ?? binaries + "/locatemed"
        seconds = value("--seconds").flatMap { Double($0) } ?? 20
        stoppedSeconds = arguments.contains("--stopped") ? value("--stopped").flatMap { Double($0) } ?? 60 : nil
        only = value("--only")
        showsMappings = arguments.contains("--mappings")
        guard access(locatemed, X_OK) == 0 else {
            throw BenchmarkFailure("there is no \(locatemed): swift build -c release --static-swift-stdlib")
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("bus-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let configuration = folder.appendingPathComponent("bus.conf")
        try """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
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
        if let stoppedSeconds {
            try measureStoppedClient(seconds: stoppedSeconds)
        } else {
            let parts = [
                ("start", measureStart), ("peer", measurePeer), ("bus", measureBus), ("load", measureLoad),
            ]
            for (name, measure) in parts where only == nil || only == name { try measure() }
        }
        return hasFailed ? 1 : 0
    }

    // MARK: - Measurements

    private func measureStart() throws {
        var times: [Double] = []
        for _ in 0..<15 {
            let (daemon, seconds) = try start(rig: nil)
            times.append(seconds * 1000)
            daemon.end()
        }
        times.sort()
        report("start to name owned, median of 15", times[7], "ms", limit: 50)
        report("start to name owned, best", times[0], "ms")
    }

    /// What a C program without Swift and D-Bus needs for the same samples.
    private func measurePeer() throws {
        let peer = binaries + "/iio-peer"
        guard access(peer, X_OK) == 0 else {
            print("peer: there is no \(peer): swift build -c release --product iio-peer")
            return
        }
        let rig = try SensorRig(loop: loop, hertz: Self.hertz)
        let scan = try Child(rig.command([peer, "0"])).line().split(separator: " ").compactMap { Double($0) }
        rig.run()
        let capture = try Child(rig.command([peer, "10", "capture"]))
        try spin(10.2)
        let figures = capture.line().split(separator: " ").compactMap { Double($0) }
        rig.stop()
        guard scan.count == 3, figures.count == 3 else { throw BenchmarkFailure("iio-peer failed") }
        report("peer: C and libiio, scan only, memory", scan[0] / 1024, "MB")
        report("peer: C and libiio, capturing, memory", figures[0] / 1024, "MB")
        report("peer: C and libiio, capturing, processor", figures[1] / 100, "% of a core")
        report("peer: C and libiio, capturing, samples", figures[2] / 10, "Hz")
    }

    /// How long a signal takes through this dbus-daemon between two of our connections: the least that is possible.
    private func measureBus() throws {
        let from = try BusConnection(.address(address), loop: loop)
        let to = try BusConnection(.address(address), loop: loop)
        var delays: [Int64] = []
        let match = to.addUnicastMatch(BusMatchRule(sender: from.uniqueName, member: "Now")) { message in
            let now = Clock.bootMicroseconds()
            var reader = message.reader()
            if let sent = try? reader.readInt64() { delays.append(now - sent) }
        }
        let timer = loop.makeTimer {
            guard
                let message = try? BusMessage.signal(
                    path: "/", interface: "org.locateme.Benchmark", member: "Now", destination: to.uniqueName),
                (try? message.append(.int64(Clock.bootMicroseconds()))) != nil
            else { return }
            from.send(message)
        }
        timer.arm(afterMicroseconds: 0, everyMicroseconds: 10_000)
        try spin(5)
        timer.disarm()
        match.cancel()
        delays.sort()
        report("peer: one signal through the bus, p50", percentile(delays, 50), "ms")
        report("peer: one signal through the bus, p99", percentile(delays, 99), "ms")
        from.close()
        to.close()
    }

    private func measureLoad() throws {
        let rig = try SensorRig(loop: loop, hertz: Self.hertz)
        let (daemon, _) = try start(rig: rig)
        defer { daemon.end() }
        // By then it has let go what only the start needed.
        try spin(3)
        report("memory after the start", Double(daemon.residentKilobytes) / 1024, "MB")
        // At 50°/s and 100 Hz each tenth sample is 5° further.
        var clients: [BenchmarkClient] = []
        for _ in 0..<Self.sessions {
            clients.append(try BenchmarkClient(bus: address, loop: loop, filterDegrees: 4.75))
        }
        rig.run()
        for client in clients { try client.tell("Start") }
        try spin(3)
        for client in clients { client.reset() }
        let before = (cpu: daemon.cpuSeconds, waits: daemon.waits, time: Clock.bootMicroseconds())
        try spin(seconds)
        let elapsed = Double(Clock.bootMicroseconds() - before.time) * 1e-6
        let cpu = (daemon.cpuSeconds - before.cpu) / elapsed * 100
        let delays = clients.flatMap(\.delays).sorted()
        guard !delays.isEmpty else { throw BenchmarkFailure("no heading came") }
        report("headings, of each of \(Self.sessions) sessions", Double(delays.count) / elapsed / 10, "Hz")
        report("processor", cpu, "% of a core", limit: 2)
        report("memory", Double(daemon.residentKilobytes) / 1024, "MB", limit: 10)
        report("sample to signal, p50", percentile(delays, 50), "ms")
        report("sample to signal, p99", percentile(delays, 99), "ms", limit: 5)
        report("sample to signal, worst", percentile(delays, 100), "ms")
        report("threads", Double(daemon.threads.count), "")
        report("waits", Double(daemon.waits - before.waits) / elapsed, "a second")
        if rig.lost > 0 { print("  \(rig.lost) scans were lost") }
        if showsMappings { printMappings(daemon) }
        for client in clients { try client.tell("Stop") }
        for client in clients { client.close() }
        try spin(4)
        rig.stop()
        let idle = (cpu: daemon.cpuSeconds, waits: daemon.waits)
        try spin(5)
        report("no session: wake-ups", Double(daemon.waits - idle.waits) / 5, "a second", limit: 0)
        report("no session: processor", (daemon.cpuSeconds - idle.cpu) / 5 * 100, "% of a core", limit: 0)
        report("no session: sensors that are on", rig.isOn ? 1 : 0, "", limit: 0)
        report("no session: memory", Double(daemon.residentKilobytes) / 1024, "MB", limit: 10)
    }

    /// A client that takes every sample is stopped for a minute.
    private func measureStoppedClient(seconds: Double) throws {
        let rig = try SensorRig(loop: loop, hertz: Self.hertz)
        let (daemon, _) = try start(rig: rig)
        defer { daemon.end() }
        let stopped = try Child([CommandLine.arguments[0], "daemon-client", address])
        let client = try BenchmarkClient(bus: address, loop: loop, filterDegrees: -1)
        guard stopped.line() == "ready" else { throw BenchmarkFailure("the client that is to stand still failed") }
        rig.run()
        try client.tell("Start")
        // What only the start needed was let go after 2 s; what is in use is back after some more.
        try spin(12)
        client.reset()
        kill(stopped.identifier, SIGSTOP)
        let before = (own: daemon.ownKilobytes, daemon: daemon.residentKilobytes, bus: bus.residentKilobytes)
        var highest = before
        for _ in 0..<max(1, Int(seconds)) {
            try spin(1)
            highest.own = max(highest.own, daemon.ownKilobytes)
            highest.daemon = max(highest.daemon, daemon.residentKilobytes)
            highest.bus = max(highest.bus, bus.residentKilobytes)
        }
        let delays = client.delays.sorted()
        report("client stopped for", seconds, "s")
        report("daemon has grown by", Double(highest.own - before.own), "kB", limit: 64)
        report("  with pages of code that came back", Double(highest.daemon - before.daemon), "kB")
        report("dbus-daemon has grown by", Double(highest.bus - before.bus), "kB", limit: 512)
        report("other client: headings", Double(delays.count) / seconds, "Hz", least: 95)
        report("other client: sample to signal, p99", percentile(delays, 99), "ms", limit: 5)
        report("other client: longest pause", Double(client.longestPause) / 1000, "ms", limit: 1000)
        client.close()
        rig.stop()
    }

    // MARK: - Tools

    /// Starts the daemon and waits until it says that it owns its name; the seconds that took.
    private func start(rig: SensorRig?) throws -> (Child, Double) {
        let command = [
            locatemed, "--bus", "session", "--config", "/dev/null", "--no-gpsd", "--state-dir",
            FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)").path,
        ]
        let manager = try NotificationSocket()
        let begun = Clock.bootMicroseconds()
        let daemon = try Child(
            rig?.command(command) ?? command,
            environment: [
                "NOTIFY_SOCKET": manager.address, "DBUS_SESSION_BUS_ADDRESS": address,
                "DBUS_SYSTEM_BUS_ADDRESS": address,
            ], quiet: false)
        guard manager.receive(seconds: 20) == "READY=1" else { throw BenchmarkFailure("locatemed did not start") }
        // It says good-bye there, too.
        daemon.companion = manager
        return (daemon, Double(Clock.bootMicroseconds() - begun) * 1e-6)
    }

    /// Runs the loop for so long.
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

    private func report(
        _ what: String, _ value: Double, _ unit: String, limit: Double? = nil, least: Double? = nil
    ) {
        let number = String(format: "%.2f", value)
        var line = what + String(repeating: " ", count: max(1, 46 - what.count)) + number + " " + unit
        if let limit {
            let isGood = value <= limit
            hasFailed = hasFailed || !isGood
            line += isGood ? "  (at most \(limit))" : "  ABOVE \(limit)"
        }
        if let least {
            let isGood = value >= least
            hasFailed = hasFailed || !isGood
            line += isGood ? "  (at least \(least))" : "  BELOW \(least)"
        }
        print(line)
        fflush(nil)
    }

    private func printMappings(_ daemon: Child) {
        print("  resident kB   own kB  mapping")
        for mapping in daemon.mappings where mapping.resident > 0 {
            print(String(format: "  %11d  %7d  ", mapping.resident, mapping.own) + mapping.name)
        }
    }
}

/// Why a measurement cannot be made.
struct BenchmarkFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
