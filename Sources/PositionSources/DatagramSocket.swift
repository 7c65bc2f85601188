internal import EventLoop
internal import Glibc

/// A UDP port that datagrams are read from.
enum DatagramSocket {
    /// A bound socket: on all IPv4 addresses, which is where broadcasts come, on one local address, or in a multicast group.
    static func open(address: String?, port: UInt16) throws(Errno) -> Int32 {
        let text = address ?? "0.0.0.0"
        guard let bound = try? SocketAddress.resolve(text, port: port, isNumeric: true).first else {
            throw Errno(rawValue: EADDRNOTAVAIL)
        }
        let descriptor = socket(
            bound.family, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Errno.current }
        do throws(Errno) {
            // Several programs of a boat listen to the same broadcast.
            var one: Int32 = 1
            guard setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size)) == 0,
                bound.bind(descriptor) == 0
            else { throw Errno.current }
            try join(descriptor, bound)
        } catch {
            close(descriptor)
            throw error
        }
        return descriptor
    }

    private static func join(_ descriptor: Int32, _ address: SocketAddress) throws(Errno) {
        if let group = address.multicastGroup4 {
            var request = ip_mreq()
            request.imr_multiaddr = group
            guard
                setsockopt(
                    descriptor, Int32(IPPROTO_IP), IP_ADD_MEMBERSHIP, &request, socklen_t(MemoryLayout<ip_mreq>.size))
                    == 0
            else { throw Errno.current }
        } else if let group = address.multicastGroup6 {
            var request = ipv6_mreq()
            request.ipv6mr_multiaddr = group
            guard
                setsockopt(
                    descriptor, Int32(IPPROTO_IPV6), IPV6_JOIN_GROUP, &request, socklen_t(MemoryLayout<ipv6_mreq>.size))
                    == 0
            else { throw Errno.current }
        }
    }
}
