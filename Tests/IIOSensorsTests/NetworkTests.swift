import Foundation
import TestSupport
import Testing

/// Contexts of other machines: the system's iiod over loopback, its tree a rig.
@Suite("Network contexts", .needsIIORig(), .needs(.program("iiod")))
struct NetworkTests {
    /// iiod in a rig's namespace. Ended by SIGKILL: on SIGTERM it waits for its Avahi thread for most of a minute.
    final class Server {
        let port: UInt16
        private let process = Process()

        init(_ rig: IIORig, port: UInt16? = nil) throws {
            self.port = try port ?? Self.freePort()
            let iiod = Requirement.path(of: "iiod") ?? "iiod"
            let command = rig.command(for: [iiod, "-p", "\(self.port)"])
            process.executableURL = URL(fileURLWithPath: command[0])
            process.arguments = Array(command.dropFirst())
            process.environment = TestRun.environment()
            process.standardError = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            let limit = Date().addingTimeInterval(20)
            while !Self.connects(self.port) {
                try #require(process.isRunning && Date() < limit, "iiod does not start")
                usleep(10_000)
            }
        }

        /// Lets it say nothing any more, as if the network were gone, or go on.
        func freeze(_ isFrozen: Bool) { kill(process.processIdentifier, isFrozen ? SIGSTOP : SIGCONT) }

        func end() {
            guard process.isRunning else { return }
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }

        deinit { end() }

