import EventLoop
import Foundation
import LocateMeModel
import TestSupport
import Testing

@testable import MarineOutput

@Suite("Outputs of sentences")
struct SinkTests {
    private static let line = "$HCHDM,123.4,M*2A\r\n"

    /// A TCP client of this machine that does not block.
    private final class Client {
        let descriptor: Int32

        init(port: UInt16) throws {
            descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            var address = Self.local(port)
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            guard status == 0 else { throw Errno.current }
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        }

        deinit { close(descriptor) }

        /// What has come; nil at the end of the stream.
        var text: String? {
            var bytes = [UInt8](repeating: 0, count: 65_536)
            let count = recv(descriptor, &bytes, bytes.count, 0)
            if count == 0 { return nil }
            return String(decoding: bytes[..<max(0, count)], as: UTF8.self)
        }

        static func local(_ port: UInt16) -> sockaddr_in {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
            return address
        }

        /// A port that nobody had a moment ago.
        static func freePort() throws -> UInt16 {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var address = local(0)
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let status = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, length) == 0 ? getsockname(descriptor, $0, &length) : -1
                }
            }
            try #require(status == 0)
            return UInt16(bigEndian: address.sin_port)
        }
    }

    @Test("Every TCP client gets whole lines; the server knows whether anybody reads")
    func clients() throws {
        let loop = try EventLoop()
        let port = try Client.freePort()
        let server = try ServerSink(host: "127.0.0.1", port: port, loop: loop)
        var changes = 0
        server.readersChanged = { changes += 1 }
        #expect(!server.hasReaders)
        var one: Client? = try Client(port: port)
        let other = try Client(port: port)
        #expect(try loop.run(until: { changes == 2 }) && server.hasReaders)
        server.send(Self.line)
        #expect(one?.text == Self.line && other.text == Self.line)
        one = nil
        #expect(try loop.run(until: { changes == 3 }) && server.hasReaders)
        server.send(Self.line)
        #expect(other.text == Self.line)
    }

    @Test("A client that does not read is dropped and holds nobody up, one too many is turned away")
    func limits() throws {
        let loop = try EventLoop()
        let port = try Client.freePort()
        let server = try ServerSink(host: "127.0.0.1", port: port, loop: loop)
        var changes = 0
        server.readersChanged = { changes += 1 }
        var clients: [Client] = []
        for number in 1...ServerSink.maximumClients {
            clients.append(try Client(port: port))
            try #require(try loop.run(until: { changes == number }))
        }
        let tooMany = try Client(port: port)
        #expect(try loop.run(until: { tooMany.text == nil }))
        // All but the first read; the first one's socket fills up.
        let block = String(repeating: Self.line, count: 500)
        var rounds = 0
        while changes == ServerSink.maximumClients, rounds < 10_000 {
            server.send(block)
            for client in clients.dropFirst() { while client.text?.isEmpty == false {} }
            rounds += 1
        }
        #expect(changes == ServerSink.maximumClients + 1)
        server.send(Self.line)
        #expect(clients.dropFirst().allSatisfy { $0.text == Self.line })
    }

    @Test("A port that is taken is told with what to do")
    func taken() throws {
        let loop = try EventLoop()
        let port = try Client.freePort()
        let server = try ServerSink(host: "127.0.0.1", port: port, loop: loop)
        let failure = #expect(throws: OutputFailure.self) {
            _ = try ServerSink(host: "127.0.0.1", port: port, loop: loop)
        }
        #expect(failure?.description.contains("Address already in use") == true)
        #expect(failure?.remedy.isEmpty == false)
        withExtendedLifetime(server) {}
    }

    @Test("A pseudo-terminal is its user's alone unless its group is let in, and a full one holds nobody up")
    func terminal() throws {
        let link = NSTemporaryDirectory() + "pty-\(UUID().uuidString.prefix(8))"
        var sink: PseudoterminalSink? = try PseudoterminalSink(link: link, isForGroup: true)
        let path = try #require(sink?.name)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == path)
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o640 && status.st_gid == getegid())
        // Far more than a terminal holds, and then the newest.
        for _ in 0..<2000 { sink?.send(Self.line) }
        sink?.send("$HCHDM,1.0,M*21\r\n")
        let reader = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK)
        defer { close(reader) }
        var bytes = [UInt8](repeating: 0, count: 65_536)
        var text = ""
        while case let count = read(reader, &bytes, bytes.count), count > 0 {
            text += String(decoding: bytes[..<count], as: UTF8.self)
        }
        #expect(text.hasSuffix("$HCHDM,1.0,M*21\r\n"))
        let mine = try PseudoterminalSink(link: nil)
        #expect(stat(mine.name, &status) == 0 && status.st_mode & 0o044 == 0)
        sink = nil
        #expect(!FileManager.default.fileExists(atPath: link))
    }

    @Test("A file is never replaced by a link")
    func file() throws {
        let file = NSTemporaryDirectory() + "file-\(UUID().uuidString.prefix(8))"
        try Data("precious".utf8).write(to: URL(fileURLWithPath: file))
        defer { unlink(file) }
        let failure = #expect(throws: OutputFailure.self) { _ = try PseudoterminalSink(link: file) }
        #expect(failure?.description.contains(file) == true)
        #expect(try String(contentsOfFile: file, encoding: .utf8) == "precious")
    }

    @Test("A datagram that this machine cannot send is told, and the next one may go")
    func datagrams() throws {
        let port = try Client.freePort()
        let nobody = try DatagramSink(host: "127.0.0.1", port: port)
        nobody.send(Self.line)
        nobody.send(Self.line)
        #expect(nobody.trouble == nil)
        // More than an IPv4 datagram holds (65 507 bytes of UDP, RFC 768 and 791).
        nobody.send(String(repeating: "x", count: 70_000))
        #expect(nobody.trouble == "udp 127.0.0.1 port \(port): Message too long")
        nobody.send(Self.line)
        #expect(nobody.trouble == nil)
        #expect(throws: OutputFailure.self) { _ = try DatagramSink(host: "no.such.host.invalid", port: 1) }
    }
}
