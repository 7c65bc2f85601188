public import EventLoop
internal import Glibc
public import LocateMeModel

/// A TCP server: every client gets every line. What a client sends is read and thrown away; a client that does not read is
/// dropped, since a stream cannot leave out lines.
public final class ServerSink: LineSink {
    /// Such as "tcp server localhost port 10110".
    public let name: String
    /// Nil: it waits for clients for as long as it is there.
    public let failure: String? = nil
    /// True while a client is connected.
    public var hasReaders: Bool { !clients.isEmpty }
    /// Called when a client has come or gone.
    public var readersChanged: () -> Void = {}
    private let loop: EventLoop
    private let listener: Int32
    private var watch: Watch?
    private var clients: [Int32: Watch] = [:]

    /// Clients at once; further ones are turned away.
    public static let maximumClients = 32

    /// Listens on the first address of a host that can be listened on. Throws if there is none.
    public init(host: String, port: UInt16, loop: EventLoop) throws(OutputFailure) {
        self.loop = loop
        name = "tcp server \(host) port \(port)"
        listener = try NetworkName.first(host: host, port: port, type: Int32(SOCK_STREAM.rawValue), passive: true) {
            entry -> Int32? in
            let descriptor = socket(
                entry.pointee.ai_family,
                entry.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
                0)
            guard descriptor >= 0 else { return nil }
            var on: Int32 = 1
            _ = setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
            guard bind(descriptor, entry.pointee.ai_addr, entry.pointee.ai_addrlen) == 0, listen(descriptor, 8) == 0
            else {
                let error = errno
                close(descriptor)
                errno = error
                return nil
            }
            return descriptor
        }
        do throws(Errno) {
            watch = try loop.watch(listener, for: .readable) { [weak self] _ in self?.accept() }
        } catch {
            throw OutputFailure("cannot wait for clients: \(error)")
        }
    }

    deinit {
        watch?.cancel()
        for (descriptor, watch) in clients {
            watch.cancel()
            close(descriptor)
        }
        close(listener)
    }

    /// Sends lines to all clients and drops those that do not take them at once.
    public func send(_ lines: String) {
        var bytes = Array(lines.utf8)
        for descriptor in clients.keys
        where Glibc.send(descriptor, &bytes, bytes.count, Int32(MSG_NOSIGNAL)) != bytes.count {
            drop(descriptor)
        }
    }

    private func accept() {
        let descriptor = Glibc.accept(listener, nil, nil)
        guard descriptor >= 0 else { return }
        // These fail only for what is no descriptor.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        let clientWatch = try? loop.watch(descriptor, for: .readable) { [weak self] _ in self?.hear(descriptor) }
        guard let clientWatch, clients.count < Self.maximumClients else {
            clientWatch?.cancel()
            close(descriptor)
            return
        }
        clients[descriptor] = clientWatch
        readersChanged()
    }

    private func hear(_ descriptor: Int32) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        if count == 0 || count < 0 && errno != EAGAIN && errno != EINTR { drop(descriptor) }
    }

    private func drop(_ descriptor: Int32) {
        guard let watch = clients.removeValue(forKey: descriptor) else { return }
        watch.cancel()
        close(descriptor)
        readersChanged()
    }
}
