import LocateMeModel
import LocationEngine
import Testing

@testable import NMEASentences

/// Sentences of one moment become one fix.
@Suite struct EpochTests {
    private func time(_ fix: Fix) -> String { UTCDate(realMicroseconds: fix.realMicroseconds).iso8601 }

    @Test("Bar 4: one second of GGA, GSA and RMC is one fix, with 10.6 m at 68 % for a dilution of 0.9")
    func oneSecond() {
        let fixes = NMEA.fixes(
            NMEA.lines(
                "GPGGA,190000.00,5147.946,N,01036.936,E,1,08,0.9,812.4,M,47.2,M,,",
                "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.60,0.90,1.30",
                "GPRMC,190000.00,A,5147.946,N,01036.936,E,16.0,54.7,120626,,,A"))
        #expect(fixes.count == 1)
        #expect(abs(fixes[0].horizontalAccuracy - 10.6) < 0.1)
        // gpsd's 23 m at 95 % for a vertical dilution of 1.
        #expect(abs(fixes[0].verticalAccuracy - 1.3 * 23 * 0.51) < 0.01)
    }

    @Test("bug-rmc-without-gga: the members of both")
    func bothSentences() {
        let fixes = NMEA.fixes(
            "$GPGGA,190000.00,5147.946,N,01036.936,E,1,08,0.9,812.4,M,47.2,M,,*6F\r\n"
                + "$GPRMC,190000.00,A,5147.946,N,01036.936,E,16.0,54.7,120626,,,A*52\r\n")
        #expect(fixes.count == 1)
        let fix = fixes[0]
        #expect(abs(fix.speed - 8.231) < 0.01 && fix.course == 54.7 && fix.altitude == 812.4)
        #expect(abs(fix.ellipsoidalAltitude - 859.6) < 1e-9 && fix.satellites == 8 && fix.source == "nmea")
        #expect(time(fix) == "2026-06-12T19:00:00.000000Z")
    }

    @Test("bug-one-epoch-many-talkers: the type decides, not the talker")
    func manyTalkers() {
        let text = """
            $GNGNS,094534.00,5147.94600,N,01036.93600,E,DAAN,23,0.82,85.6,45.0,,0000,V*22\r
            $GNGGA,094534.00,5147.94600,N,01036.93600,E,2,12,0.82,85.6,M,45.0,M,,0000*79\r
            $GNGSA,A,3,04,05,09,12,17,20,25,29,31,,,,1.41,0.82,1.15,1*0B\r
            $GNGSA,A,3,68,69,70,79,80,84,85,86,,,,,1.41,0.82,1.15,2*06\r
            $GPGSV,1,1,03,04,41,210,,05,19,077,40,29,63,142,44,1*55\r
            $GLGSV,1,1,02,68,22,301,31,69,58,012,36,1*70\r
            $GNGLL,5147.94600,N,01036.93600,E,094534.00,A,D*79\r
            $GNGST,094534.00,19,,,,1.2,1.3,2.1*4C\r
            $GNRMC,094534.00,A,5147.94600,N,01036.93600,E,0.012,,120626,,,D,V*18\r
            $GNVTG,,T,,M,0.012,N,0.022,K,D*3B\r

            """
        let fixes = NMEA.fixes(text)
        #expect(fixes.count == 1)
        #expect(fixes[0].altitude == 85.6 && fixes[0].satellites == 23 && fixes[0].correction == .differential)
        #expect(abs(fixes[0].speed - 0.006) < 0.002 && fixes[0].course == -1)
        // √(1.2² + 1.3²)
        #expect(abs(fixes[0].horizontalAccuracy - 1.769) < 0.001 && fixes[0].verticalAccuracy == 2.1)
    }

    @Test("bug-gst-lost-dots: an error stays in its moment, and never makes the place look better")
    func lostDots() {
        let text = """
            $GPRMC,171209.00,A,5147.946,N,01036.936,E,0.0,,120626,,,A*79\r
            $GPGGA,171209.00,5147.946,N,01036.936,E,1,08,0.9,812.4,M,47.2,M,,*6B\r
            $GPGST,171209.00,4.4,,,,33,5.8,71*7E\r
            $GPRMC,171210.00,A,5147.946,N,01036.936,E,0.0,,120626,,,A*71\r
            $GPGGA,171210.00,5147.946,N,01036.936,E,1,08,0.9,812.4,M,47.2,M,,*63\r
            $GPGST,171210.00,4.4,,,,3.3,5.8,7.1*76\r

            """
        let accuracies = NMEA.fixes(text).map(\.horizontalAccuracy)
        #expect(accuracies.count == 2)
        #expect(abs(accuracies[0] - 33.5) < 0.1 && abs(accuracies[1] - 6.7) < 0.4)
    }

