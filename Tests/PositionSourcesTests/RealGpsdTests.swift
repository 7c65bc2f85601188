import EventLoop
import Foundation
import LocateMeModel
import LocationEngine
import TestSupport
import Testing

@testable import PositionSources

/// The source against the real gpsd, which is fed with NMEA by UDP on loopback.
@Suite(.serialized, .ownThread) struct RealGpsdTests {
    let loop: EventLoop
    let listener = RecordingListener()

    init() throws { loop = try EventLoop() }

    private func source(_ gpsd: RealGpsd) -> GpsdPlaceSource {
        var timing = GpsdPlaceSource.Timing()
        timing.firstPause = 0.1
        timing.longestPause = 0.3
        let source = GpsdPlaceSource(
            loop: loop, address: GpsdAddress(host: "localhost", port: gpsd.port), timing: timing
        ) { 0.5 }
        source.placeListener = listener
        return source
    }

    /// Feeds a second at a time until the condition holds.
    private func feed(
        _ gpsd: RealGpsd, from start: Int = 0, until condition: () -> Bool, sentences: @escaping (Int) -> [String]
    ) throws -> Bool {
        var second = start
        let timer = loop.makeTimer {
            for sentence in sentences(second) { gpsd.send(sentence) }
            second += 1
        }
        timer.arm(afterMicroseconds: 0, everyMicroseconds: 300_000)
        defer { timer.disarm() }
        return try loop.run(until: condition, seconds: 40)
    }

    @Test(
        "Bar 4: one second of NMEA is one fix with an accuracy of 10.6 m, also through gpsd", .needs(.program("gpsd")))
    func oneSecondOfNMEAIsOneFix() throws {
        let gpsd = try RealGpsd()
        let source = source(gpsd)
        source.start()
        let nmea = NMEA(start: Clock.realMicroseconds() - 60_000_000)
        #expect(try feed(gpsd, until: { listener.fixes.count >= 6 }) { nmea.second($0) })
        let fixes = listener.fixes.filter { $0.realMicroseconds > 0 }
        let times = fixes.map(\.realMicroseconds)
        #expect(times == Array(Set(times)).sorted())
        let last = try #require(fixes.last)
        #expect(abs(last.horizontalAccuracy - 10.6) < 0.1)
        #expect(abs(last.latitude - 39.7392) < 1e-6)
        #expect(abs(last.altitude - 1609) < 0.01)
        #expect(abs(last.ellipsoidalAltitude - 1591) < 0.01)
        // 15 m/s is 29.16 kn in the sentence.
        #expect(abs(last.speed - 15) < 0.01)
        #expect(last.course == 90)
        #expect(last.satellites == 8)
        // Fixes are one second apart in the receiver's time, and 15 m in place.
        for (first, second) in zip(fixes, fixes.dropFirst()) {
            #expect((second.realMicroseconds - first.realMicroseconds) % 1_000_000 == 0)
            #expect(second.longitude > first.longitude)
        }
        source.stop()
    }

    @Test("a void status is no fix, whatever the numbers say", .needs(.program("gpsd")))
    func aVoidStatusIsNoFix() throws {
        let gpsd = try RealGpsd()
        let source = source(gpsd)
        source.start()
        let nmea = NMEA(start: Clock.realMicroseconds() - 60_000_000)
        #expect(try feed(gpsd, until: { listener.fixes.count >= 3 }) { nmea.second($0) })
        #expect(try feed(gpsd, from: 10, until: { listener.lostFixes == 1 }) { nmea.voidSecond($0) })
        let count = listener.fixes.count
        #expect(try feed(gpsd, from: 30, until: { listener.fixes.count > count }) { nmea.second($0) })
        source.stop()
    }

    @Test("Bar 21: a restart of gpsd in the middle is survived", .needs(.program("gpsd")))
    func aRestartOfGpsdIsSurvived() throws {
        var gpsd = try RealGpsd()
        let source = source(gpsd)
        source.start()
        let nmea = NMEA(start: Clock.realMicroseconds() - 60_000_000)
        #expect(try feed(gpsd, until: { listener.fixes.count >= 3 }) { nmea.second($0) })
        gpsd.stop()
        #expect(try loop.run(until: { source.placeState.state == .lost }))
        #expect(listener.lostFixes == 1)
        let count = listener.fixes.count
        gpsd = try RealGpsd(port: gpsd.port)
        #expect(try feed(gpsd, from: 20, until: { listener.fixes.count > count + 2 }) { nmea.second($0) })
        #expect(source.placeState.state == .ok)
        source.stop()
    }

