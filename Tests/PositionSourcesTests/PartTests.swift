import LocateMeModel
import Testing

@testable import PositionSources

@Suite struct PartTests {
    // MARK: - Addresses

    @Test(
        arguments: [
            ("localhost:2947", "localhost", 2947), ("localhost", "localhost", 2947),
            ("gps.example:1", "gps.example", 1),
            (":2950", "localhost", 2950), ("10.0.0.7:65535", "10.0.0.7", 65535), ("[::1]:2947", "::1", 2947),
            ("[::1]", "::1", 2947),
        ] as [(String, String, UInt16)])
    func addressesAreRead(text: String, host: String, port: UInt16) throws {
        let address = try #require(GpsdAddress(text))
        #expect(address == GpsdAddress(host: host, port: port))
        #expect(GpsdAddress(address.description) == address)
    }

    @Test(arguments: [
        "", "host:", "host:0", "host:65536", "host:-1", "host:12x", "host:+12", "::1", "fe80::1:2947", "[::1", "[::1]x",
        "[]:5", "a b:5",
        "a/b", "host:１２",
    ])
    func whatIsNoAddressIsRefused(text: String) { #expect(GpsdAddress(text) == nil) }

    // MARK: - Pauses

    @Test func pausesDoubleUpToAMinute() {
        var delay = ReconnectDelay(first: 1, longest: 60)
        let seconds = (0..<9).map { _ in Double(delay.take(random: 0.5)) * 1e-6 }
        #expect(seconds == [1, 2, 4, 8, 16, 32, 60, 60, 60])
        delay.reset()
        #expect(delay.take(random: 0.5) == 1_000_000)
    }

    @Test(arguments: [(0.0, 0.8), (0.25, 0.9), (0.999_999, 1.2)])
    func pausesAreVariedByAFifth(random: Double, factor: Double) {
        var delay = ReconnectDelay(first: 10, longest: 60)
        #expect(abs(Double(delay.take(random: random)) - factor * 1e7) < 10)
    }

    @Test func pausesBeforeWhatIsNearStayShort() {
        var delay = ReconnectDelay(first: 1, longest: 60)
        let limit = SourceTiming().longestNearPause
        for _ in 0..<20 { #expect(delay.take(random: 0.5, limit: limit) == Int64(limit * 1e6)) }
        // With a receiver that speaks once a second, the place is there within 2 s.
        #expect(limit * (1 + ReconnectDelay.jitter) + 1 < 2)
        // Far away they have grown meanwhile.
        #expect(delay.take(random: 0.5) == 60_000_000)
    }

    /// Blocks of RFC 1122, 1918, 3927, 4193 and 4291, and the first and last addresses beside them.
    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.255.254", true), ("10.0.0.0", true), ("10.255.255.255", true),
        ("172.16.0.1", true), ("172.31.255.255", true), ("192.168.0.7", true), ("169.254.3.4", true),
        ("9.255.255.255", false), ("11.0.0.0", false), ("172.15.255.255", false), ("172.32.0.0", false),
        ("192.167.1.1", false), ("192.169.0.0", false), ("169.253.1.1", false), ("128.0.0.1", false),
        ("::1", true), ("fe80::1", true), ("febf::1", true), ("fc00::1", true), ("fdff::9", true),
        ("::ffff:192.168.1.1", true), ("::ffff:8.8.8.8", false), ("::2", false), ("fec0::1", false), ("fe00::1", false),
        ("fbff::1", false), ("2001:db8::1", false), ("::7f00:1", false),
    ])
    func whatIsNear(text: String, isNear: Bool) throws {
        let address = try #require(try SocketAddress.resolve(text, port: 1, isNumeric: true).first)
        #expect(address.isNear == isNear)
    }

    // MARK: - Lines

    private func lines(_ buffer: inout LineBuffer, _ text: String) -> [String] {
        var lines: [String] = []
        Array(text.utf8).withUnsafeBytes { bytes in
            buffer.append(bytes) { lines.append(String(decoding: $0, as: UTF8.self)) }
        }
        return lines
    }

