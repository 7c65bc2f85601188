import LocateMeModel
import Testing

@testable import NMEASentences

/// What is a sentence and what is not. The addresses `bug-…` are those of inputs that broke other programs.
@Suite struct DecoderTests {
    private func decoder(after text: [UInt8], rule: NMEADecoder.ChecksumRule = .required) -> (NMEADecoder, Int) {
        var decoder = NMEADecoder(checksumRule: rule)
        let count = NMEA.sentences(text, &decoder).count
        return (decoder, count)
    }

    private static let good = "$GPRMC,220000.00,A,5147.946,N,01036.936,E,0.0,,120626,,,A*75\r\n"

    @Test("bug-one-digit-checksum: two hexadecimal digits, and no speed that no receiver measures")
    func oneDigitChecksum() {
        let text =
            "$GPRMC,114130,A,3841.8500,N,02712.0000,W,12195.6,341.5,120626,5,E,A*B\r\n"
            + "$GPRMC,114130,A,3841.8500,N,02712.0000,W,12195.6,341.5,120626,5,E,A*1B\r\n"
            + "$GPRMC,114132,A,3841.8500,N,02712.0000,W,4.1,341.5,120626,,,A*64\r\n"
        let (decoder, sentences) = decoder(after: Array(text.utf8))
        #expect(sentences == 1 && decoder.dropped == 2)
        #expect(decoder.count(of: .checksumMalformed) == 1 && decoder.count(of: .implausible) == 1)
        let fixes = NMEA.fixes(text)
        #expect(fixes.map(\.latitude) == [38.6975] && fixes.map(\.longitude) == [-27.2])
        #expect(UTCDate(realMicroseconds: fixes[0].realMicroseconds).iso8601 == "2026-06-12T11:41:32.000000Z")
    }

    @Test(
        "Checksums are two hexadecimal digits of either case and nothing after them",
        arguments: [
            ("*75\r\n", nil), ("*75 \r\n", nil), ("*7\r\n", .checksumMalformed), ("*755\r\n", .checksumMalformed),
            ("*7G\r\n", .checksumMalformed), ("*\r\n", .checksumMalformed), ("*74\r\n", .checksumWrong),
            ("\r\n", .checksumMissing), ("*75*75\r\n", .checksumMalformed), ("*75,\r\n", .checksumMalformed),
        ] as [(String, NMEADefect?)])
    func checksums(end: String, defect: NMEADefect?) {
        let (decoder, sentences) = decoder(after: Array(Self.good.utf8.dropLast(5)) + Array(end.utf8))
        #expect(sentences == (defect == nil ? 1 : 0))
        #expect(decoder.latestDefect == defect)
    }

    @Test("Lower-case digits of a checksum count")
    func lowerCase() {
        #expect(NMEA.sentences("$HEHDT,123.1,T*2e\r\n").count == 1)
    }

    @Test("bug-channel-without-any-checksum: dropped by default, taken where the source is set so")
    func withoutChecksum() {
        let text = "$GPRMC,101500,A,5147.946,N,01036.936,E,3.2,211.0,120626,,\r\n$HCHDM,214.5,M\r\n"
        let (decoder, sentences) = decoder(after: Array(text.utf8))
        #expect(sentences == 0 && decoder.count(of: .checksumMissing) == 2)
        #expect(NMEA.fixes(text, rule: .optional).count == 1)
        let taken = NMEA.sentences(text, rule: .optional)
        #expect(taken.last == .heading(.magnetic(MagneticDirection(degrees: 214.5), variation: nil)))
        // One that is there must be right all the same.
        #expect(NMEA.sentences("$HCHDM,214.5,M*00\r\n", rule: .optional).isEmpty)
    }

    @Test("bug-line-of-a-megabyte: passed over in bounded memory")
    func megabyte() {
        let noise = [UInt8](repeating: 0x41, count: 1 << 20)
        #expect(NMEA.fixes(noise + Array(("\r\n" + Self.good).utf8)).count == 1)
        let (decoder, sentences) = decoder(after: Array("$".utf8) + noise + Array(("\r\n" + Self.good).utf8))
        #expect(sentences == 1 && decoder.count(of: .tooLong) == 1)
    }