    @Test("bug-rmc-no-fix-variants: void in all its shapes is no fix, and no date is learned from it")
    func noFix() {
        let text = """
            $GPRMC,,V,,,,,,,,,,N*53\r
            $GPRMC,140512.00,V,,,,,,,120626,,,N*7F\r
            $GPRMC,140513.00,V,0000.000,N,00000.000,E,0.0,0.0,120626,,,N*45\r
            $GPGGA,140513.00,0000.000,N,00000.000,E,0,00,99.9,0.0,M,0.0,M,,*66\r
            $GPGLL,0000.0000,N,00000.0000,E,140513.00,V,N*73\r
            $GPRMC,140514.00,A,0000.0000,N,00000.0000,E,0.0,0.0,050505,,,A*5E\r
            $GPGGA,140514.00,0000.0000,N,00000.0000,E,0,00,,,M,,M,,*76\r
            $GPGGA,,,,,,0,00,9999.00,,,,,,*48\r
            $GNGSA,A,1,,,,,,,,,,,,,9999.0,9999.0,9999.0*1E\r

            """
        let reports = NMEA.reports(Array(text.utf8))
        #expect(!reports.isEmpty && reports.allSatisfy { $0 == .noFix })
        let after = text + NMEA.line("GPGGA,140515.00,5147.946,N,01036.936,E,1,08,0.9,812.4,M,47.2,M,,")
        #expect(NMEA.fixes(after).map(\.realMicroseconds) == [0])
    }

    @Test("bug-rmc-status-d: a strange status counts where another sentence agrees, and not alone")
    func strangeStatus() {
        let text = """
            $GPRMC,110000.00,D,5147.9460000,N,01036.9360000,E,0.0,,120626,,,D*75\r
            $GPGGA,110000.00,5147.9460000,N,01036.9360000,E,4,08,0.9,812.4,M,47.2,M,,*62\r
            $GPRMC,110000.20,D,5147.9460000,N,01036.9360000,E,0.0,,120626,,,D*77\r
            $GPGGA,110000.20,5147.9460000,N,01036.9360000,E,4,08,0.9,812.4,M,47.2,M,,*60\r

            """
        let fixes = NMEA.fixes(text)
        #expect(fixes.map(\.correction) == [.realTimeKinematic, .realTimeKinematic])
        #expect(fixes.map(time) == ["2026-06-12T11:00:00.000000Z", "2026-06-12T11:00:00.200000Z"])
        #expect(NMEA.fixes(NMEA.line("GPRMC,110000.00,D,5147.946,N,01036.936,E,0.0,,120626,,,D")) == [])
    }