        private static func freePort() throws -> UInt16 {
            var address = loopback(0)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
                }
            }
            try #require(status == 0)
            return UInt16(bigEndian: address.sin_port)
        }

        private static func connects(_ port: UInt16) -> Bool {
            var address = loopback(port)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            return withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
        }

        private static func loopback(_ port: UInt16) -> sockaddr_in {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            return address
        }
    }

    private static func rig() throws -> IIORig {
        try IIORig(
            devices: [
                .magnetometer(type: "be:s16/16>>0", attributes: ["in_magn_mount_matrix": "0, 1, 0; -1, 0, 0; 0, 0, 1"]),
                .accelerometer(),
            ], triggers: ["chip-dev0"])
    }

    @Test("samples come from another machine's buffer and raw values, at the wanted rate, and the rate is put back")
    func stream() throws {
        let rig = try Self.rig()
        let feed = try rig.feed(0, hertz: 100) { _ in ["magn_x": 10, "magn_y": 200, "magn_z": -400] }
        defer { feed.stop() }
        let server = try Server(rig)
        let uri = "ip:127.0.0.1:\(server.port)"
        let probe = try Probe(contexts: [uri])
        try probe.ask("start 100")
        try probe.waitForMore(50)
        try probe.waitForMore(5, "accel")
        let samples = probe.lines.samples("magn")
        // (1, 20, −40) µT turned by the matrix; stamps of the other clock become times of ours.
        #expect(samples.allSatisfy { $0.values == [20, -1, -40] && $0.age >= 0 && $0.age < 1_000_000 })
        #expect(
            try probe.ask("sensors").contains {
                $0.contains("\(uri)/iio:device0/magn magnetometer true true in_magn_mount_matrix")
            })
        #expect(try probe.ask("identity").contains("identity chip at \(uri)"))
        #expect(rig.get(0, "sampling_frequency") == "100")
        try probe.ask("stop")
        #expect(try probe.ask("off 5000").contains("off true"))
        #expect(rig.get(0, "sampling_frequency") == "50")
    }

    @Test("a server that dies is lost with the reason, and used again when it is back")
    func serverDies() throws {
        let rig = try Self.rig()
        let feed = try rig.feed(0, hertz: 100) { _ in ["magn_x": 10, "magn_y": 200, "magn_z": -400] }
        defer { feed.stop() }
        let server = try Server(rig)
        let probe = try Probe(contexts: ["ip:127.0.0.1:\(server.port)"])
        try probe.ask("start 100")
        try probe.waitForMore(10)
        server.end()
        try probe.wait("loss") { $0.contains { $0.hasPrefix("lost") } }
        try probe.waitForFinding("context-unreachable")
        try probe.ask("rate", seconds: 1)
        let again = try Server(rig, port: server.port)
        let back = Date()
        try probe.waitForMore(10, seconds: 40)
        #expect(probe.lines.contains("restarted"))
        // It was away for a second or two, so no pause is longer than that; the rest is a busy machine's.
        #expect(Date().timeIntervalSince(back) < 15)
        again.end()
    }

    @Test("a machine that answers with nothing is asked ever more seldom", .needs(.program("python3")))
    func backOff() throws {
        let listener = try Listener(
            "import socket,sys,time\ns=socket.socket(); s.bind(('127.0.0.1',0)); s.listen(5)\nprint(s.getsockname()[1], flush=True)\nwhile True:\n c,_=s.accept(); print(time.monotonic(), flush=True); c.close()"
        )
        let probe = try Probe(contexts: ["ip:127.0.0.1:\(listener.port)"])
        try probe.ask("start 50")
        // Several connections may belong to one try.
        var tries: [Double] = []
        try probe.wait("the fifth try", seconds: 60) { _ in
            tries = listener.numbers.reduce(into: []) { list, time in
                if time - (list.last ?? -.infinity) > 0.3 { list.append(time) }
            }
            return tries.count >= 5
        }
        let pauses = zip(tries.dropFirst(), tries).map { $0 - $1 }
        // Never earlier; later if the machine is busy.
        for (pause, least) in zip(pauses, [0.5, 1, 2, 4]) { #expect(pause > least - 0.05, "\(pauses)") }
        try probe.ask("stop", seconds: 1)
    }

    /// A Python program that writes its port and then numbers.
    private final class Listener {
        let port: String
        private let running: RunningCommand

        init(_ program: String) throws {
            running = try Command.start(Requirement.path(of: "python3") ?? "python3", ["-c", program])
            let limit = Date().addingTimeInterval(30)
            while !running.outputSoFar.contains("\n") {
                try #require(Date() < limit && !running.isFinished, "\(running.errorsSoFar)")
                usleep(10_000)
            }
            port = String(running.outputSoFar.prefix { $0 != "\n" })
        }

        deinit { running.signal(SIGKILL) }

        var numbers: [Double] { running.outputSoFar.split(separator: "\n").dropFirst().compactMap { Double($0) } }
    }

    @Test("a network that is gone for a while is told, holds nothing up, and is used again when it is back")
    func networkLoss() throws {
        let rig = try Self.rig()
        let feed = try rig.feed(0, hertz: 100) { _ in ["magn_x": 10, "magn_y": 200, "magn_z": -400] }
        defer { feed.stop() }
        let server = try Server(rig)
        let probe = try Probe(contexts: ["ip:127.0.0.1:\(server.port)"])
        try probe.ask("start 100")
        try probe.waitForMore(10)
        try probe.waitForMore(2, "accel")
        server.freeze(true)
        defer { server.freeze(false) }
        try probe.wait("loss", seconds: 60) { $0.contains { $0.hasPrefix("lost") } }
        try probe.ask("rate", seconds: 1)
        // Tries in vain, each of which may wait for an answer, come ever more seldom.
        let seen = probe.lines.count
        server.freeze(false)
        try probe.wait("return", seconds: 60) { $0.dropFirst(seen).contains("restarted") }
        try probe.waitForMore(10, seconds: 60)
        try probe.ask("stop")
        #expect(try probe.ask("off 10000", seconds: 15).contains("off true"))
    }

    @Test("a host that accepts and then says nothing holds nothing up", .needs(.program("python3")))
    func silentServer() throws {
        let listener = Process()
        listener.executableURL = URL(fileURLWithPath: Requirement.path(of: "python3") ?? "python3")
        listener.arguments = [
            "-c",
            "import socket,sys\ns=socket.socket(); s.bind(('127.0.0.1',0)); s.listen(5); print(s.getsockname()[1], flush=True); sys.stdin.read()",
        ]
        let output = Pipe()
        let input = Pipe()
        listener.standardOutput = output
        listener.standardInput = input
        listener.environment = TestRun.environment()
        try listener.run()
        defer {
            kill(listener.processIdentifier, SIGKILL)
            listener.waitUntilExit()
        }
        let port = try #require(
            String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).split(separator: "\n").first)
        let probe = try Probe(contexts: ["ip:127.0.0.1:\(port)"])
        try probe.ask("start 50")
        try probe.ask("rate", seconds: 1)
        try probe.wait("loss", seconds: 30) { $0.contains { $0.hasPrefix("lost") } }
        try probe.ask("stop", seconds: 1)
        #expect(try probe.quit(seconds: 3) != nil)
    }
}