    @Test("bug-prefix-before-dollar: what a modem says around a sentence is no error")
    func prefix() {
        let text = "+GPSRD:$GPRMC,081530.00,A,5147.946,N,01036.936,E,0.0,,120626,,,A*7A\r\n\r\nOK\r\n"
        let (decoder, sentences) = decoder(after: Array(text.utf8))
        #expect(sentences == 1 && decoder.dropped == 0)
        let fix = NMEA.fixes(text)[0]
        #expect(abs(fix.latitude - 51.7991) < 1e-9 && abs(fix.longitude - 10.6156) < 1e-9)
        #expect(UTCDate(realMicroseconds: fix.realMicroseconds).iso8601 == "2026-06-12T08:15:30.000000Z")
    }

    @Test("TAG blocks before a sentence, and a second sentence on its line, are passed over and read")
    func severalOnALine() {
        let text = "\\s:r003669961,c:1120959341*78\\" + Self.good.dropLast() + "$HEHDT,123.6,T*29\r\n"
        #expect(NMEA.sentences(text).count == 2)
    }

    @Test("A sentence that the next one cuts off is dropped, the next is read")
    func cutOff() {
        let (decoder, sentences) = decoder(after: Array(("$GPGGA,0102" + Self.good).utf8))
        #expect(sentences == 1 && decoder.count(of: .cutOff) == 1)
    }

    @Test("NUL, control bytes and bytes above 126 end a sentence as damaged", arguments: [0, 1, 9, 27, 127, 128, 255])
    func strangeBytes(byte: UInt8) {
        let bytes = Array(Self.good.utf8)
        let (decoder, sentences) = decoder(after: bytes[..<20] + [byte] + bytes[20...] + bytes)
        #expect(sentences == 1 && decoder.count(of: .strangeByte) == 1)
    }

    @Test("bug-truncated-but-checksum-fits: fields are checked one by one")
    func truncated() {
        let (decoder, sentences) = decoder(after: Array("$GPGGA,201019.00,5147.94600,N,1,-25.6,M,,*61\r\n".utf8))
        #expect(sentences == 0 && decoder.dropped == 1)
    }

    @Test(
        "Sentences whose fields were shifted or damaged under a right checksum are dropped",
        arguments: [
            "GPRMC,220000.00,A,5147.946,01036.936,E,0.0,,120626,,,A",
            "GPRMC,220000.00,A,N,5147.946,E,01036.936,0.0,,120626,,,A",
            "GPRMC,2200.00,A,5147.946,N,01036.936,E,0.0,,120626,,,A",
            "GPRMC,220000.00,A,5147.946,N,01036.936,E,0.0,,320626,,,A",
            "GPRMC,220000.00,A,5147.946,N,01036.936,E,0.0,,121326,,,A",
            "GPRMC,220000.00,A,5147.946,N,01036.936,E,0.0,,290226,,,A",
            "GPRMC,220000.00,A,5147.9.6,N,01036.936,E,0.0,,120626,,,A",
            "GPRMC,220000.00,A,5147.946,N,,,0.0,,120626,,,A",
            "GPRMC,220000.00,A,5147,946,N,01036,936,E,0.0,,120626,,,A",
            "GPRMC,220000.00,A,5147.946,N,01036.936,E,-3.0,,120626,,,A",
            "GPRMC,220000.00,A,5147.946,N,01036.936,E,1e3,,120626,,,A",
            "GPRMC,220000.00,A,5147.946,N,01036.936,E,nan,,120626,,,A",
            "GPGGA,220000.00,5147.946,N,01036.936,E,A,08,0.9,812.4,M,47.2,M,,",
            "GPGGA,220000.00,5147.946,N,01036.936,E,1,08,0.9,M,812.4,M,47.2,,",
            "GPGGA,220000.00,5147.946,N,01036.936,E,10,08,0.9,812.4,M,47.2,M,,",
            "GPGLL,5147.946,N,18000.001,E,220000.00,A,A", "GPGLL,5147.946,N,01060.000,E,220000.00,A,A",
            "GPGLL,5147.946,N,01036.936", "GPVTG,12.0,M,11.0,T,3.0,K,5.6,N,A", "GPHDT,123.4,M", "GPHDM,123.4,T",
            "GPHDT,360.1,T", "GPHDT,-1.0,T", "HCHDG,12.0,1.0,X,2.0,E", "HCHDG,12.0,1.0,,2.0,E", "HCHDG,12.0",
            "HCHDG,12.0,-1.0,W,2.0,E", "gprmc,220000.00,A,5147.946,N,01036.936,E,0.0,,120626,,,A",
        ])
    func damaged(body: String) {
        var decoder = NMEADecoder()
        #expect(NMEA.sentences(Array(NMEA.line(body).utf8), &decoder).isEmpty)
        #expect(decoder.dropped == 1)
    }

