import Foundation

/// What a run of the tests has started ends with it, also if the run is killed: buses, services, file systems. Each child gets
/// a mark in its environment, and a watcher, Tests/Rigs/leftovers.sh, ends all that have it when the run is gone.
public enum TestRun {
    /// The mark of this run; its watcher runs.
    private static let mark: String = {
        let mark = "\(getpid())-\(UUID().uuidString)"
        // Nothing is lost but the tidying if it cannot be started.
        if let watcher = try? Watcher(mark: mark) { Self.watcher = watcher }
        return mark
    }()

    // Sound: set once, in the initializer of `mark`, and only kept.
    nonisolated(unsafe) private static var watcher: Watcher?

    /// The mark, for a child with an environment of its own.
    public static var variables: [String: String] { ["LOCATEME_TEST_RUN": mark] }

    /// The environment for a child: that of the tests, with additions over it, and the mark.
    public static func environment(_ additions: [String: String] = [:]) -> [String: String] {
        ProcessInfo.processInfo.environment.merging(additions) { $1 }.merging(variables) { $1 }
    }

    /// The watcher of a run: acts when nobody holds the writing end of its pipe any more.
    public final class Watcher {
        private let pipe = Pipe()
        private let process = Process()

        /// Watches over the children with a mark.
        public init(mark: String) throws {
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = [Repository.file("Tests/Rigs/leftovers.sh").path, mark]
            process.standardInput = pipe
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            // A child that kept it open would keep the watcher waiting.
            _ = fcntl(pipe.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
            try process.run()
        }

        /// Lets go of it as the end of the run does, and waits until it has tidied up.
        public func letGo() throws {
            try pipe.fileHandleForWriting.close()
            process.waitUntilExit()
        }
    }
}
