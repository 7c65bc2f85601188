internal import EventLoop
internal import Glibc

/// Reads lines from a file or from standard input.
final class LineReader {
    /// The file's name for messages, "standard input" for "-".
    let displayName: String
    private let descriptor: Int32
    private let isOwned: Bool
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    /// Bytes of the longest line that is read; a longer one ends the input with an error.
    static let maximumLineLength = 1 << 20

    /// Opens a file; "-" is the descriptor given for standard input.
    init(path: String, standardInput: Int32) throws(CommandError) {
        isOwned = path != "-"
        displayName = isOwned ? path : "standard input"
        descriptor = isOwned ? open(path, O_RDONLY | O_CLOEXEC) : standardInput
        guard descriptor >= 0 else {
            throw CommandError(
                .failure, "cannot open '\(path)': \(Errno.current)", remedy: "Check the name and its permissions.")
        }
    }

    deinit {
        if isOwned { close(descriptor) }
    }

    /// The next line without its line end, nil at the end. Bytes that are no UTF-8 are replaced by U+FFFD.
    func next() throws(CommandError) -> String? {
        while true {
            if let end = buffer[start...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return Self.text(buffer[start..<end])
            }
            if isAtEnd {
                guard start < buffer.count else { return nil }
                defer { start = buffer.count }
                return Self.text(buffer[start...])
            }
            guard buffer.count - start <= Self.maximumLineLength else {
                throw CommandError(.failure, "\(displayName) has a line of more than \(Self.maximumLineLength) bytes")
            }
            try fill()
        }
    }

    private func fill() throws(CommandError) {
        buffer.removeSubrange(..<start)
        start = 0
        let length = buffer.count
        let room = 65_536
        buffer.append(contentsOf: repeatElement(0, count: room))
        let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress?.advanced(by: length), room) }
        let failure = errno
        buffer.removeLast(room - max(0, count))
        if count == 0 {
            isAtEnd = true
        } else if count < 0, failure == EAGAIN {
            // Somebody made the shared terminal or pipe non-blocking.
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&wanted, 1, -1)
        } else if count < 0, failure != EINTR {
            throw CommandError(.failure, "cannot read \(displayName): \(Errno(rawValue: failure))")
        }
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        String(decoding: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes, as: UTF8.self)
    }
}
