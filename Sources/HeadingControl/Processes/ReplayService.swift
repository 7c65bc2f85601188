internal import EventLoop
internal import Glibc
internal import MessageBus
internal import RecordingFiles
internal import SensorRecordings

/// A locatemed that plays a recording, and a bus for it where there is none.
final class ReplayService {
    /// How the recording is played.
    struct Options {
        var path: String
        var speed: Double
        var loops: Bool
        /// Microseconds into the recording.
        var from: Int64
        /// Nil: the session bus, or a private one if there is none.
        var bus: BusAddress?
    }

    /// The bus that it is on.
    let bus: BusAddress
    /// True if the bus is private.
    let isPrivate: Bool
    private let folder: TemporaryFolder
    private let logPath: String
    private var busDaemon: ChildProcess?
    private let daemon: ChildProcess

    /// Starts it. The recording is looked at first, so that a bad one is reported as such.
    init(_ options: Options, environment: (String) -> String?) throws(CommandError) {
        folder = try TemporaryFolder(environment: environment)
        logPath = folder.file("log")
        let log = open(logPath, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        defer { close(log) }
        let path = try RecordingExcerpt.prepare(options.path, from: options.from, in: folder)
        guard let program = ChildProcess.path(of: "locatemed", environment: environment) else {
            throw CommandError(
                .noService, "locatemed is neither beside headingctl nor in PATH",
                remedy: "Install it, or add its folder to PATH.")
        }
        if let chosen = options.bus ?? Self.sessionBus(environment) {
            bus = chosen
            isPrivate = false
        } else {
            let address = "unix:path=\(folder.file("bus"))"
            busDaemon = try Self.startBus(address, log, environment)
            bus = .address(address)
            isPrivate = true
        }
        let state = folder.file("state")
        mkdir(state, 0o700)
        for name in ["locateme", "location"] {
            for ending in ["db", "db-wal", "db-shm", "db-journal"] { _ = folder.file("state/\(name).\(ending)") }
        }
        _ = folder.file("state/sensor-settings")
        var arguments = [
            "--bus", bus.description, "--replay", path, "--no-gpsd", "--state-dir", state, "--log-level", "warning",
        ]
        // If this command is killed by force, its daemon does not stay behind.
        arguments += ["--idle-exit", "10"]
        if options.speed != 1 { arguments += ["--speed", DecimalText.trimmed(options.speed, decimals: 6)] }
        if options.loops { arguments.append("--loop") }
        daemon = try ChildProcess(path: program, arguments, output: log)
    }

    /// Ends everything that was started and removes what was written. Idempotent.
    func end() {
        daemon.end()
        busDaemon?.end()
        folder.remove()
    }

    /// Why it is not running any more; nil while it runs.
    func failure() -> CommandError? {
        guard let status = daemon.exitStatus() else { return nil }
        let words = lastWords()
        return CommandError(
            status == 3 ? .noService : .failure,
            "locatemed ended with status \(status)" + (words.isEmpty ? "" : ": \(words)"),
            remedy: status == 6 ? "Another locatemed serves this bus. Choose another with --bus, or end it." : "")
    }

    /// The last line of what it said.
    private func lastWords() -> String {
        guard let bytes = try? WholeFile.read(logPath) else { return "" }
        let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
        // The journal's level, as in "<3>text".
        return line.hasPrefix("<") ? String(line.drop { $0 != ">" }.dropFirst()) : line
    }

    private static func sessionBus(_ environment: (String) -> String?) -> BusAddress? {
        if let address = environment("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return .session }
        if let folder = environment("XDG_RUNTIME_DIR"), access("\(folder)/bus", F_OK) == 0 { return .session }
        return nil
    }

    private static func startBus(
        _ address: String, _ log: Int32, _ environment: (String) -> String?
    ) throws(CommandError) -> ChildProcess {
        guard let program = ChildProcess.path(of: "dbus-daemon", environment: environment) else {
            throw CommandError(
                .noService, "there is no session bus, and no dbus-daemon to start a private one",
                remedy: "Install dbus-daemon, or name a bus with --bus.")
        }
        let daemon = try ChildProcess(
            path: program, ["--session", "--nofork", "--nopidfile", "--nosyslog", "--address=\(address)"], output: log)
        let socket = String(address.dropFirst("unix:path=".count))
        for _ in 0..<500 {
            if access(socket, F_OK) == 0 { return daemon }
            if let status = daemon.exitStatus() {
                throw CommandError(.noService, "the private bus ended with status \(status)")
            }
            usleep(10_000)
        }
        throw CommandError(.noService, "the private bus did not start within 5 s")
    }
}
