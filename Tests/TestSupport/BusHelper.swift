import Foundation

/// A Python program of Tests/Clients on a private bus, which takes lines and writes lines. Its first is `ready`.
public final class BusHelper: @unchecked Sendable {
    // Sound: `lines` and `isOpen` are touched under `condition` only; the rest is set once in `init`.
    private let process = Process()
    private let input = Pipe()
    private let condition = NSCondition()
    private var lines: [String] = []
    private var isOpen = true

    /// Starts it. Waits until it is ready, unless that needs the caller's own loop to run.
    public init(_ program: String, _ bus: PrivateBus, waits: Bool = true) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [Repository.file("Tests/Clients/\(program)").path, bus.address]
        let output = Pipe()
        process.standardInput = input
        process.environment = TestRun.environment()
        process.standardOutput = output
        try process.run()
        let handle = output.fileHandleForReading
        Thread.detachNewThread { [weak self, condition] in
            var rest = Data()
            while true {
                let data = handle.availableData
                guard let self else { return }
                condition.lock()
                rest.append(data)
                while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                    self.lines.append(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                    rest = rest[rest.index(after: end)...]
                }
                if data.isEmpty { self.isOpen = false }
                condition.broadcast()
                condition.unlock()
                if data.isEmpty { return }
            }
        }
        guard !waits || wait(for: { $0.contains("ready") }) else {
            throw PrivateBus.StartError(text: "\(program) did not get ready")
        }
    }

    deinit {
        // Closed already if it has ended.
        try? input.fileHandleForWriting.close()
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// Sends a line.
    public func send(_ order: String) {
        // One that has ended shows in what the test waits for.
        try? input.fileHandleForWriting.write(contentsOf: Data((order + "\n").utf8))
    }

    /// What it has said so far.
    public var said: [String] { condition.withLock { lines } }

    /// Waits until what it has said so far fits.
    public func wait(seconds: Double = 30, for found: ([String]) -> Bool) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while !found(lines) { guard isOpen, condition.wait(until: deadline) else { return found(lines) } }
        return true
    }
}
