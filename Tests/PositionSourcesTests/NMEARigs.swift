import EventLoop
import Foundation
import LocateMeModel

/// A pseudoterminal: the test is the receiver on its other end.
final class Terminal {
    let path: String
    private let master: Int32
    private let slave: Int32

    init() throws {
        var (first, second): (Int32, Int32) = (-1, -1)
        var name = [CChar](repeating: 0, count: 128)
        guard openpty(&first, &second, &name, nil, nil) == 0 else { throw Errno.current }
        master = first
        // Held open, so that the settings survive and nothing hangs up between two programs.
        slave = second
        path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        _ = fcntl(master, F_SETFL, O_NONBLOCK)
    }

    deinit {
        close(slave)
        close(master)
    }

    private var settings: termios {
        var settings = termios()
        tcgetattr(slave, &settings)
        return settings
    }

    var rate: speed_t {
        var settings = settings
        return cfgetispeed(&settings)
    }

    var isEchoing: Bool { settings.c_lflag & tcflag_t(ECHO) != 0 }

    func write(_ text: String) { write(Array(text.utf8)) }

    func write(_ bytes: [UInt8]) { _ = Foundation.write(master, bytes, bytes.count) }

    func readAll() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Foundation.read(master, &bytes, bytes.count)
        return Array(bytes.prefix(max(count, 0)))
    }
}

/// A folder for one test.
final class Folder {
    let path: String

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("n\(UInt32.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        path = url.path
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// UDP from the test.
enum Datagrams {
    /// A port that was free a moment ago.
    static func freePort() throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, size) == 0 && getsockname(descriptor, generic, &size) == 0
            }
        }
        guard isBound else { throw Errno.current }
        return UInt16(bigEndian: address.sin_port)
    }

    static func send(_ text: String, to host: String, _ port: UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        inet_pton(AF_INET, host, &address.sin_addr)
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                _ = sendto(descriptor, text, text.utf8.count, 0, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}

/// A stream socket in the file system that greets who comes.
final class UnixServer {
    private(set) var accepted = 0
    private let listener: Int32
    private var clients: [Int32] = []
    private var watch: Watch?

    init(loop: EventLoop, path: String, greeting: String) throws {
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let listener = listener
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let isListening = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0 && listen(listener, 4) == 0
            }
        }
        guard isListening else { throw Errno.current }
        watch = try loop.watch(listener, for: .readable) { [weak self] _ in
            let client = accept(listener, nil, nil)
            guard let self, client >= 0 else { return }
            accepted += 1
            clients.append(client)
            _ = send(client, greeting, greeting.utf8.count, Int32(MSG_NOSIGNAL))
        }
    }

    deinit {
        watch?.cancel()
        for client in clients { close(client) }
        close(listener)
    }
}

/// Writes down what a heading source says.
final class RecordingSensorListener: SensorSourceListener {
    var headings: [Double] = []

    func sensorSource(_ source: any SensorSource, delivered sample: SensorSample) {
        if case .hubHeading(let degrees, _) = sample.reading { headings.append(degrees) }
    }

    func sensorSourceChanged(_ source: any SensorSource) {}
    func sensorSource(_ source: any SensorSource, lost reason: String) {}
    func sensorSourceRestarted(_ source: any SensorSource) {}
}
