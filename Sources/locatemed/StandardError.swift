import EventLoop
import Glibc
import LocateMeDaemon

/// Standard error as the daemon's log: with the journal's priorities, unless a person looks at it.
enum StandardError {
    static func log(level: LogLevel) -> Log {
        Log(
            level: level,
            sink: Log.Sink(write: write, now: Clock.bootMicroseconds, usesPriorityPrefix: isatty(STDERR_FILENO) == 0))
    }

    /// Writes a line; one that cannot be written is lost, since there is nowhere to say so.
    static func write(_ line: String) {
        var bytes = Array((line + "\n").utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else {
                if errno == EINTR { continue }
                return
            }
            bytes = bytes.dropFirst(count)
        }
    }
}
