internal import EventLoop
internal import Glibc

/// Bytes of a descriptor that is open already: a serial line or a datagram socket.
final class DescriptorStream: ByteStream {
    /// The longest datagram is 65 507 bytes.
    private static let chunkSize = 65_536

    private let descriptor: Int32
    private let original: termios?
    private let handler: (ByteStreamEvent) -> Void
    private let isDatagram: Bool
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunkSize, alignment: 16)
    private var watch: Watch?
    private var start: LoopTimer?
    private var isBegun = false

    /// Takes the descriptor over and closes it in the end. `original`: the settings to put back then.
    init(
        loop: EventLoop, descriptor: Int32, original: termios? = nil, isDatagram: Bool = false,
        handler: @escaping (ByteStreamEvent) -> Void
    ) throws(Errno) {
        self.descriptor = descriptor
        self.original = original
        self.isDatagram = isDatagram
        self.handler = handler
        watch = try loop.watch(descriptor, for: .readable) { [weak self] _ in self?.receive() }
        start = loop.makeTimer { [weak self] in self?.beginIfDue() }
        start?.arm(afterMicroseconds: 0)
    }

    deinit {
        close()
        if var original { tcsetattr(descriptor, TCSANOW, &original) }
        Glibc.close(descriptor)
        buffer.deallocate()
    }

    func close() {
        watch?.cancel()
        watch = nil
        start?.disarm()
    }

    func setRate(_ baud: Int) {
        guard original != nil else { return }
        do throws(Errno) {
            try SerialLine.configure(descriptor, baud: baud)
        } catch {
            fail("the rate \(baud) cannot be set: \(error)")
        }
    }

    /// Bytes may be there before the timer has fired.
    private func beginIfDue() {
        guard !isBegun else { return }
        isBegun = true
        start?.disarm()
        handler(.opened)
    }

    private func receive() {
        beginIfDue()
        // The handler may have closed it.
        guard watch != nil else { return }
        let count =
            isDatagram
            ? recv(descriptor, buffer.baseAddress, buffer.count, 0)
            : read(descriptor, buffer.baseAddress, buffer.count)
        if count > 0 {
            handler(.received(UnsafeRawBufferPointer(rebasing: buffer[..<count])))
        } else if count == 0 {
            // An empty datagram says nothing.
            if !isDatagram { fail("the device was unplugged or its other end was closed") }
        } else if errno != EAGAIN, errno != EINTR {
            fail(errno == EIO ? "the device was unplugged" : "reading failed: \(Errno.current)")
        }
    }

    private func fail(_ reason: String) {
        close()
        handler(.closed(reason))
    }
}
