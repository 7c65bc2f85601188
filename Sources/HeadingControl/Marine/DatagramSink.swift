internal import Glibc

/// Sentences as datagrams to one address, one datagram for all of one moment.
final class DatagramSink: LineSink {
    let name: String
    let failure: String? = nil
    private let descriptor: Int32

    init(host: String, port: UInt16) throws(CommandError) {
        name = "udp \(host) port \(port)"
        descriptor = try NetworkName.first(host: host, port: port, type: Int32(SOCK_DGRAM.rawValue), passive: false) {
            entry -> Int32? in
            let descriptor = socket(
                entry.pointee.ai_family,
                entry.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
                0)
            guard descriptor >= 0 else { return nil }
            var on: Int32 = 1
            // Without it a broadcast address is refused below.
            _ = setsockopt(descriptor, SOL_SOCKET, SO_BROADCAST, &on, socklen_t(MemoryLayout<Int32>.size))
            guard connect(descriptor, entry.pointee.ai_addr, entry.pointee.ai_addrlen) == 0 else {
                let error = errno
                close(descriptor)
                errno = error
                return nil
            }
            return descriptor
        }
    }

    deinit { close(descriptor) }

    func send(_ lines: String) {
        var bytes = Array(lines.utf8)
        // ECONNREFUSED: nobody listens there yet. EAGAIN: the network is slow.
        _ = Glibc.send(descriptor, &bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
}
