internal import Glibc

/// Addresses of a host name.
enum NetworkName {
    /// Calls `body` with each address of a host and port until it gives a value. Blocks on the name service, unless the
    /// host is a numeric address. Throws if the name has no address or no address gives a value.
    static func first<Value>(
        host: String, port: UInt16, type: Int32, passive: Bool, _ body: (UnsafePointer<addrinfo>) -> Value?
    ) throws(OutputFailure) -> Value {
        var hints = addrinfo()
        hints.ai_socktype = type
        hints.ai_flags = AI_NUMERICSERV | (passive ? AI_PASSIVE : 0)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, String(port), &hints, &list)
        guard status == 0 else {
            throw OutputFailure("'\(host)' has no address: \(String(cString: gai_strerror(status)))")
        }
        defer { freeaddrinfo(list) }
        var next = list
        while let entry = next {
            if let value = body(entry) { return value }
            next = entry.pointee.ai_next
        }
        throw OutputFailure(
            "cannot use '\(host)' port \(port): \(String(cString: strerror(errno)))",
            remedy: passive ? "Choose another port, or end the program that has it." : "")
    }
}
