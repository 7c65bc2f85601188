import Foundation

/// A program that ran to its end.
public struct Command {
    /// Exit status; 128 + number if a signal ended it.
    public let status: Int32
    /// What it wrote on standard output.
    public let output: String
    /// What it wrote on standard error.
    public let errors: String

    /// Runs a program and waits for its end.
    public static func run(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], input: String? = nil
    ) throws -> Command {
        let running = try start(path, arguments, environment: environment, input: input)
        return running.wait()
    }

    /// Starts a program; `isFinished` tells on other threads' behalf when it is done.
    public static func start(
        _ path: String, _ arguments: [String], environment: [String: String] = [:], input: String? = nil
    ) throws -> RunningCommand {
        try RunningCommand(path, arguments, environment: environment, input: input)
    }
}

/// A program that may still run. Its output is collected on a thread of its own.
public final class RunningCommand: @unchecked Sendable {
    // Everything mutable is guarded by `lock`.
    private let lock = NSLock()
    private let process = Process()
    private var output = Data()
    private var errors = Data()
    private var readers = 2
    private let finished = DispatchSemaphore(value: 0)
    private var ended = false

    init(_ path: String, _ arguments: [String], environment: [String: String], input: String?) throws {
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = TestRun.environment(environment)
        let out = Pipe()
        let err = Pipe()
        process.standardOutput = out
        process.standardError = err
        if let input {
            let pipe = Pipe()
            process.standardInput = pipe
            try Self.withSignalsUnblocked { try process.run() }
            pipe.fileHandleForWriting.write(Data(input.utf8))
            try pipe.fileHandleForWriting.close()
        } else {
            process.standardInput = FileHandle.nullDevice
            try Self.withSignalsUnblocked { try process.run() }
        }
        collect(out) { self.output.append($0) }
        collect(err) { self.errors.append($0) }
    }

    /// Threads of the test runner block most signals, and children inherit that: a shell's traps would never run.
    private static func withSignalsUnblocked(_ body: () throws -> Void) rethrows {
        var none = sigset_t()
        var before = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        try body()
    }

    /// The process.
    public var processID: Int32 { process.processIdentifier }

    /// True once it has ended and all its output was read.
    public var isFinished: Bool { lock.withLock { ended } }

    /// What it has written on standard output so far.
    public var outputSoFar: String { lock.withLock { String(decoding: output, as: UTF8.self) } }

    /// What it has written on standard error so far.
    public var errorsSoFar: String { lock.withLock { String(decoding: errors, as: UTF8.self) } }

    /// Sends a signal.
    public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Waits for its end.
    public func wait() -> Command {
        finished.wait()
        finished.signal()
        return Command(
            status: process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus,
            output: outputSoFar, errors: errorsSoFar)
    }

    private func collect(_ pipe: Pipe, _ append: @escaping @Sendable (Data) -> Void) {
        let thread = Thread { [self] in
            while true {
                let data = pipe.fileHandleForReading.availableData
                if data.isEmpty { break }
                lock.withLock { append(data) }
            }
            let last = lock.withLock {
                readers -= 1
                return readers == 0
            }
            guard last else { return }
            process.waitUntilExit()
            lock.withLock { ended = true }
            finished.signal()
        }
        thread.start()
    }
}
