import Foundation

/// A process that the benchmark has started, and what the kernel says of it.
final class Child {
    let process = Process()
    /// Kept for as long as the process.
    var companion: AnyObject?
    private let input = Pipe()
    private let output = Pipe()

    init(
        _ command: [String], environment: [String: String] = [:], quiet: Bool = true, hasInput: Bool = false
    ) throws {
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = hasInput ? input : FileHandle.nullDevice
        process.standardOutput = output
        if quiet { process.standardError = FileHandle.nullDevice }
        try process.run()
    }

    deinit { end() }

    var identifier: Int32 { process.processIdentifier }

    /// One line of its output.
    func line() -> String {
        var line = ""
        while !line.hasSuffix("\n") {
            guard let data = try? output.fileHandleForReading.read(upToCount: 1), !data.isEmpty else { break }
            line += String(decoding: data, as: UTF8.self)
        }
        return line.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Ends its input and waits for the numbers that it writes, one a line.
    func numbers() -> [Int64] {
        // Closed already, or the process is gone: then there are no numbers.
        try? input.fileHandleForWriting.close()
        let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").compactMap { Int64($0) }
    }

    func end() {
        guard process.isRunning else { return }
        kill(identifier, SIGCONT)
        kill(identifier, SIGTERM)
        process.waitUntilExit()
    }

    /// Resident memory in kB.
    var residentKilobytes: Int {
        let fields = Self.text("/proc/\(identifier)/statm").split(separator: " ")
        return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * Int(sysconf(Int32(_SC_PAGESIZE))) / 1024
    }

    /// Resident memory in kB that is no page of a file: what the process itself has filled. Pages of code come back after a
    /// program has given them up, and go when memory is short.
    var ownKilobytes: Int {
        let lines = Self.text("/proc/\(identifier)/status").split(separator: "\n")
        let line = lines.first { $0.hasPrefix("RssAnon:") }
        return line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).dropFirst().first.flatMap { Int($0) } ?? 0
    }

    /// Processor time of all its present threads in seconds, to the nanosecond.
    var cpuSeconds: Double {
        threads.reduce(0) { sum, thread in
            let text = Self.text("/proc/\(identifier)/task/\(thread)/schedstat")
            return sum + (text.split(separator: " ").first.flatMap { Double($0) } ?? 0) * 1e-9
        }
    }

    /// How often its present threads have waited so far.
    var waits: Int {
        threads.reduce(0) { sum, thread in
            let lines = Self.text("/proc/\(identifier)/task/\(thread)/status").split(separator: "\n")
            let line = lines.first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
        }
    }

    var threads: [String] { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(identifier)/task")) ?? [] }

    /// Resident kB by mapped file, as smaps tells: total and what is the process's own.
    var mappings: [(name: String, resident: Int, own: Int)] {
        var found: [String: (resident: Int, own: Int)] = [:]
        var name = ""
        for line in Self.text("/proc/\(identifier)/smaps").split(separator: "\n") {
            let fields = line.split(separator: " ", omittingEmptySubsequences: true)
            if fields.count > 1, fields[0].hasSuffix(":") {
                let value = Int(fields[1]) ?? 0
                if fields[0] == "Rss:" { found[name, default: (0, 0)].resident += value }
                if fields[0].hasPrefix("Private_") { found[name, default: (0, 0)].own += value }
            } else if fields.count >= 5 {
                name = fields.count > 5 ? (fields[5].split(separator: "/").last.map(String.init) ?? "?") : "anonymous"
            }
        }
        return found.map { ($0.key, $0.value.resident, $0.value.own) }.sorted { $0.1 > $1.1 }
    }

    /// The whole of a file of /proc, which tells no size beforehand.
    private static func text(_ path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }
}
