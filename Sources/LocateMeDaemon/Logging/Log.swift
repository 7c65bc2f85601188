/// Writes the daemon's messages. State changes only, never per sample; a message that repeats within a minute is
/// written once and then with the number of its repeats.
public final class Log {
    /// Where finished lines go, and when it is.
    public struct Sink {
        /// Writes one line; the line end is not in it.
        public var write: (String) -> Void
        /// CLOCK_BOOTTIME in microseconds.
        public var now: () -> Int64
        /// True: `<3>` as the journal reads it. False: `error: ` as people do.
        public var usesPriorityPrefix: Bool

        /// A sink.
        public init(
            write: @escaping (String) -> Void, now: @escaping () -> Int64, usesPriorityPrefix: Bool
        ) {
            self.write = write
            self.now = now
            self.usesPriorityPrefix = usesPriorityPrefix
        }
    }

    private struct Repeat {
        var since: Int64
        var suppressed: Int
    }

    /// Messages above this level are dropped.
    public var level: LogLevel
    private let sink: Sink
    private var repeats: [String: Repeat] = [:]

    private static let repeatMicroseconds: Int64 = 60_000_000
    /// Bounds the memory that ever new messages can take.
    private static let rememberedMessages = 64

    /// A log.
    public init(level: LogLevel, sink: Sink) {
        self.level = level
        self.sink = sink
    }

    /// Somebody must act.
    public func error(_ message: @autoclosure () -> String) { log(.error, message) }
    /// We go on; the message ends in what is done instead.
    public func warning(_ message: @autoclosure () -> String) { log(.warning, message) }
    /// A state changed.
    public func info(_ message: @autoclosure () -> String) { log(.info, message) }
    /// The rest.
    public func debug(_ message: @autoclosure () -> String) { log(.debug, message) }

    private func log(_ level: LogLevel, _ message: () -> String) {
        guard level <= self.level else { return }
        let text = message()
        let now = sink.now()
        var suffix = ""
        if let earlier = repeats[text] {
            guard now - earlier.since >= Self.repeatMicroseconds else {
                repeats[text]?.suppressed += 1
                return
            }
            if earlier.suppressed > 0 { suffix = " (\(earlier.suppressed) more in between)" }
        }
        if repeats.count >= Self.rememberedMessages {
            repeats = repeats.filter { now - $0.value.since < Self.repeatMicroseconds }
            if repeats.count >= Self.rememberedMessages { repeats.removeAll() }
        }
        repeats[text] = Repeat(since: now, suppressed: 0)
        let line = Self.printable(text + suffix)
        sink.write(sink.usesPriorityPrefix ? "<\(level.rawValue)>\(line)" : "locatemed: \(level.name): \(line)")
    }

    /// The text without what is no character to read: a line end would let a client's text pass for a message of ours, an escape
    /// sequence would reach the terminal of whoever reads, and what turns the direction of writing shows another text.
    private static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isHidden) else { return text }
        var result = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { result.append(isHidden(scalar) ? " " : scalar) }
        return String(result)
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x2028...0x202e, 0x2066...0x2069: true
        default: false
        }
    }
}
