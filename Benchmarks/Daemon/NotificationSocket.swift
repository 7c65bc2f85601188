import Foundation

/// The socket of a service manager, as sd_notify(3) describes it: tells when a service is ready.
final class NotificationSocket {
    let address: String
    private let descriptor: Int32

    init() throws {
        let name = "locateme-benchmark-\(UUID().uuidString)"
        address = "@" + name
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        var socketAddress = sockaddr_un()
        socketAddress.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &socketAddress.sun_path) { $0.copyBytes(from: [0] + Array(name.utf8)) }
        let length = MemoryLayout<sa_family_t>.size + 1 + name.utf8.count
        let status = withUnsafePointer(to: &socketAddress) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(length)) }
        }
        guard status == 0 else { throw BenchmarkFailure("no socket for the service's word that it is ready") }
    }

    deinit { close(descriptor) }

    /// The next message, nil if none comes in time.
    func receive(seconds: Double) -> String? {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&ready, 1, Int32(seconds * 1000)) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : nil
    }
}
