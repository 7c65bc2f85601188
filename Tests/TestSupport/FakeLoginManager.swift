import Foundation

/// `org.freedesktop.login1` on a private bus, as far as sleep goes; see Tests/Clients/login_manager.py.
public final class FakeLoginManager: @unchecked Sendable {
    // Sound: `lines` and `isOpen` are touched under `condition` only; the rest is set once in `init`.
    private let process = Process()
    private let input = Pipe()
    private let condition = NSCondition()
    private var lines: [String] = []
    private var isOpen = true

    /// Starts it and waits until it owns its name.
    public init(_ bus: PrivateBus) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [Repository.file("Tests/Clients/login_manager.py").path, bus.address]
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
        guard wait(for: { $0.contains("ready") }) else { throw PrivateBus.StartError(text: "no login manager") }
    }

    deinit {
        // Closed already if it has ended.
        try? input.fileHandleForWriting.close()
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    /// `sleep`, `wake`, `refuse`, `leave` or `return`.
    public func send(_ order: String) {
        // One that has ended shows in what the test waits for.
        try? input.fileHandleForWriting.write(contentsOf: Data((order + "\n").utf8))
    }

    /// How many locks are held.
    public var locks: Int { locked { Self.locks(in: lines) } }

    /// How many locks were ever taken.
    public var locksTaken: Int { locked { lines.count { $0.hasPrefix("inhibit ") } } }

    /// What it has said so far.
    public var said: [String] { locked { lines } }

    /// Waits until that many locks are held.
    public func waitForLocks(_ count: Int, seconds: Double = 30) -> Bool {
        wait(seconds: seconds) { Self.locks(in: $0) == count }
    }

    /// Waits until what it has said so far fits.
    public func wait(seconds: Double = 30, for found: ([String]) -> Bool) -> Bool {
        let deadline = Date(timeIntervalSinceNow: seconds)
        condition.lock()
        defer { condition.unlock() }
        while !found(lines) { guard isOpen, condition.wait(until: deadline) else { return found(lines) } }
        return true
    }

    private static func locks(in lines: [String]) -> Int {
        lines.last { $0.hasPrefix("locks ") }.flatMap { Int($0.dropFirst(6)) } ?? 0
    }

    private func locked<Value>(_ body: () -> Value) -> Value {
        condition.lock()
        defer { condition.unlock() }
        return body()
    }
}
