internal import EventLoop
internal import Glibc
public import LocateMeModel

/// Sentences as datagrams to one address, one datagram for all of one moment. A network that is not up yet costs what is
/// sent meanwhile.
public final class DatagramSink: LineSink {
    /// Such as "udp 192.0.2.255 port 10110".
    public let name: String
    /// Nil: a network that is down may be up the next time.
    public let failure: String? = nil
    /// Why the last datagram was refused by this machine.
    public private(set) var trouble: String?
    private let descriptor: Int32
    private let address: [UInt8]

    /// Datagrams to the first address of a host. Throws if it has none.
    public init(host: String, port: UInt16) throws(OutputFailure) {
        name = "udp \(host) port \(port)"
        (descriptor, address) = try NetworkName.first(
            host: host, port: port, type: Int32(SOCK_DGRAM.rawValue), passive: false
        ) { entry -> (Int32, [UInt8])? in
            let descriptor = socket(
                entry.pointee.ai_family,
                entry.pointee.ai_socktype | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue),
                0)
            guard descriptor >= 0 else { return nil }
            var on: Int32 = 1
            // Without it a broadcast address is refused when something is sent.
            _ = setsockopt(descriptor, SOL_SOCKET, SO_BROADCAST, &on, socklen_t(MemoryLayout<Int32>.size))
            let bytes = UnsafeRawBufferPointer(start: entry.pointee.ai_addr, count: Int(entry.pointee.ai_addrlen))
            return (descriptor, Array(bytes))
        }
    }

    deinit { close(descriptor) }

    /// Sends lines as one datagram.
    public func send(_ lines: String) {
        var bytes = Array(lines.utf8)
        let sent = address.withUnsafeBytes { raw -> Int in
            guard let start = raw.baseAddress else { return -1 }
            return sendto(
                descriptor, &bytes, bytes.count, Int32(MSG_NOSIGNAL), start.assumingMemoryBound(to: sockaddr.self),
                socklen_t(raw.count))
        }
        // ECONNREFUSED: nobody listens there yet. EAGAIN: the network is slow.
        let isTrouble = sent < 0 && ![ECONNREFUSED, EAGAIN, EINTR].contains(errno)
        trouble = isTrouble ? "\(name): \(Errno.current)" : nil
    }
}
