import Foundation

/// A rig's files through a file system that fails on demand, see Tests/Rigs/faultfs.c. Needs `Requirement.fuse`.
///
///     let faulty = try FaultyFiles(rig)
///     rig.command(for: [...], view: faulty.view)
///     try faulty.set(rig.insidePath(0, "in_magn_y_raw"), "read", "errno 5")
public final class FaultyFiles: Sendable {
    /// The folder that shows the rig's root.
    public let view: String
    private let rig: IIORig
    private let process: Process

    /// True if the program can be compiled and has a kernel to serve.
    static let areAvailable = geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0 && program != nil

    /// The program, compiled once for each run of the tests; nil if that fails.
    private static let program: String? = {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("faultfs-\(getpid())").path
        guard let compiler = Requirement.path(of: "gcc") ?? Requirement.path(of: "cc"),
            let packages = Requirement.path(of: "pkg-config"),
            let flags = try? Command.run(packages, ["--cflags", "--libs", "fuse3"]), flags.status == 0
        else { return nil }
        let words = flags.output.split(whereSeparator: \.isWhitespace).map(String.init)
        let source = Repository.file("Tests/Rigs/faultfs.c").path
        let built = try? Command.run(compiler, ["-O1", "-Wall", source, "-o", path] + words + ["-lpthread"])
        return built?.status == 0 ? path : nil
    }()

    /// Shows a rig.
    public init(_ rig: IIORig) throws {
        guard let program = Self.program else { throw POSIXError(.ENOEXEC) }
        self.rig = rig
        view = rig.root.path + "-view"
        let files = FileManager.default
        try files.createDirectory(atPath: view, withIntermediateDirectories: true)
        try files.createDirectory(at: rig.root.appendingPathComponent("faults"), withIntermediateDirectories: true)
        // What the rig's namespace lays over the real /dev cannot be made through the view.
        let nodes = rig.root.appendingPathComponent("dev")
        for name in ["null", "zero", "full", "random", "urandom", "tty"] {
            try Data().write(to: nodes.appendingPathComponent(name))
        }
        for name in ["pts", "shm"] {
            try files.createDirectory(at: nodes.appendingPathComponent(name), withIntermediateDirectories: true)
        }
        try files.createSymbolicLink(
            atPath: nodes.appendingPathComponent("fd").path, withDestinationPath: "/proc/self/fd")
        process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [rig.root.path, view]
        process.environment = TestRun.environment()
        process.standardError = FileHandle.nullDevice
        try process.run()
        let limit = Date().addingTimeInterval(30)
        while !files.fileExists(atPath: view + "/sys/bus") {
            guard Date() < limit, process.isRunning else { throw POSIXError(.ETIMEDOUT) }
            usleep(5000)
        }
    }

    deinit {
        // Lazily: whoever still has a file of it open keeps his own.
        _ = try? Command.run("/bin/umount", ["-l", view])
        // By SIGKILL: calls that hang would keep it.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: view)
    }

    /// Calls on a file, named as it is seen from inside, fail from now on.
    ///
    /// - Parameters:
    ///   - call: `read`, `write` or `open`.
    ///   - text: `errno 5`, `delay 300`, `hang`, `short 0`, `text banana`.
    public func set(_ file: String, _ call: String, _ text: String) throws {
        try Data(text.utf8).write(to: place(file, call), options: .atomic)
    }

    /// They work again.
    public func clear(_ file: String, _ call: String) throws {
        try FileManager.default.removeItem(at: place(file, call))
    }

    private func place(_ file: String, _ call: String) -> URL {
        let name = file.dropFirst().replacingOccurrences(of: "/", with: "_")
        return rig.root.appendingPathComponent("faults/\(name)@\(call)")
    }
}
