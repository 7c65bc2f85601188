import Foundation
import TestSupport
import Testing

/// A process of a test: its output line by line, its end by its own process id.
final class ChildProcess: @unchecked Sendable {
    // Sound: `lines`, `errors` and `status` are touched under `condition` only; `process` is set once in `init`.
    private let process = Process()
    private let input = Pipe()
    private let condition = NSCondition()
    private var lines: [String] = []
    private var errors = ""
    private var openStreams = 2

    /// Starts a program. Its environment is the test's own with `environment` over it.
    init(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        process.environment = TestRun.environment(environment)
        process.standardInput = input
        let output = Pipe()
        let error = Pipe()
        process.standardOutput = output
        process.standardError = error
        process.terminationHandler = { [condition] _ in
            condition.lock()
            condition.broadcast()
            condition.unlock()
        }
        try Self.withNoSignalBlocked { try process.run() }
        read(output.fileHandleForReading) { [weak self] line in self?.lines.append(line) }
        read(error.fileHandleForReading) { [weak self] line in self?.errors += line + "\n" }
    }

    deinit { stop() }

    var processIdentifier: Int32 { process.processIdentifier }
    var isRunning: Bool { process.isRunning }

    /// What the process has written to standard error.
    var errorText: String { locked { errors } }
    /// What the process has written to standard output.
    var outputLines: [String] { locked { lines } }

    /// Writes a line to the process.
    func write(_ line: String) {
        // A process that has ended meanwhile shows in what the test waits for.
        try? input.fileHandleForWriting.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Waits until `found` gives a value for what was written to standard output so far.
    func wait<Value>(
        _ what: String, seconds: Double = 20, for found: ([String]) throws -> Value?,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Value {
        let deadline = Date(timeIntervalSinceNow: seconds)
        while true {
            // Asked without the lock, so that `found` may look at this process, too.
            let seen = locked { (lines: lines, isOpen: openStreams > 0) }
            if let value = try found(seen.lines) { return value }
            condition.lock()
            var isChanged = false
            repeat {
                isChanged = lines.count != seen.lines.count || seen.isOpen != (openStreams > 0)
            } while !isChanged && seen.isOpen && condition.wait(until: deadline)
            condition.unlock()
            if isChanged, Date() < deadline { continue }
            Issue.record(
                "no \(what) within \(seconds) s; standard error:\n\(errorText)", sourceLocation: sourceLocation)
            throw WaitFailure(description: "no \(what)")
        }
    }

    /// Waits until standard error has a line that contains `text`.
    func waitForError(
        containing text: String, seconds: Double = 20, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let deadline = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while !errors.contains(text) {
            guard openStreams > 0, condition.wait(until: deadline) else {
                if errors.contains(text) { return }
                Issue.record("no '\(text)' within \(seconds) s in:\n\(errors)", sourceLocation: sourceLocation)
                throw WaitFailure(description: "no '\(text)'")
            }
        }
    }

    /// Waits for the end and returns the exit status; a process that does not end is killed and fails the test.
    @discardableResult
    func waitForExit(seconds: Double = 20, sourceLocation: SourceLocation = #_sourceLocation) throws -> Int32 {
        let deadline = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        while process.isRunning || openStreams > 0, condition.wait(until: deadline) {}
        condition.unlock()
        if process.isRunning {
            kill(processIdentifier, SIGKILL)
            Issue.record("the process did not end within \(seconds) s:\n\(errorText)", sourceLocation: sourceLocation)
        }
        process.waitUntilExit()
        return process.terminationStatus
    }

    /// Sends a signal to this process only.
    func signal(_ number: Int32) { if process.isRunning { kill(processIdentifier, number) } }

    /// Sends a signal to the processes that this one has started.
    func signalChildren(_ number: Int32) {
        let path = "/proc/\(processIdentifier)/task/\(processIdentifier)/children"
        let children = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        for child in children.split(separator: " ").compactMap({ Int32($0) }) { kill(child, number) }
    }

    /// Ends the process: by the end of its input and SIGTERM, then by SIGKILL.
    func stop() {
        guard process.isRunning else { return }
        // Closed already if the process has ended meanwhile.
        try? input.fileHandleForWriting.close()
        kill(processIdentifier, SIGCONT)
        kill(processIdentifier, SIGTERM)
        let deadline = Date(timeIntervalSinceNow: 3)
        condition.lock()
        while process.isRunning, condition.wait(until: deadline) {}
        condition.unlock()
        if process.isRunning { kill(processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    // MARK: - Private

    /// Test threads block most signals, and what they start would inherit that: no SIGTERM, no alarm would reach it.
    private static func withNoSignalBlocked(_ body: () throws -> Void) rethrows {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try body()
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }

    private func read(_ handle: FileHandle, _ take: @escaping @Sendable (String) -> Void) {
        let condition = condition
        Thread.detachNewThread { [weak self] in
            var rest = Data()
            while true {
                let data = handle.availableData
                guard let self else { return }
                condition.lock()
                if data.isEmpty {
                    self.openStreams -= 1
                    condition.broadcast()
                    condition.unlock()
                    return
                }
                rest.append(data)
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    take(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                    rest = rest[rest.index(after: end)...]
                }
                condition.broadcast()
                condition.unlock()
            }
        }
    }
}

/// What a test waited for did not come.
struct WaitFailure: Error, CustomStringConvertible {
    let description: String
}