    /// gpsd 3.22 adds 1024 weeks to a date of 1999 by itself; the validator adds what is still missing.
    @Test("Bar 7: a receiver of before the last two rollovers has today's date", .needs(.program("gpsd")))
    func aReceiverWithAnOldDateHasTodays() throws {
        let gpsd = try RealGpsd()
        let source = source(gpsd)
        source.start()
        let now = Clock.realMicroseconds()
        let rollovers = 1024 * 7 * 86_400 * 1_000_000 as Int64
        let nmea = NMEA(start: now - 60_000_000 - rollovers)
        #expect(try feed(gpsd, until: { listener.fixes.contains { $0.realMicroseconds > 0 } }) { nmea.second($0) })
        let fix = try #require(listener.fixes.last { $0.realMicroseconds > 0 })
        var validator = FixValidator(parameters: .init(earliestClock: now - 1_000_000))
        let clock = ClockReading(
            realMicroseconds: Clock.realMicroseconds(), bootMicroseconds: Clock.bootMicroseconds(), isSynchronized: true
        )
        let valid = try #require(validator.validate(fix, at: clock).fix)
        #expect(abs(valid.realMicroseconds - (now - 60_000_000)) < 30_000_000)
        source.stop()
    }
}

/// A gpsd of its own on loopback, which ends with this object.
private final class RealGpsd {
    let port: UInt16
    private let process: RunningCommand
    private let feedSocket: Int32
    private let feedPort: UInt16

    init(port wanted: UInt16? = nil) throws {
        let path = try #require(Requirement.path(of: "gpsd"), "gpsd is not installed")
        port = try wanted ?? Self.freePort(SOCK_STREAM)
        feedPort = try Self.freePort(SOCK_DGRAM)
        feedSocket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        process = try Command.start(path, ["-N", "-n", "-S", String(port), "-D", "1", "udp://127.0.0.1:\(feedPort)"])
    }

    deinit {
        stop()
        close(feedSocket)
    }

    func stop() {
        guard !process.isFinished else { return }
        process.signal(SIGKILL)
        _ = process.wait()
    }

    func send(_ sentence: String) {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = feedPort.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                sentence.withCString {
                    sendto(feedSocket, $0, strlen($0), 0, generic, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        }
    }

    private static func freePort(_ kind: __socket_type) throws -> UInt16 {
        let descriptor = socket(AF_INET, Int32(kind.rawValue | SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, size) == 0 && getsockname(descriptor, generic, &size) == 0
            }
        }
        guard isBound else { throw Errno.current }
        return UInt16(bigEndian: address.sin_port)
    }
}

/// A receiver that drives east from Denver at 15 m/s, with a dilution of precision of 0.9.
private struct NMEA {
    /// UTC of second 0, microseconds since the Unix epoch.
    let start: Int64

    func second(_ index: Int) -> [String] {
        let (time, date) = clock(index)
        let east = 15 * Double(index) / (111_320 * cos(39.7392 * .pi / 180))
        let longitude = 104.9847 - east
        let minutes = (longitude - 104) * 60
        let place = "3944.3520,N,104\(minutes < 10 ? "0" : "")\(String(format: "%.4f", minutes)),W"
        return [
            "GPGGA,\(time),\(place),1,08,0.90,1609.0,M,-18.0,M,,",
            "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.60,0.90,1.30",
            "GPGSV,2,1,08,01,40,083,46,02,17,308,41,03,07,344,39,04,22,228,45",
            "GPGSV,2,2,08,05,40,183,46,06,57,308,41,07,67,344,39,08,72,228,45",
            "GPRMC,\(time),A,\(place),29.16,90.00,\(date),,,A",
        ].map(Self.sentence)
    }

    func voidSecond(_ index: Int) -> [String] {
        let (time, date) = clock(index)
        return [
            "GPGGA,\(time),0000.0000,N,00000.0000,E,0,00,,,M,,M,,", "GPGSA,A,1,,,,,,,,,,,,,,,",
            "GPRMC,\(time),V,0000.0000,N,00000.0000,E,,,\(date),,,N",
        ].map(Self.sentence)
    }

    private func clock(_ index: Int) -> (time: String, date: String) {
        let date = UTCDate(realMicroseconds: (start / 1_000_000 + Int64(index)) * 1_000_000)
        return (
            String(format: "%02d%02d%02d.00", date.hour, date.minute, date.second),
            String(format: "%02d%02d%02d", date.day, date.month, date.year % 100)
        )
    }

    private static func sentence(_ body: String) -> String {
        "$\(body)*" + String(format: "%02X", body.utf8.reduce(0, ^)) + "\r\n"
    }
}
