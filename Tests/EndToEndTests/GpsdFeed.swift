import Foundation
import TestSupport
import Testing

/// A receiver standing still at 47.377°N 8.542°E that sends NMEA over UDP on this machine, and a real gpsd that hears it.
final class GpsdFeed: @unchecked Sendable {
    // Sound: `isStopped` is touched with the lock held; the rest is set in `init` only.
    /// Where gpsd listens; 0 without one.
    let port: UInt16
    /// Where the receiver sends to.
    let receiverPort: UInt16
    private let gpsd: ChildProcess?
    private let lock = NSLock()
    private var isStopped = false
    private let descriptor: Int32
    private let ended = DispatchSemaphore(value: 0)

    /// Starts both, or the receiver alone, which then sends `more` sentences each time.
    init(hasGpsd: Bool = true, more: [String] = []) throws {
        let receiver = try Self.freePort(SOCK_DGRAM)
        receiverPort = receiver
        port = hasGpsd ? try Self.freePort(SOCK_STREAM) : 0
        if hasGpsd {
            let program = try #require(Requirement.path(of: "gpsd"))
            gpsd = try ChildProcess(program, ["-N", "-n", "-S", "\(port)", "-D", "1", "udp://127.0.0.1:\(receiver)"])
        } else {
            gpsd = nil
        }
        descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        let thread = Thread { [self] in
            while !lock.withLock({ isStopped }) {
                for sentence in Self.epoch(Date(), more) { send(sentence, to: receiver) }
                usleep(250_000)
            }
            close(descriptor)
            ended.signal()
        }
        thread.start()
    }

    deinit { stop() }

    /// Ends the receiver and gpsd.
    func stop() {
        let first = lock.withLock {
            defer { isStopped = true }
            return !isStopped
        }
        if first { ended.wait() }
        gpsd?.stop()
    }

    private func send(_ text: String, to port: UInt16) {
        var address = Self.loopback(port)
        let bytes = Array(text.utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// GGA, GSA and RMC of one moment (NMEA 0183), HDOP 0.9.
    private static func epoch(_ date: Date, _ more: [String]) -> [String] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
        let now = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second, .nanosecond], from: date)
        func two(_ number: Int?) -> String { String(format: "%02d", number ?? 0) }
        let hundredths = (now.nanosecond ?? 0) / 10_000_000
        let time = two(now.hour) + two(now.minute) + two(now.second) + "." + two(hundredths)
        let day = two(now.day) + two(now.month) + two((now.year ?? 0) % 100)
        let sentences = [
            "GPGGA,\(time),4722.6200,N,00832.5200,E,1,08,0.90,408.0,M,47.0,M,,",
            "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.60,0.90,1.30",
            "GPRMC,\(time),A,4722.6200,N,00832.5200,E,0.00,,\(day),,,A",
        ]
        return (sentences + more).map { body in
            "$\(body)*" + String(format: "%02X", body.utf8.reduce(0) { $0 ^ $1 }) + "\r\n"
        }
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        return address
    }

    private static func freePort(_ type: __socket_type) throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(type.rawValue), 0)
        defer { close(descriptor) }
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) | getsockname(descriptor, $0, &length)
            }
        }
        try #require(status == 0)
        return UInt16(bigEndian: address.sin_port)
    }
}
