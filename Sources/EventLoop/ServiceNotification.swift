internal import CLinux
internal import Glibc

/// Tells a service manager about the process, as sd_notify(3) does: one datagram to the socket that NOTIFY_SOCKET
/// names.
public enum ServiceNotification {
    /// Sends a message such as `READY=1`. `address` is a path, or an abstract name after `@`.
    ///
    /// Throws EINVAL for an address that is neither or too long, and what the socket calls say.
    public static func send(_ message: String, to address: String) throws(Errno) {
        var socketAddress = sockaddr_un()
        socketAddress.sun_family = sa_family_t(AF_UNIX)
        var name = Array(address.utf8)
        let capacity = MemoryLayout.size(ofValue: socketAddress.sun_path)
        // A path needs its terminating zero byte, an abstract name does not.
        let isAbstract = name.first == UInt8(ascii: "@")
        guard isAbstract || name.first == UInt8(ascii: "/"), name.count > 1,
            name.count + (isAbstract ? 0 : 1) <= capacity
        else { throw Errno(rawValue: EINVAL) }
        if isAbstract { name[0] = 0 }
        withUnsafeMutableBytes(of: &socketAddress.sun_path) { $0.copyBytes(from: name) }
        let length = MemoryLayout<sockaddr_un>.size - capacity + name.count + (isAbstract ? 0 : 1)

        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Errno.current }
        defer { close(descriptor) }
        let bytes = Array(message.utf8)
        let sent = withUnsafePointer(to: &socketAddress) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length))
            }
        }
        guard sent == bytes.count else { throw Errno.current }
    }
}
