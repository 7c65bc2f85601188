internal import Glibc

/// An IPv4 or IPv6 address with a port, as connect(2) takes it.
struct SocketAddress: Hashable, Sendable {
    private let bytes: [UInt8]

    /// AF_INET or AF_INET6.
    let family: Int32

    init?(_ address: UnsafePointer<sockaddr>, length: socklen_t) {
        family = Int32(address.pointee.sa_family)
        guard family == AF_INET || family == AF_INET6 else { return nil }
        bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(length)))
    }

    /// Calls connect(2); 0, or −1 with errno.
    func connect(_ descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            guard let address = buffer.bindMemory(to: sockaddr.self).baseAddress else { return -1 }
            return Glibc.connect(descriptor, address, socklen_t(buffer.count))
        }
    }

    /// The addresses of a host, numeric or by name; a name may have to be asked for over the network, which blocks. Fails
    /// with the resolver's words.
    static func resolve(_ host: String, port: UInt16, isNumeric: Bool) throws(ResolveError) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICSERV | (isNumeric ? AI_NUMERICHOST : AI_ADDRCONFIG)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else { throw ResolveError(description: String(cString: gai_strerror(status))) }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var entry = list
        while let current = entry {
            if let address = current.pointee.ai_addr,
                let socketAddress = SocketAddress(address, length: current.pointee.ai_addrlen)
            {
                addresses.append(socketAddress)
            }
            entry = current.pointee.ai_next
        }
        return addresses
    }

    /// Why a name has no address.
    struct ResolveError: Error, Hashable, Sendable, CustomStringConvertible {
        let description: String
    }
}
