import EventLoop
import Foundation

/// A TCP server on loopback and on the test's own loop, which says what the test wants.
final class FakeServer {
    let port: UInt16
    /// Connections that are open.
    private(set) var clients: [Int32] = []
    /// All that were ever accepted.
    private(set) var accepted = 0
    /// What clients have sent.
    private(set) var received = ""
    /// Said to each client at once.
    var greeting = ""

    private let loop: EventLoop
    private let listener: Int32
    private var watches: [Int32: Watch] = [:]

    init(loop: EventLoop, port: UInt16 = 0) throws {
        self.loop = loop
        let descriptor = socket(
            AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        listener = descriptor
        var one: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, 4)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, size) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, generic, &size) == 0
            }
        }
        guard status else { throw Errno.current }
        self.port = UInt16(bigEndian: address.sin_port)
        watches[listener] = try loop.watch(listener, for: .readable) { [weak self] _ in self?.accept() }
    }

    deinit {
        for (_, watch) in watches { watch.cancel() }
        for client in clients { Foundation.close(client) }
        Foundation.close(listener)
    }

    /// Sends to all.
    func say(_ text: String) {
        for client in clients { _ = text.withCString { Foundation.send(client, $0, strlen($0), Int32(MSG_NOSIGNAL)) } }
    }

    /// Closes all connections.
    func hangUp() {
        for client in clients {
            watches[client]?.cancel()
            watches[client] = nil
            Foundation.close(client)
        }
        clients = []
    }

    private func accept() {
        let client = Foundation.accept(listener, nil, nil)
        guard client >= 0 else { return }
        _ = fcntl(client, F_SETFL, O_NONBLOCK)
        _ = fcntl(client, F_SETFD, FD_CLOEXEC)
        clients.append(client)
        accepted += 1
        watches[client] = try? loop.watch(client, for: .readable) { [weak self] _ in self?.read(client) }
        if !greeting.isEmpty { say(greeting) }
    }

    private func read(_ client: Int32) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Foundation.read(client, &bytes, bytes.count)
        if count > 0 {
            received += String(decoding: bytes[..<count], as: UTF8.self)
        } else if count == 0 {
            watches[client]?.cancel()
            watches[client] = nil
            clients.removeAll { $0 == client }
            Foundation.close(client)
        }
    }
}
