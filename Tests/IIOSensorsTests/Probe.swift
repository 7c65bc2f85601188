import Foundation
import TestSupport
import Testing

/// What a probe has written: filled by a thread, which must not keep the probe itself alive.
private final class ProbeOutput: @unchecked Sendable {
    // Sound: all that changes is touched with the condition's lock held.
    let condition = NSCondition()
    private(set) var lines: [String] = []
    private(set) var isAtEnd = false
    private var partial = Data()

    func take(_ data: Data) {
        condition.lock()
        defer { condition.unlock() }
        if data.isEmpty { isAtEnd = true }
        partial.append(data)
        while let end = partial.firstIndex(of: 10) {
            lines.append(String(decoding: partial[partial.startIndex..<end], as: UTF8.self))
            partial = partial[partial.index(after: end)...]
        }
        condition.broadcast()
    }
}

/// A running iio-probe, see Tests/IIOProbe. Ended with the object.
final class Probe {
    private let output = ProbeOutput()
    private let process = Process()
    private let input = Pipe()
    private let diagnostics: URL

    /// Starts the probe, in a rig's namespace if one is given.
    ///
    /// - Parameters:
    ///   - hearsEvents: in a network namespace of its own, where `tell` makes up device events.
    ///   - isQuiet: samples are not written.
    ///   - stateDirectory: where it notes what it changes in devices.
    ///   - view: what shows the rig, if it is not to be seen as it is, see `FaultyFiles`.
    init(
        in rig: IIORig? = nil, contexts: [String] = ["local:"], failing injection: IIORigInjection? = nil,
        hearsEvents: Bool = false, isQuiet: Bool = false, stateDirectory: String? = nil, view: String? = nil
    ) throws {
        var environment = TestRun.environment()
        if hearsEvents { environment["IIO_NAMESPACE_NETWORK"] = "1" }
        if isQuiet { environment["IIO_PROBE_QUIET"] = "1" }
        environment["IIO_PROBE_STATE"] = stateDirectory
        process.environment = environment
        var command = [BuiltProducts.executable("iio-probe")] + contexts
        if let rig { command = rig.command(for: command, failing: injection, view: view) }
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = input
        let pipe = Pipe()
        process.standardOutput = pipe
        diagnostics = FileManager.default.temporaryDirectory.appendingPathComponent("iio-probe-\(UUID().uuidString)")
        try Data().write(to: diagnostics)
        process.standardError = try FileHandle(forWritingTo: diagnostics)
        try process.run()
        let reader = Thread { [output] in
            while true {
                let data = pipe.fileHandleForReading.availableData
                output.take(data)
                if data.isEmpty { return }
            }
        }
        reader.start()
        try wait("ready") { $0.contains("ready") }
    }

    deinit {
        // Under strace the probe outlives its parent, but not its input.
        try? input.fileHandleForWriting.close()
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: diagnostics)
    }

    /// The process.
    var processID: Int32 { process.processIdentifier }

    /// All lines so far.
    var lines: [String] { output.condition.withLock { output.lines } }

    /// What went to standard error.
    var errors: String { (try? String(contentsOf: diagnostics, encoding: .utf8)) ?? "" }

    /// Sends a line.
    func send(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// Sends a line and waits for its answer: all lines until then, among which are those that come by themselves.
    @discardableResult
    func ask(_ line: String, seconds: Double = 10) throws -> [String] {
        let before = lines.count
        try send(line)
        try wait("done \(line)", seconds: seconds) { $0.dropFirst(before).contains("done \(line)") }
        let answer = lines.dropFirst(before)
        return Array(answer.prefix { $0 != "done \(line)" })
    }

    /// Waits until the lines so far, or anything else that is looked at again every 50 ms, fulfil a condition; fails the
    /// test after the time limit.
    func wait(
        _ what: String, seconds: Double = 15, sourceLocation: SourceLocation = #_sourceLocation,
        until isFulfilled: ([String]) -> Bool
    ) throws {
        let limit = Date().addingTimeInterval(seconds)
        output.condition.lock()
        defer { output.condition.unlock() }
        while !isFulfilled(output.lines) {
            if output.isAtEnd || Date() > limit {
                let tail = output.lines.suffix(40).joined(separator: "\n")
                Issue.record(
                    "no \(what)\(output.isAtEnd ? ": the probe ended" : " in \(seconds) s"); last lines:\n\(tail)\n\(errors)",
                    sourceLocation: sourceLocation)
                throw CancellationError()
            }
            _ = output.condition.wait(until: min(limit, Date().addingTimeInterval(0.05)))
        }
    }

    /// Makes up a device event in the probe's network namespace.
    func tell(_ action: String, _ device: String) throws {
        let nsenter = Requirement.path(of: "nsenter") ?? "nsenter"
        let script = Repository.file("Tests/Rigs/uevent.py").path
        let told = try Command.run(
            nsenter, ["-t", "\(processID)", "-n", "/usr/bin/python3", script, action, device])
        try #require(told.status == 0, "\(told.errors)")
    }

    /// Asks the probe to end. Its exit status, nil if it does not end in time.
    func quit(seconds: Double = 5) throws -> Int32? {
        try send("quit")
        let limit = Date().addingTimeInterval(seconds)
        output.condition.lock()
        while !output.isAtEnd, output.condition.wait(until: limit) {}
        let hasEnded = output.isAtEnd
        output.condition.unlock()
        guard hasEnded else { return nil }
        process.waitUntilExit()
        return process.terminationStatus
    }
}

/// One line of samples.
struct ProbeSample {
    var kind: Substring
    var time: Int64
    var age: Int64
    var values: [Double]

    init?(_ line: String) {
        let words = line.split(separator: " ")
        guard words.count > 3, ["magn", "accel", "gyro", "hub"].contains(words[0]), let time = Int64(words[1]),
            let age = Int64(words[2])
        else { return nil }
        kind = words[0]
        self.time = time
        self.age = age
        values = words[3...].compactMap { Double($0) }
    }
}

extension [String] {
    /// Samples of a kind among the lines.
    func samples(_ kind: String) -> [ProbeSample] {
        lazy.filter { $0.hasPrefix(kind + " ") }.compactMap { ProbeSample($0) }
    }
}