    @Test("bug-ddmm-traps: sign from the letter, degrees before the last two whole digits, minutes below 60")
    func degreesAndMinutes() {
        let text = """
            $GPGLL,0059.9300,N,00059.9300,W,170000.00,A,A*7D\r
            $GPGLL,0030.0000,S,159.9328,E,170001.00,A,A*7D\r
            $GPGLL,5181.4808,N,01036.9360,E,170002.00,A,A*6C\r
            $GPGLL,9100.0000,N,01036.9360,E,170003.00,A,A*6C\r
            $GPGLL,-3352.1000,N,01036.9360,E,170004.00,A,A*48\r

            """
        let places = NMEA.sentences(text).compactMap { sentence -> [Double]? in
            guard case .position(let position) = sentence else { return nil }
            return [position.latitude, position.longitude]
        }
        #expect(places.count == 2)
        let expected = [[59.93 / 60, -59.93 / 60], [-0.5, 1 + 59.9328 / 60]]
        for (place, right) in zip(places, expected) {
            #expect(zip(place, right).allSatisfy { abs($0 - $1) < 1e-12 })
        }
        #expect(abs(places[0][0] - 0.99883) < 1e-5 && abs(places[1][1] - 1.99888) < 1e-5)
    }

    @Test("bug-heading-talkers: the type decides, the mode can void it")
    func headings() {
        let text = """
            $IIHDT,123.4,T*26\r
            $HEHDT,123.6,T*29\r
            $GPHDT,,T*1B\r
            $HCHDM,120.1,M*2B\r
            $GPTHS,123.5,A*32\r
            $GPTHS,99.0,V*10\r

            """
        #expect(NMEA.headings(text) == ["123.4 T", "123.6 T", "120.1 M", "123.5 T"])
    }

    @Test(
        "The deviation of HDG is added when it is to the east; the variation is left for the true heading",
        arguments: [
            ("HCHDG,101.1,,,7.1,W", 101.1, -7.1), ("HCHDG,10.0,2.5,E,3.0,E", 12.5, 3.0),
            ("HCHDG,1.0,2.5,W,3.0,W", 358.5, -3.0), ("HCHDG,359.0,2.0,E,0.0,", 1.0, 0.0),
            ("HCHDG,360.0,,,,", 0.0, nil),
        ] as [(String, Double, Double?)])
    func deviation(body: String, magnetic: Double, east: Double?) throws {
        let sentence = try #require(NMEA.sentences(NMEA.line(body)).first)
        guard case .heading(.magnetic(let direction, let variation)) = sentence else {
            Issue.record("read as \(sentence)")
            return
        }
        #expect(abs(direction.degrees - magnetic) < 1e-9 && variation?.degreesEast == east)
    }

    @Test("Simulated, typed and invalid true headings are no measurement", arguments: ["M", "S", "V", ""])
    func modesOfTrueHeading(mode: String) { #expect(NMEA.headings(NMEA.line("GPTHS,99.0,\(mode)")) == []) }

    @Test(
        "bug-leap-second: 23:59:60 is a time, 23:59:61 and 24:00:00 are none",
        arguments: [
            ("235959.00", "23:59:59.000000"), ("235960.00", "23:59:59.900000"), ("235960.96", "23:59:59.980000"),
            ("000000.00", "00:00:00.000000"), ("160001", "16:00:01.000000"), ("160002.5", "16:00:02.500000"),
            ("160003.120", "16:00:03.120000"), ("160003.123456789123", "16:00:03.123456"), ("235961.00", nil),
            ("240000.00", nil), ("126000.00", nil), ("120060.00", nil), ("1200", nil), ("1200000", nil),
        ] as [(String, String?)])
    func times(field: String, expected: String?) {
        let fixes = NMEA.fixes(NMEA.line("GPRMC,\(field),A,5147.946,N,01036.936,E,0.0,,311216,,,A"))
        let time = fixes.first.map { UTCDate(realMicroseconds: $0.realMicroseconds).iso8601.dropFirst(11).dropLast() }
        #expect(time.map(String.init) == expected)
    }
}
