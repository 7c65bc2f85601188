import Foundation
import TestSupport
import Testing

/// A running iio-probe, see Tests/IIOProbe. Ended with the object.
final class Probe: @unchecked Sendable {
    // Sound: `text` and `isAtEnd` are touched with the condition's lock held.
    private let condition = NSCondition()
    private var complete: [String] = []
    private var partial = Data()
    private var isAtEnd = false
    private let process = Process()
    private let input = Pipe()
    private let diagnostics: URL

    /// Starts the probe, in a rig's namespace if one is given.
    init(in rig: IIORig? = nil, contexts: [String] = ["local:"], failing injection: IIORigInjection? = nil) throws {
        var command = [BuiltProducts.executable("iio-probe")] + contexts
        if let rig { command = rig.command(for: command, failing: injection) }
        if !command[0].hasPrefix("/") { command[0] = Requirement.path(of: command[0]) ?? command[0] }
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        diagnostics = FileManager.default.temporaryDirectory.appendingPathComponent("iio-probe-\(UUID().uuidString)")
        try Data().write(to: diagnostics)
        process.standardError = try FileHandle(forWritingTo: diagnostics)
        try process.run()
        let reader = Thread { [self] in
            while true {
                let data = output.fileHandleForReading.availableData
                condition.lock()
                take(data)
                condition.broadcast()
                condition.unlock()
                if data.isEmpty { return }
            }
        }
        reader.start()
        try wait("ready") { $0.contains("ready") }
    }

    var processID: Int32 { process.processIdentifier }

    /// All lines so far.
    var lines: [String] { condition.withLock { complete } }

    /// What went to standard error.
    var errors: String { (try? String(contentsOf: diagnostics, encoding: .utf8)) ?? "" }

    /// Sends a line.
    func send(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8)) }

    /// Sends a line and waits for its answer: the lines between, and how long it took.
    @discardableResult
    func ask(_ line: String, seconds: Double = 10) throws -> [String] {
        let before = lines.count
        try send(line)
        try wait("done \(line)", seconds: seconds) { $0.dropFirst(before).contains("done \(line)") }
        let answer = lines.dropFirst(before)
        return Array(answer.prefix { $0 != "done \(line)" })
    }

    /// Waits until the lines so far fulfil a condition; fails the test after the time limit.
    func wait(
        _ what: String, seconds: Double = 15, sourceLocation: SourceLocation = #_sourceLocation,
        until isFulfilled: ([String]) -> Bool
    ) throws {
        let limit = Date().addingTimeInterval(seconds)
        condition.lock()
        defer { condition.unlock() }
        while !isFulfilled(complete) {
            if isAtEnd || !condition.wait(until: limit) {
                let tail = complete.suffix(40).joined(separator: "\n")
                Issue.record(
                    "no \(what)\(isAtEnd ? ": the probe ended" : " in \(seconds) s"); last lines:\n\(tail)\n\(errors)",
                    sourceLocation: sourceLocation)
                throw CancellationError()
            }
        }
    }

    /// Ends the probe as its input closes. Its exit status, nil if it does not end in time.
    func quit(seconds: Double = 5) throws -> Int32? {
        try send("quit")
        let limit = Date().addingTimeInterval(seconds)
        condition.lock()
        while !isAtEnd, condition.wait(until: limit) {}
        let ended = isAtEnd
        condition.unlock()
        guard ended else { return nil }
        process.waitUntilExit()
        return process.terminationStatus
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        try? FileManager.default.removeItem(at: diagnostics)
    }

    private func take(_ data: Data) {
        if data.isEmpty { isAtEnd = true }
        partial.append(data)
        while let end = partial.firstIndex(of: 10) {
            complete.append(String(decoding: partial[partial.startIndex..<end], as: UTF8.self))
            partial = partial[partial.index(after: end)...]
        }
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
