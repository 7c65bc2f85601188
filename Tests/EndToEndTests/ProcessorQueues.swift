import Foundation

/// How long single-threaded processes, and the calling thread, were ready to run and waited for a processor: the second
/// number of /proc/PID/schedstat (Documentation/scheduler/sched-stats.rst of Linux), 0 on kernels without it.
final class ProcessorQueues {
    private let files: [Int32]

    init(_ processes: [Int32]) {
        files = processes.map { open("/proc/\($0)/schedstat", O_RDONLY | O_CLOEXEC) }
    }

    deinit { for file in files where file >= 0 { close(file) } }

    /// The sum of all so far, in seconds.
    var seconds: Double {
        let own = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC)
        defer { if own >= 0 { close(own) } }
        return (files + [own]).reduce(0) { $0 + Self.waited($1) }
    }

    private static func waited(_ file: Int32) -> Double {
        var bytes = [UInt8](repeating: 0, count: 96)
        let count = pread(file, &bytes, bytes.count, 0)
        guard count > 0 else { return 0 }
        let fields = bytes[..<count].split(separator: UInt8(ascii: " "))
        guard fields.count > 1 else { return 0 }
        return (Double(String(decoding: fields[1], as: UTF8.self)) ?? 0) * 1e-9
    }
}
