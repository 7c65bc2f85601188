internal import Glibc

/// An IPv4 or IPv6 address with a port, as connect(2) takes it.
struct SocketAddress: Hashable, Sendable {
    private let bytes: [UInt8]

    /// AF_INET, AF_INET6 or AF_UNIX.
    let family: Int32

    init?(_ address: UnsafePointer<sockaddr>, length: socklen_t) {
        family = Int32(address.pointee.sa_family)
        guard family == AF_INET || family == AF_INET6 else { return nil }
        bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(length)))
    }

    /// The address of a socket in the file system; nil if the path is longer than one may be.
    init?(path: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let name = Array(path.utf8)
        let isFitting = withUnsafeMutableBytes(of: &address.sun_path) { space in
            guard name.count < space.count else { return false }
            space.copyBytes(from: name)
            return true
        }
        guard isFitting else { return nil }
        family = AF_UNIX
        bytes = withUnsafeBytes(of: &address) { Array($0) }
    }

    /// The group, if it is an IPv4 address of 224.0.0.0/4.
    var multicastGroup4: in_addr? {
        guard family == AF_INET else { return nil }
        let address = bytes.withUnsafeBytes { $0.loadUnaligned(as: sockaddr_in.self) }
        return UInt32(bigEndian: address.sin_addr.s_addr) >> 28 == 0xe ? address.sin_addr : nil
    }

    /// The group, if it is an IPv6 address of ff00::/8.
    var multicastGroup6: in6_addr? {
        guard family == AF_INET6 else { return nil }
        let address = bytes.withUnsafeBytes { $0.loadUnaligned(as: sockaddr_in6.self) }
        return withUnsafeBytes(of: address.sin6_addr) { $0[0] } == 0xff ? address.sin6_addr : nil
    }

    /// True for this machine and its own networks: loopback, private and link-local addresses (RFC 1122, 1918, 3927, 4193,
    /// 4291) and sockets in the file system.
    var isNear: Bool {
        switch family {
        case AF_UNIX: return true
        case AF_INET:
            let address = bytes.withUnsafeBytes { $0.loadUnaligned(as: sockaddr_in.self) }
            return Self.isNear(UInt32(bigEndian: address.sin_addr.s_addr))
        default:
            var address = bytes.withUnsafeBytes { $0.loadUnaligned(as: sockaddr_in6.self) }
            return withUnsafeBytes(of: &address.sin6_addr) { part in
                // ::1 and, mapped, what is near in IPv4.
                if part[..<10].allSatisfy({ $0 == 0 }) {
                    let last = UInt32(bigEndian: part.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
                    let isMapped = part[10] == 0xff && part[11] == 0xff
                    return isMapped ? Self.isNear(last) : part[10] == 0 && part[11] == 0 && last == 1
                }
                return part[0] & 0xfe == 0xfc || part[0] == 0xfe && part[1] & 0xc0 == 0x80
            }
        }
    }

    private static func isNear(_ address: UInt32) -> Bool {
        address >> 24 == 127 || address >> 24 == 10 || address >> 20 == 0xac1 || address >> 16 == 0xc0a8
            || address >> 16 == 0xa9fe
    }

    /// Calls bind(2); 0, or −1 with errno.
    func bind(_ descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            guard let address = buffer.bindMemory(to: sockaddr.self).baseAddress else { return -1 }
            return Glibc.bind(descriptor, address, socklen_t(buffer.count))
        }
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
