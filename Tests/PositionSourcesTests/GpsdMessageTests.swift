import LocateMeModel
import LocationEngine
import Testing

@testable import PositionSources

/// Messages in the form of gpsd 3.22, some of them its very output for the NMEA sentences that the test names.
@Suite struct GpsdMessageTests {
    private func decode(_ text: String) -> GpsdDecoder.Message {
        var decoder = GpsdDecoder()
        return decoder.decode(Array(text.utf8))
    }

    private func placed(_ text: String) -> Fix? {
        guard case .report(let report) = decode(text) else { return nil }
        return report.fix(bootMicroseconds: 1000)
    }

    static let complete = #"""
        {"class":"TPV","device":"/dev/pts/1","mode":3,"time":"2026-11-30T14:37:16.250Z","ept":0.005,"lat":39.739200000,"lon":-104.984525000,"altHAE":1591.0000,"altMSL":1609.0000,"alt":1609.0000,"epx":12.706,"epy":10.066,"epv":29.900,"track":90.0000,"magtrack":98.0081,"magvar":8.0,"speed":15.001,"climb":0.000,"epd":80.0,"eps":25.41,"epc":59.80,"geoidSep":-18.000,"eph":17.100,"sep":30.400}
        """#

    @Test func aCompleteReportGivesEveryMemberAt68Percent() throws {
        let fix = try #require(placed(Self.complete))
        #expect(
            [fix.latitude, fix.longitude, fix.altitude, fix.ellipsoidalAltitude] == [39.7392, -104.984525, 1609, 1591])
        #expect(fix.realMicroseconds == (UTCDate(iso8601: "2026-11-30T14:37:16.25Z")?.realMicroseconds ?? 0))
        #expect(fix.bootMicroseconds == 1000)
        // gpsd's 95 % for a dilution of 0.9; 10.6 ± 0.1 m at 68 %.
        #expect(abs(fix.horizontalAccuracy - 10.6) < 0.1)
        #expect(abs(fix.verticalAccuracy - 29.9 / 1.96) < 0.02)
        #expect(abs(fix.speedAccuracy - 25.41 / 1.96) < 0.02)
        #expect(abs(fix.courseAccuracy - 80 / 1.96) < 0.05)
        #expect(fix.speed == 15.001)
        #expect(fix.course == 90)
        #expect(fix.source == "gpsd")
        #expect(fix.flags == [])
    }

    /// bug-tpv-missing-members: every member is optional.
    @Test func missingMembersAreUnknown() throws {
        let first = try #require(
            placed(
                #"{"class":"TPV","device":"x","mode":2,"time":"2026-06-12T09:00:00.000Z","lat":47.4211,"lon":10.9853}"#)
        )
        #expect(first.horizontalAccuracy == 0)
        #expect(first.verticalAccuracy == -1)
        #expect(first.speed == -1)
        #expect(first.course == -1)
        let second = try #require(
            placed(#"{"class":"TPV","device":"x","mode":3,"lat":47.4211,"lon":10.9853,"alt":2650.0}"#))
        #expect(second.realMicroseconds == 0)
        #expect(
            decode(#"{"class":"TPV","device":"x","mode":1}"#)
                == .report(
                    {
                        var report = GpsdReport()
                        report.mode = 1
                        return report
                    }()) || placed(#"{"class":"TPV","device":"x","mode":1}"#) == nil)
        let fourth = try #require(
            placed(
                #"{"class":"TPV","mode":3,"time":"2026-06-12T09:00:02.000Z","lat":47.4211,"lon":10.9853,"altMSL":2649.1,"altHAE":2697.5,"eph":4.2}"#
            ))
        #expect(fourth.altitude == 2649.1)
        #expect(fourth.ellipsoidalAltitude == 2697.5)
        #expect(abs(fourth.horizontalAccuracy - 4.2 * 0.619) < 1e-9)
    }

    @Test(arguments: [
        #"{"class":"TPV","device":"x","mode":1,"time":"2026-06-12T09:00:00.000Z","ept":0.005}"#,
        #"{"class":"TPV","device":"x","mode":1,"lat":47.0,"lon":8.0}"#,
        #"{"class":"TPV","device":"x","mode":2}"#,
        #"{"class":"TPV","device":"x","mode":3,"lat":47.0}"#,
    ])
    func noFixIsReadFromTheModeNotFromTheNumbers(text: String) {
        guard case .report(let report) = decode(text) else {
            Issue.record("not a report: \(decode(text))")
            return
        }
        #expect(report.fix(bootMicroseconds: 0) == nil)
    }

    @Test func aMemberOfTheMessageBeforeDoesNotStay() throws {
        var decoder = GpsdDecoder()
        _ = decoder.decode(Array(Self.complete.utf8))
        guard
            case .report(let report) = decoder.decode(Array(#"{"class":"TPV","mode":2,"lat":1.5,"lon":2.5}"#.utf8)),
            let fix = report.fix(bootMicroseconds: 0)
        else {
            Issue.record("no fix")
            return
        }
        #expect([fix.latitude, fix.longitude, fix.horizontalAccuracy, fix.speed, fix.course] == [1.5, 2.5, 0, -1, -1])
        #expect(fix.realMicroseconds == 0)
        #expect(fix.verticalAccuracy == -1)
    }

    @Test func anAccuracyThatIsMissingComesFromTheSkyView() throws {
        var decoder = GpsdDecoder()
        let sky =
            #"{"class":"SKY","device":"x","hdop":0.90,"nSat":2,"uSat":1,"satellites":[{"PRN":1,"el":40.0,"az":83.0,"ss":46.0,"used":true},{"PRN":2,"el":17.0,"az":308.0,"ss":41.0,"used":false}]}"#
        #expect(decoder.decode(Array(sky.utf8)) == .other)
        guard case .report(let report) = decoder.decode(Array(#"{"class":"TPV","mode":2,"lat":1.5,"lon":2.5}"#.utf8))
        else {
            Issue.record("no report")
            return
        }
        let fix = try #require(report.fix(bootMicroseconds: 0))
        // As gpsd itself would: 0.9 · 19 m at 95 %.
        #expect(abs(fix.horizontalAccuracy - 10.6) < 0.1)
        #expect(fix.satellites == 1)
        let both = try #require(placed(#"{"class":"TPV","mode":2,"lat":1.5,"lon":2.5,"epx":3.0,"epy":4.0}"#))
        #expect(abs(both.horizontalAccuracy - 5 * 0.619) < 1e-9)
    }

    @Test(
        arguments: [
            (1, .none, []), (2, .differential, []), (3, .realTimeKinematic, []), (4, .realTimeKinematic, []),
            (5, .none, .deadReckoned), (8, .none, .simulated), (9, .differential, []),
        ] as [(Int, Fix.Correction, Fix.Flags)])
    func theStatusSaysHowTheFixWasMade(status: Int, correction: Fix.Correction, flags: Fix.Flags) throws {
        let fix = try #require(placed(#"{"class":"TPV","mode":3,"status":\#(status),"lat":1.5,"lon":2.5,"eph":1.0}"#))
        #expect(fix.correction == correction)
        #expect(fix.flags == flags)
    }

    @Test(arguments: [
        #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#,
        #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/pts/1","activated":"2026-11-30T14:37:17.629Z","native":0,"bps":4800,"parity":"N","stopbits":1,"cycle":1.00}]}"#,
        #"{"class":"DEVICES","devices":[]}"#,
        #"{"class":"DEVICE","path":"/dev/pts/1","driver":"NMEA0183","activated":"2026-11-30T14:37:18.069Z","native":0,"bps":4800,"parity":"N","stopbits":1,"cycle":1.00}"#,
        #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false,"timing":false,"split24":false,"pps":false}"#,
        #"{"class":"ATT","device":"/dev/pts/1","heading":91.500}"#,
        #"{"class":"SOMETHINGNEW","x":{},"y":[{"z":"\"}"}]}"#,
        // The receiver has said nothing about a fix yet.
        #"{"class":"TPV","device":"x","mode":0}"#,
    ])
    func otherMessagesAreNoReports(text: String) { #expect(decode(text) == .other) }

    @Test func aReceiverThatIsUnpluggedIsSeen() {
        #expect(decode(#"{"class":"DEVICE","path":"/dev/pts/1","activated":0}"#) == .deviceGone)
    }

    @Test(arguments: [
        "", "{", "{}", "}", "HTTP/1.1 400 Bad Request", "$GPRMC,220000.00,A,5147.946,N,01036.936,E,0.0,,120626,,,A*75",
        #"{"class":"TPV","mode":3,"lat":47.0,"lon":8."#, "{\"class\":\"TPV\",\"mode\":\u{0}3}", "[1,2]",

        // Texts from which libgps does not return.
        #"{9"class":"TPV","mode":1}"#, #"{:"class":"TPV","mode":3,"lat":39.7,"lon":-104.9}"#,
        #"{"class":"TPV","mode":1}{9"class":"TPV"}"#, #"{"class":"SKY","satellites":[{9"PRN":1}]}"#,
        #"{"class":"tpv","mode":1}"#, #"{"class":"","mode":1}"#, #"{"class":"TPV","a":"}"#, #"{"class":"TPV"]}"#,
        #"{"class":"TPV","mode":"#, #"{"lat":47.0,"lon":8.0}"#, #"{class:TPV}"#,
    ])
    func whatGpsdDoesNotSayIsGarbage(text: String) { #expect(decode(text) == .garbage) }

    /// libgps is a C parser: it must get through anything, and what it makes of it must pass the validator or be dropped.
    @Test(arguments: UInt64(1)...8)
    func damagedMessagesNeverCrashAndNeverGiveAPlaceOffTheEarth(seed: UInt64) {
        var random = SystemlessGenerator(state: seed)
        var decoder = GpsdDecoder()
        var validator = FixValidator(parameters: .init(earliestClock: 0))
        let clock = ClockReading(
            realMicroseconds: 1_796_049_436_000_000, bootMicroseconds: .max - 1, isSynchronized: true)
        let alphabet = Array(#"{}[]":,0123456789.-+eE"#.utf8) + [0, 9, 0x5c, 0xff]
        for _ in 0..<2000 {
            var bytes = Array(Self.complete.utf8)
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch random.next() % 3 {
                case 0: bytes[index] = alphabet.randomElement(using: &random) ?? 0
                case 1: bytes.insert(alphabet.randomElement(using: &random) ?? 0, at: index)
                default: bytes.removeSubrange(index..<min(bytes.count - 1, index + Int(random.next() % 40)))
                }
            }
            guard case .report(let report) = decoder.decode(bytes), let fix = report.fix(bootMicroseconds: 5) else {
                continue
            }
            guard let valid = validator.validate(fix, at: clock).fix else { continue }
            #expect(abs(valid.latitude) <= 90)
            #expect(valid.longitude >= -180 && valid.longitude < 180)
            #expect(valid.horizontalAccuracy > 0 && valid.horizontalAccuracy <= 20_000_000)
        }
    }
}

/// SplitMix64: the same numbers for the same seed.
struct SystemlessGenerator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
