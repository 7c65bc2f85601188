import Foundation
public import Testing

/// What a test needs of the machine beyond the toolchain. A test that names its needs,
/// `@Test("…", .needs(.root))`, is skipped with the reason where they are not met, so that an ordinary user can run
/// the rest; with `LOCATEME_REQUIRE_ALL=1` (as `scripts/test --require-all` and CI set it) it runs regardless and
/// fails on what is missing.
public enum Requirement: Sendable, CustomStringConvertible {
    /// User id 0: other users' processes, files of the system.
    case root
    /// Mounts in a namespace of its own, as root. A plain chroot and many containers refuse that even to root.
    case mountNamespace
    /// A program on PATH or in the system's sbin folders.
    case program(String)
    /// A module of the system's Python (/usr/bin/python3), such as `gi`.
    case pythonModule(String)
    /// Files that fail on demand: root, /dev/fuse, a C compiler and libfuse 3.
    case fuse

    /// A file, such as a service's program outside of PATH.
    case file(String)

    /// The reason printed with a skipped test.
    public var description: String {
        switch self {
        case .root: "needs root"
        case .mountNamespace:
            "needs root's right to mount in a namespace of its own (unshare -m), which chroots and containers may lack"
        case .program(let name): "needs the program '\(name)'"
        case .file(let path): "needs \(path)"
        case .pythonModule(let name): "needs the module '\(name)' of /usr/bin/python3"
        case .fuse: "needs root, /dev/fuse, a C compiler and libfuse3-dev"
        }
    }

    /// True if this machine and user have it.
    public var isMet: Bool {
        switch self {
        case .root: geteuid() == 0
        case .mountNamespace: Requirement.canMount
        case .program(let name): Requirement.path(of: name) != nil
        case .file(let path): access(path, F_OK) == 0
        case .pythonModule(let name):
            (try? Command.run("/usr/bin/python3", ["-c", "import \(name)"]))?.status == 0
        case .fuse: FaultyFiles.areAvailable
        }
    }

    private static let canMount: Bool = {
        guard geteuid() == 0, let unshare = path(of: "unshare") else { return false }
        let mount = ["-m", "--propagation", "private", "/bin/sh", "-c", "mount -t tmpfs none /mnt"]
        return (try? Command.run(unshare, mount))?.status == 0
    }()

    /// True if nothing may be skipped.
    public static var allRequired: Bool { ProcessInfo.processInfo.environment["LOCATEME_REQUIRE_ALL"] == "1" }

    /// Where a program is; nil if nowhere.
    public static func path(of program: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        return (folders + ["/usr/sbin", "/sbin", "/usr/bin", "/bin"])
            .map { "\($0)/\(program)" }
            .first { access($0, X_OK) == 0 }
    }
}

extension Trait where Self == ConditionTrait {
    /// Skips the test by name where a requirement is not met, unless nothing may be skipped.
    public static func needs(_ requirement: Requirement, sourceLocation: SourceLocation = #_sourceLocation) -> Self {
        .enabled(
            if: requirement.isMet || Requirement.allRequired, "\(requirement.description)",
            sourceLocation: sourceLocation)
    }
}
