import Foundation
import TestSupport
import Testing

/// A server on loopback that a receiver's NMEA comes from: the test says what and when.
final class WireServer: @unchecked Sendable {
    // Sound: one thread at a time uses it; a helper that says fixes ends before the test goes on.
    let port: UInt16
    private let listener: Int32
    private var client: Int32 = -1

    init() throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let listener = listener
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, size) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, generic, &size) == 0
            }
        }
        port = UInt16(bigEndian: address.sin_port)
        try #require(isListening)
    }

    deinit {
        hangUp()
        close(listener)
    }

    /// The daemon's option for it.
    var option: [String] { ["--no-gpsd", "--nmea", "tcp:127.0.0.1:\(port)"] }

    /// True once somebody is connected; waits for that.
    func waitForClient(seconds: Double = 60) -> Bool {
        if client >= 0 { return true }
        guard Self.poll(listener, seconds) else { return false }
        client = accept(listener, nil, nil)
        return client >= 0
    }

    /// True once who was connected has let go; waits for that.
    func waitForRelease(seconds: Double = 60) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 256)
        while client >= 0, Self.poll(client, seconds) {
            guard read(client, &bytes, bytes.count) <= 0 else { continue }
            hangUp()
        }
        return client < 0
    }

    /// True while nobody has connected since the last one let go.
    var isAlone: Bool { client < 0 && !Self.poll(listener, 0) }

    func say(_ bytes: [UInt8]) {
        var sent = 0
        while client >= 0, sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            sent += count
        }
    }

    func say(_ text: String) { say(Array(text.utf8)) }

    /// GGA and RMC of now, `north` metres from 47.377°N 8.542°E, at a speed.
    func sayFix(north: Double = 0, dilution: Double = 0.9, metresPerSecond: Double = 0) {
        say(Self.fix(north: north, dilution: dilution, metresPerSecond: metresPerSecond))
    }

    /// Says fixes some times a second, as a receiver does, until something has come of it.
    func sayFixes(
        north: Double = 0, metresPerSecond: Double = 0, _ what: String = "", until isReached: () throws -> Bool
    ) throws {
        let limit = Date(timeIntervalSinceNow: 60)
        while try !isReached() {
            try #require(Date() < limit, "said fixes in vain \(what)")
            sayFix(north: north, metresPerSecond: metresPerSecond)
            // The receiver's pace: one moment is told once.
            usleep(150_000)
        }
    }

    func hangUp() {
        if client >= 0 { close(client) }
        client = -1
    }

    /// A sentence of a body.
    static func line(_ body: String) -> String {
        "$\(body)*" + String(format: "%02X", body.utf8.reduce(0, ^)) + "\r\n"
    }

    static func fix(north: Double = 0, dilution: Double = 0.9, metresPerSecond: Double = 0) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(secondsFromGMT: 0) ?? .current
        let now = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second, .nanosecond], from: Date())
        func two(_ number: Int?) -> String { String(format: "%02d", number ?? 0) }
        let time = two(now.hour) + two(now.minute) + two(now.second) + "." + two((now.nanosecond ?? 0) / 10_000_000)
        let day = two(now.day) + two(now.month) + two((now.year ?? 0) % 100)
        // 111 195 m are one degree of latitude on a sphere of the earth's size.
        let minutes = 22.62 + north / 111_195 * 60
        let place = "47\(String(format: "%07.4f", minutes)),N,00832.5200,E"
        return line("GPGGA,\(time),\(place),1,08,\(dilution),408.0,M,47.0,M,,")
            + line("GPRMC,\(time),A,\(place),\(String(format: "%.2f", metresPerSecond * 1.943844)),0.0,\(day),,,A")
    }

    private static func poll(_ descriptor: Int32, _ seconds: Double) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Foundation.poll(&request, 1, Int32(seconds * 1000)) > 0
    }
}
