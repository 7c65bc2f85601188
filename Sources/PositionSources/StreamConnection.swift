internal import EventLoop
internal import Glibc

/// One TCP connection on the loop, from the first SYN on without blocking.
final class StreamConnection {
    /// What happens to it.
    enum Event {
        /// It is open.
        case connected
        /// Bytes came; valid only during the call.
        case received(UnsafeRawBufferPointer)
        /// It failed or, with nil, the other end closed it. Nothing follows.
        case closed(Errno?)
    }

    private static let chunkSize = 16_384

    private let descriptor: Int32
    private var watch: Watch?
    private var isConnected = false
    private let handler: (Event) -> Void
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 16)

    /// Begins to connect. `handler` is called on the loop, never from here.
    init(loop: EventLoop, address: SocketAddress, handler: @escaping (Event) -> Void) throws(Errno) {
        self.handler = handler
        descriptor = socket(
            address.family, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        // From here on a failure runs deinit, which closes and frees.
        guard descriptor >= 0 else { throw Errno.current }
        watchOverPeer(address)
        // Also an immediate success is seen as readiness to write.
        guard address.connect(descriptor) == 0 || errno == EINPROGRESS else { throw Errno.current }
        watch = try loop.watch(descriptor, for: .writable) { [weak self] readiness in self?.handle(readiness) }
    }

    deinit {
        close()
        if descriptor >= 0 { Glibc.close(descriptor) }
        buffer.deallocate()
    }

    /// Sends a short text; it fits into the empty buffer of a new socket, or the connection is broken and will say so.
    func send(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            // A failure shows as hang-up on the loop.
            _ = Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
        }
    }

    /// No event follows.
    func close() {
        watch?.cancel()
        watch = nil
    }

    // MARK: - Private

    /// A host that went without a word, and is back or not, shows after seconds: nothing is ever sent to it that would fail.
    /// Probes go out in silence only.
    private func watchOverPeer(_ address: SocketAddress) {
        guard address.family != AF_UNIX else { return }
        for (level, option, value) in [
            (SOL_SOCKET, SO_KEEPALIVE, 1), (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 2),
            (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 1),
            (Int32(IPPROTO_TCP), TCP_KEEPCNT, 8),
        ] {
            var value = Int32(value)
            // Without it the silence of the peer is noticed later.
            _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    private func handle(_ readiness: Readiness) {
        if isConnected { receive() } else { finishConnecting() }
    }

    private func finishConnecting() {
        var error: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        if getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &error, &size) != 0 { error = errno }
        guard error == 0 else { return end(Errno(rawValue: error)) }
        isConnected = true
        do throws(Errno) {
            try watch?.setInterest(.readable)
        } catch {
            return end(error)
        }
        handler(.connected)
    }

    private func receive() {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 {
            handler(.received(UnsafeRawBufferPointer(rebasing: buffer[..<count])))
        } else if count == 0 {
            end(nil)
        } else if errno != EAGAIN, errno != EINTR {
            end(Errno.current)
        }
    }

    private func end(_ error: Errno?) {
        close()
        handler(.closed(error))
    }
}
