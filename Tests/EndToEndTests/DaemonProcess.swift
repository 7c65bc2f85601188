import Foundation
import TestSupport
import Testing

/// The real locatemed on a private bus, with configuration, state and places of its own.
final class DaemonProcess {
    let process: ChildProcess
    /// Seconds from the start of the process until it said that it was ready.
    let secondsToReady: Double
    /// State of its own, so that no test finds what another has left.
    private let state = FileManager.default.temporaryDirectory.appendingPathComponent("state-\(UUID().uuidString)")

    /// Starts it and waits until it tells the service manager READY=1, that is, until it owns its name.
    init(
        _ bus: PrivateBus, _ arguments: [String] = [], busArgument: String = "session", rig: IIORig? = nil,
        failing: IIORigInjection? = nil, view: String? = nil, environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let manager = try NotifySocket()
        let fallback = ["NOTIFY_SOCKET": manager.address, "STATE_DIRECTORY": state.path]
        let start = Date()
        process = try Self.launch(
            bus, arguments, busArgument: busArgument, rig: rig, failing: failing, view: view,
            environment: fallback.merging(environment) { $1 })
        let message = manager.receive(seconds: 20)
        secondsToReady = Date().timeIntervalSince(start)
        if message != "READY=1" {
            Issue.record(
                "locatemed was not ready but said \(message ?? "nothing"):\n\(process.errorText)",
                sourceLocation: sourceLocation)
            throw WaitFailure(description: "locatemed is not ready")
        }
    }

    deinit {
        process.stop()
        try? FileManager.default.removeItem(at: state)
    }

    /// The program: that of the test's own build, or of the folder `LOCATEME_BINARIES`, as for measurements.
    private static var program: String {
        ProcessInfo.processInfo.environment["LOCATEME_BINARIES"].map { $0 + "/locatemed" }
            ?? BuiltProducts.executable("locatemed")
    }

    /// Starts it and waits for nothing.
    static func launch(
        _ bus: PrivateBus, _ arguments: [String], busArgument: String = "session", rig: IIORig? = nil,
        failing: IIORigInjection? = nil, view: String? = nil, environment: [String: String] = [:]
    ) throws -> ChildProcess {
        var command = [program, "--bus", busArgument] + arguments
        if !arguments.contains("--config") { command += ["--config", "/dev/null"] }
        if let rig { command = rig.command(for: command, failing: failing, view: view) }
        return try ChildProcess(
            command[0], Array(command.dropFirst()), environment: bus.environment.merging(environment) { $1 })
    }

    /// Resident memory of its own in kB (RssAnon of proc(5)): what is mapped from files comes and goes with what runs.
    var residentKilobytes: Int {
        let status = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
        return line.split(whereSeparator: { " \t".contains($0) }).dropFirst().first.flatMap { Int($0) } ?? 0
    }

    /// Processor time that it has used so far, in seconds.
    var cpuSeconds: Double {
        let stat = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8)) ?? ""
        // The name in brackets may hold blanks; after it, user and system time are the 12th and 13th field.
        let fields = stat.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12, let user = Double(fields[11]), let system = Double(fields[12]) else { return 0 }
        return (user + system) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }

    /// How often its threads have given up the processor so far, by waiting.
    var voluntarySwitches: Int {
        let tasks = "/proc/\(process.processIdentifier)/task"
        let threads = (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? []
        return threads.reduce(0) { sum, thread in
            let status = (try? String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8)) ?? ""
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
        }
    }
}

/// The datagram socket of a service manager, as sd_notify(3) describes it; a file, since abstract addresses do not reach
/// into other network namespaces.
final class NotifySocket {
    let address: String
    private let descriptor: Int32

    init() throws {
        let path = NSTemporaryDirectory() + "notify-\(UUID().uuidString.prefix(13))"
        address = path
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var socketAddress = sockaddr_un()
        socketAddress.sun_family = sa_family_t(AF_UNIX)
        try #require(path.utf8.count < MemoryLayout.size(ofValue: socketAddress.sun_path))
        withUnsafeMutableBytes(of: &socketAddress.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let length = MemoryLayout<sockaddr_un>.size
        let status = withUnsafePointer(to: &socketAddress) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(length)) }
        }
        try #require(status == 0)
    }

    deinit {
        close(descriptor)
        unlink(address)
    }

    /// The next message, nil if none comes in time.
    func receive(seconds: Double) -> String? {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, Int32(seconds * 1000)) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
