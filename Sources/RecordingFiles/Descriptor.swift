internal import EventLoop
internal import Glibc

/// A file descriptor for blocking reads and writes, closed with the value if it was opened here.
struct Descriptor: ~Copyable {
    private let number: Int32
    private let isOwned: Bool

    /// Standard input or output, which stay open.
    init(standard number: Int32) {
        self.number = number
        isOwned = false
    }

    /// A file, close-on-exec.
    init(path: String, flags: Int32) throws(Errno) {
        let number = open(path, flags | O_CLOEXEC, 0o666)
        guard number >= 0 else { throw Errno.current }
        self.number = number
        isOwned = true
    }

    deinit {
        if isOwned { close(number) }
    }

    /// Reads at least one byte; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(Errno) -> Int {
        while true {
            let count = Glibc.read(number, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            try waitIfNeeded(for: Int16(POLLIN))
        }
    }

    /// Writes everything.
    func write(_ bytes: UnsafeRawBufferPointer) throws(Errno) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let chunk = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(number, chunk.baseAddress, chunk.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else {
                try waitIfNeeded(for: Int16(POLLOUT))
            }
        }
    }

    /// Makes what was written survive a power cut, where the file is of a kind that can.
    func synchronize() throws(Errno) {
        guard fsync(number) != 0 else { return }
        // Pipes, terminals and read-only file systems' devices cannot.
        guard errno == EINVAL || errno == EROFS || errno == ENOTSUP else { throw Errno.current }
    }

    /// After an interrupted or refused transfer: returns if it can be tried again. Standard input may have been left
    /// non-blocking by whoever started us.
    private func waitIfNeeded(for events: Int16) throws(Errno) {
        switch errno {
        case EINTR: return
        case EAGAIN:
            var request = pollfd(fd: number, events: events, revents: 0)
            // An interrupted wait only leads to one more try.
            _ = poll(&request, 1, -1)
        default: throw Errno.current
        }
    }
}