    @Test func linesAreCutWhereverTheStreamWas() {
        var buffer = LineBuffer(limit: 100)
        #expect(lines(&buffer, "ab") == [])
        #expect(lines(&buffer, "c\n\nde\nf") == ["abc", "", "de"])
        #expect(lines(&buffer, "\n") == ["f"])
    }

    /// bug-line-of-a-megabyte
    @Test func aLineOfAMegabyteIsDroppedAndTheNextIsRead() {
        var buffer = LineBuffer(limit: 65_536)
        for _ in 0..<64 { #expect(lines(&buffer, String(repeating: "A", count: 16_384)) == []) }
        #expect(lines(&buffer, "tail\nnext\n") == ["next"])
        #expect(buffer.droppedLines == 1)
        #expect(lines(&buffer, String(repeating: "B", count: 65_536) + "\n").map(\.count) == [65_536])
    }

    // MARK: - Moments

    private func fix(
        real: Int64, boot: Int64, latitude: Double = 47, accuracy: Double = 0, speed: Double = -1,
        vertical: Double = -1,
        speedAccuracy: Double = -1
    ) -> Fix {
        var fix = Fix(
            realMicroseconds: real, bootMicroseconds: boot, latitude: latitude, longitude: 8,
            horizontalAccuracy: accuracy)
        fix.speed = speed
        fix.speedAccuracy = speedAccuracy
        fix.verticalAccuracy = vertical
        return fix
    }

    /// What gpsd 3.22 gives for the GGA, GSA and RMC of one second.
    @Test func theReportsOfOneMomentAreOneFix() throws {
        var epoch = FixEpoch()
        #expect(epoch.add(fix(real: 0, boot: 100, accuracy: 10)).isEmpty)
        #expect(epoch.deadline == 200_100)
        #expect(epoch.add(fix(real: 0, boot: 5_000, accuracy: 10, vertical: 15)).isEmpty)
        let ready = epoch.add(fix(real: 9_000_000, boot: 9_000, accuracy: 10, speed: 2, speedAccuracy: 1))
        #expect(ready.count == 1)
        let merged = try #require(ready.first)
        #expect(merged.realMicroseconds == 9_000_000)
        #expect(merged.bootMicroseconds == 100)
        #expect([merged.horizontalAccuracy, merged.verticalAccuracy, merged.speed] == [10, 15, 2])
        #expect(epoch.deadline == nil)
        // What comes for this moment later is a duplicate.
        #expect(epoch.add(fix(real: 9_020_000, boot: 12_000, accuracy: 10)).isEmpty)
        #expect(epoch.deadline == nil)
        #expect(epoch.flush() == nil)
    }

    @Test func anIncompleteFixGoesOutWithTheNextMomentOrAtTheDeadline() {
        var epoch = FixEpoch()
        #expect(epoch.add(fix(real: 1_000_000, boot: 1_000_000)).isEmpty)
        #expect(epoch.add(fix(real: 2_000_000, boot: 2_000_000)).map(\.realMicroseconds) == [1_000_000])
        #expect(epoch.deadline == 2_200_000)
        #expect(epoch.flush()?.realMicroseconds == 2_000_000)
        #expect(epoch.flush() == nil)
    }

    /// bug-duplicate-events: 50 ms are one moment, the same place later is none.
    @Test func theSamePlaceASecondLaterIsNoDuplicate() {
        var epoch = FixEpoch()
        var delivered = 0
        for real in [0, 0, 20_000, 1_000_000] as [Int64] {
            delivered +=
                epoch.add(
                    fix(
                        real: 1_781_254_800_000_000 + real, boot: real, accuracy: 3, speed: 1, vertical: 4,
                        speedAccuracy: 1)
                ).count
        }
        #expect(delivered == 2)
    }

    /// bug-leap-second: gpsd gives 23:59:60 the same Unix time as the second after it.
    @Test func aLeapSecondAndTheSecondAfterItAreTwoMoments() {
        let midnight: Int64 = 1_483_228_800_000_000
        func complete(_ real: Int64, _ boot: Int64) -> Fix {
            fix(real: real, boot: boot, accuracy: 3, speed: 1, vertical: 4, speedAccuracy: 1)
        }
        var epoch = FixEpoch()
        var delivered: [Int64] = []
        for (real, boot) in [(-1_000_000, 0), (0, 1_000_000), (0, 1_050_000), (0, 2_000_000), (1_000_000, 3_000_000)]
            as [(Int64, Int64)]
        {
            delivered += epoch.add(complete(midnight + real, boot)).map(\.bootMicroseconds)
        }
        #expect(delivered == [0, 1_000_000, 2_000_000, 3_000_000])
        // Incomplete ones, whose deadline nobody kept, are not merged either.
        epoch = FixEpoch()
        #expect(epoch.add(fix(real: midnight, boot: 0)).isEmpty)
        #expect(epoch.add(fix(real: midnight, boot: 1_000_000)).map(\.bootMicroseconds) == [0])
        #expect(epoch.flush()?.bootMicroseconds == 1_000_000)
        // At any other time of the day equal times are one moment, however late the second report.
        epoch = FixEpoch()
        #expect(epoch.add(complete(midnight + 5_000_000, 0)).count == 1)
        #expect(epoch.add(complete(midnight + 5_000_000, 900_000)).isEmpty)
    }

    @Test func reportsWithoutAnyTimeAreOneFixForEachPlace() {
        var epoch = FixEpoch()
        #expect(epoch.add(fix(real: 0, boot: 1_000_000, latitude: 47)).isEmpty)
        #expect(epoch.add(fix(real: 0, boot: 1_050_000, latitude: 47)).isEmpty)
        #expect(epoch.add(fix(real: 0, boot: 2_000_000, latitude: 47)).count == 1)
        #expect(epoch.add(fix(real: 0, boot: 2_050_000, latitude: 48)).count == 1)
        #expect(epoch.flush()?.latitude == 48)
    }

    @Test func aNewConnectionStartsAnew() {
        var epoch = FixEpoch()
        let complete = fix(real: 5_000_000, boot: 0, accuracy: 3, speed: 1, vertical: 4, speedAccuracy: 1)
        #expect(epoch.add(complete).count == 1)
        epoch.reset()
        #expect(epoch.add(complete).count == 1)
    }

    // MARK: - Silence

    @Test func aSourceIsLostAfterFivePeriodsOrFiveSeconds() {
        let second: Int64 = 1_000_000
        var watch = SilenceWatch(now: 0, patience: 5 * second, grace: 15 * second)
        #expect(watch.deadline == 15 * second)
        watch.heard(at: second)
        #expect(watch.deadline == 16 * second)
        watch.heard(at: 2 * second)
        #expect(watch.deadline == 7 * second)
        // Another report of the same moment.
        watch.heard(at: 2 * second + 20_000)
        #expect(watch.deadline == 7 * second + 20_000)
        var slow = SilenceWatch(now: 0, patience: 5 * second, grace: 15 * second)
        for time in [10, 20, 30] as [Int64] { slow.heard(at: time * second) }
        #expect(slow.deadline == 80 * second)
        slow.resumed(at: 500 * second)
        #expect(slow.deadline == 515 * second)
    }

    // MARK: - Reports

    @Test func aReportWithoutPositionIsNoFix() {
        var report = GpsdReport()
        #expect(report.fix(bootMicroseconds: 0) == nil)
        report.mode = 3
        #expect(report.fix(bootMicroseconds: 0) == nil)
        report.latitude = 0
        report.longitude = 0
        #expect(report.fix(bootMicroseconds: 0) != nil)
        report.mode = 1
        #expect(report.fix(bootMicroseconds: 0) == nil)
    }

    @Test func aNegativeErrorStaysNegativeForTheValidator() {
        var report = GpsdReport()
        report.mode = 2
        report.latitude = 1
        report.longitude = 2
        report.horizontalError = -5
        report.verticalError = -5
        report.speed = -2
        let fix = report.fix(bootMicroseconds: 0)
        #expect((fix?.horizontalAccuracy ?? 0) < 0)
        #expect(fix?.verticalAccuracy == -1)
        #expect(fix?.speed == -1)
    }
}
