import Foundation

/// A program on a terminal of its own, 80×24 unless said otherwise. Its output is collected on a thread.
public final class Pseudoterminal: @unchecked Sendable {
    // `output` is guarded by `lock`; everything else is set in `init`.
    private let lock = NSLock()
    private var output = Data()
    private let master: Int32
    private let slave: Int32
    private let process = Process()

    /// Starts a program on it.
    public init(
        _ path: String, _ arguments: [String], environment: [String: String], columns: UInt16 = 80, rows: UInt16 = 24
    ) throws {
        // posix_openpt(3) and its sisters are hidden from Swift; these are what they do, by ioctl_tty(2):
        // TIOCSPTLCK unlocks, TIOCGPTN gives the number.
        master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        var isLocked: Int32 = 0
        var number: UInt32 = 0
        guard master >= 0, ioctl(master, 0x4004_5431, &isLocked) == 0, ioctl(master, 0x8004_5430, &number) == 0 else {
            throw POSIXError(.ENOTTY)
        }
        slave = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.environment = environment.merging(TestRun.variables) { $1 }
        let terminal = FileHandle(fileDescriptor: slave, closeOnDealloc: false)
        process.standardInput = terminal
        process.standardOutput = terminal
        process.standardError = terminal
        try process.run()
        let thread = Thread { [self] in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(master, &buffer, buffer.count)
                guard count > 0 else { return }
                lock.withLock { output.append(contentsOf: buffer[..<count]) }
            }
        }
        thread.start()
    }

    deinit {
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        close(slave)
        close(master)
    }

    /// All output so far.
    public var text: String { lock.withLock { String(decoding: output, as: UTF8.self) } }

    /// The terminal's mode, as `tcgetattr` gives it.
    public var mode: termios {
        var mode = termios()
        tcgetattr(slave, &mode)
        return mode
    }

    /// As if these keys were pressed.
    public func type(_ keys: String) {
        _ = Array(keys.utf8).withUnsafeBytes { write(master, $0.baseAddress, $0.count) }
    }

    /// Sends the program a signal.
    public func signal(_ number: Int32) { kill(process.processIdentifier, number) }

    /// Gives it another size, and tells the program.
    public func resize(columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(master, UInt(TIOCSWINSZ), &size)
        // It is nobody's controlling terminal, so the kernel sends no SIGWINCH.
        signal(SIGWINCH)
    }

    /// Waits until the output holds a text; false after 20 s or at the program's end.
    public func wait(for text: String) -> Bool { wait { self.text.contains(text) } }

    /// Waits until something holds; false after 20 s.
    public func wait(until condition: () -> Bool) -> Bool {
        let deadline = Date().addingTimeInterval(20)
        while !condition() {
            if Date() > deadline { return false }
            usleep(10_000)
        }
        return true
    }

    /// Waits for the program's end and returns its exit status.
    public func exitStatus() -> Int32 {
        process.waitUntilExit()
        // What it wrote last has to come through the terminal.
        var last = -1
        while last != text.utf8.count {
            last = text.utf8.count
            usleep(30_000)
        }
        return process.terminationReason == .exit ? process.terminationStatus : 128 + process.terminationStatus
    }
}