    @Test("bug-time-without-fraction-and-with: the fraction may have any length")
    func fractions() {
        let text = """
            $GPRMC,160001,A,5147.946,N,01036.936,E,0.0,,120626,,,A*5D\r
            $GPRMC,160002.5,A,5147.946,N,01036.936,E,0.0,,120626,,,A*45\r
            $GPRMC,160003.120,A,5147.946,N,01036.936,E,0.0,,120626,,,A*42\r

            """
        #expect(
            NMEA.fixes(text).map { String(time($0).dropFirst(11).dropLast(4)) }
                == ["16:00:01.000", "16:00:02.500", "16:00:03.120"])
    }

    @Test("bug-leap-second: three moments, and none goes back")
    func leapSecond() {
        let text = """
            $GPRMC,235959.00,A,5147.946,N,01036.936,E,0.0,,311216,,,A*73\r
            $GPRMC,235960.00,A,5147.946,N,01036.936,E,0.0,,311216,,,A*79\r
            $GPRMC,000000.00,A,5147.946,N,01036.936,E,0.0,,010117,,,A*72\r

            """
        #expect(
            NMEA.fixes(text).map(time) == [
                "2016-12-31T23:59:59.000000Z", "2016-12-31T23:59:59.900000Z", "2017-01-01T00:00:00.000000Z",
            ])
    }

    @Test("bug-vtg-and-standing-course: below 0.5 m/s there is no course once the fix is validated")
    func standing() {
        let text = (0..<8).map { index in
            NMEA.line("GPRMC,23000\(index).00,A,5147.946,N,01036.936,E,0.\(2 + index % 6),\(index * 45).0,120626,,,A")
        }.joined()
        var validator = FixValidator(parameters: .init(earliestClock: 0))
        let clock = ClockReading(realMicroseconds: 1_781_305_210_000_000, bootMicroseconds: 1, isSynchronized: true)
        let fixes = NMEA.fixes(text).compactMap { validator.validate($0, at: clock).fix }
        #expect(fixes.count == 8 && fixes.allSatisfy { $0.course == -1 && $0.speed < 0.4 })
    }

    // MARK: - Dates

    @Test("Places without a date wait for one, which then counts for them, also over midnight")
    func dateComesLater() {
        let text = NMEA.lines(
            "GPGGA,235958.00,5147.946,N,01036.936,E,1,08,0.9,812.4,M,47.2,M,,",
            "GPGGA,235959.00,5147.946,N,01036.936,E,1,08,0.9,812.4,M,47.2,M,,",
            "GPGGA,000000.00,5147.946,N,01036.936,E,1,08,0.9,812.4,M,47.2,M,,", "GPZDA,000000.00,01,03,2024,00,00",
            "GPGGA,000001.00,5147.946,N,01036.936,E,1,08,0.9,812.4,M,47.2,M,,")
        #expect(
            NMEA.fixes(text).map { String(time($0).prefix(19)) } == [
                "2024-02-29T23:59:58", "2024-02-29T23:59:59", "2024-03-01T00:00:00", "2024-03-01T00:00:01",
            ])
    }

    @Test("A receiver that never says the date gives places without one after ten seconds")
    func noDateAtAll() {
        var assembler = NMEAEpochAssembler()
        func second(_ index: Int) -> NMEASentence {
            NMEA.sentences(
                NMEA.line(
                    "GPGGA,1200\(index < 10 ? "0" : "")\(index).00,5147.946,N,01036.936,E,1,08,0.9,8.4,M,47.2,M,,"))[0]
        }
        for index in 0..<10 {
            assembler.take(second(index), bootMicroseconds: Int64(index) * 1_000_000)
            #expect(assembler.next() == nil)
        }
        assembler.expire(bootMicroseconds: 10_000_000)
        var count = 0
        while case .fix(let fix) = assembler.next() {
            #expect(fix.realMicroseconds == 0)
            count += 1
        }
        #expect(count == 10)
        assembler.take(second(10), bootMicroseconds: 10_300_000)
        #expect(assembler.next() != nil)
    }

    @Test("Years of two digits from 80 are of the last century")
    func years() {
        let text = NMEA.lines(
            "GPRMC,120000.00,A,5147.946,N,01036.936,E,0.0,,210899,,,A",
            "GPRMC,120001.00,A,5147.946,N,01036.936,E,0.0,,300587,,,A",
            "GPRMC,120002.00,A,5147.946,N,01036.936,E,0.0,,291226,,,A")
        #expect(NMEA.fixes(text).map { String(time($0).prefix(10)) } == ["1999-08-21", "1987-05-30", "2026-12-29"])
    }

    // MARK: - When it goes out

    private func feed(
        _ assembler: inout NMEAEpochAssembler, _ body: String, at boot: Int64
    ) -> [NMEAEpochAssembler.Report] {
        for sentence in NMEA.sentences(NMEA.line(body)) { assembler.take(sentence, bootMicroseconds: boot) }
        return drain(&assembler)
    }

    private func drain(_ assembler: inout NMEAEpochAssembler) -> [NMEAEpochAssembler.Report] {
        var reports: [NMEAEpochAssembler.Report] = []
        while let report = assembler.next() { reports.append(report) }
        return reports
    }

    private func cycle(_ second: Int) -> [String] {
        let time = "12000\(second).00"
        return [
            "GPGGA,\(time),5147.946,N,01036.936,E,1,08,0.9,812.4,M,47.2,M,,",
            "GPGSA,A,3,01,02,03,04,05,06,07,08,,,,,1.60,0.90,1.30",
            "GPRMC,\(time),A,5147.946,N,01036.936,E,16.0,54.7,120626,,,A",
        ]
    }

    @Test("The first fixes go out 200 ms after their first sentence, later ones with the last of the learned cycle")
    func cycleIsLearned() {
        var assembler = NMEAEpochAssembler()
        for second in 0..<4 {
            let start = Int64(second) * 1_000_000
            var reports: [NMEAEpochAssembler.Report] = []
            for (index, body) in cycle(second).enumerated() {
                reports += feed(&assembler, body, at: start + Int64(index) * 10_000)
                #expect(index == 2 || reports.isEmpty)
            }
            if second < 3 {
                // Two complete cycles, and the beginning of the third ends the second.
                if reports.isEmpty {
                    #expect(assembler.deadline == start + 200_000)
                    assembler.expire(bootMicroseconds: start + 200_000)
                    reports = drain(&assembler)
                }
            }
            #expect(reports.count == 1, "second \(second)")
            #expect(assembler.deadline == nil)
        }
    }

    @Test("A sentence that comes when its fix has gone out changes nothing, and the cycle is learned anew")
    func lateSentence() {
        var assembler = NMEAEpochAssembler()
        for second in 0..<3 {
            for body in cycle(second) { _ = feed(&assembler, body, at: Int64(second) * 1_000_000) }
        }
        for body in cycle(3) { _ = feed(&assembler, body, at: 3_000_000) }
        #expect(feed(&assembler, "GPGST,120003.00,4.4,,,,3.3,5.8,7.1", at: 3_010_000) == [])
        for body in cycle(4) { #expect(feed(&assembler, body, at: 4_000_000) == []) }
        let reports = feed(&assembler, "GPGST,120004.00,4.4,,,,3.3,5.8,7.1", at: 4_010_000)
        #expect(reports == [])
        assembler.expire(bootMicroseconds: 4_200_000)
        guard case .fix(let fix) = drain(&assembler).first else {
            Issue.record("no fix")
            return
        }
        #expect(abs(fix.horizontalAccuracy - 6.67) < 0.01)
    }

    @Test("On a slow line the fix waits for the speed that the receiver is known to send")
    func slowLine() {
        var assembler = NMEAEpochAssembler()
        func second(_ index: Int) -> (early: String, late: String) { (cycle(index)[0], cycle(index)[2]) }
        _ = feed(&assembler, second(0).early, at: 0)
        #expect(assembler.deadline == 200_000)
        assembler.expire(bootMicroseconds: 200_000)
        _ = feed(&assembler, second(0).late, at: 600_000)
        _ = feed(&assembler, second(1).early, at: 1_000_000)
        #expect(assembler.deadline == 1_900_000)
        _ = feed(&assembler, second(1).late, at: 1_600_000)
        let reports = feed(&assembler, second(2).early, at: 2_000_000)
        guard case .fix(let fix) = reports.last else {
            Issue.record("\(reports)")
            return
        }
        #expect(abs(fix.speed - 8.231) < 0.01 && fix.altitude == 812.4)
    }

    @Test("A step back of the receiver's time does not stop it")
    func backward() {
        let text =
            [1, 2, 3].map { cycle($0)[2] }.map(NMEA.line).joined() + NMEA.line(cycle(0)[2]) + NMEA.line(cycle(4)[2])
        #expect(NMEA.fixes(text).count == 5)
    }

    @Test("Altitude without a third dimension is none; corrected, simulated and typed places say so")
    func qualities() {
        let body = "GPGGA,120000.00,5147.946,N,01036.936,E,%,08,0.9,812.4,M,47.2,M,,"
        func fix(_ quality: String) -> Fix? {
            NMEA.fixes(NMEA.line(body.replacing("%", with: quality))).first
        }
        #expect(fix("0") == nil)
        #expect(fix("2")?.correction == .differential && fix("5")?.correction == .realTimeKinematic)
        #expect(fix("6")?.flags == .deadReckoned && fix("7")?.flags == .fixed && fix("8")?.flags == .simulated)
        let flat = NMEA.fixes(
            NMEA.line(body.replacing("%", with: "1")) + NMEA.line("GPGSA,A,2,01,02,03,,,,,,,,,,2.60,0.90,1.30"))
        #expect(flat.first?.verticalAccuracy == -1)
        #expect(abs((fix("2")?.horizontalAccuracy ?? 0) - 0.9 * 4.75 * 0.619) < 1e-9)
    }

    @Test("Course and speed come from VTG where RMC is not sent")
    func velocitySentence() {
        let text = NMEA.lines(
            "GPGGA,120000.00,5147.946,N,01036.936,E,1,08,0.9,8.4,M,47.2,M,,", "GPVTG,054.7,T,034.4,M,005.5,N,010.2,K")
        let fix = NMEA.fixes(text)[0]
        #expect(fix.course == 54.7 && abs(fix.speed - 5.5 * 1852 / 3600) < 1e-9)
    }
}
