internal import EventLoop
internal import Glibc

/// A buffered stream of text to a file descriptor. A failure is remembered and everything after it is dropped;
/// whoever writes in a loop asks `failure`. SIGPIPE must be ignored by the process.
final class TextOutput {
    /// Not owned.
    let descriptor: Int32
    /// Why writing failed, nil while it works. EPIPE: the reader is gone.
    private(set) var failure: Errno?
    private var bytes: [UInt8] = []

    /// A stream to an open descriptor.
    init(descriptor: Int32) { self.descriptor = descriptor }

    /// True if the descriptor is a terminal.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Adds text to the buffer and writes it out when there is much of it.
    func write(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        if bytes.count >= 32_768 { flush() }
    }

    /// Adds a line.
    func writeLine(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        bytes.append(UInt8(ascii: "\n"))
        if bytes.count >= 32_768 { flush() }
    }

    /// Lets `body` append to the buffer itself, then writes it out when there is much of it.
    func append(_ body: (inout [UInt8]) -> Void) {
        body(&bytes)
        if bytes.count >= 32_768 { flush() }
    }

    /// Writes out what is buffered; waits until the descriptor takes it.
    func flush() {
        var start = 0
        while start < bytes.count, failure == nil {
            let count = bytes.withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress?.advanced(by: start), $0.count - start)
            }
            if count >= 0 {
                start += count
            } else if errno == EAGAIN {
                // Somebody made the shared terminal or pipe non-blocking.
                var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&wanted, 1, -1)
            } else if errno != EINTR {
                failure = Errno.current
            }
        }
        bytes.removeAll(keepingCapacity: true)
    }
}
