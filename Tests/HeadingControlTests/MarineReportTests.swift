import Geometry
import LocateMeModel
import NMEASentences
import Testing

@testable import HeadingControl

struct MarineReportTests {
    private func report() -> MarineReport {
        var heading = Heading(
            realMicroseconds: 1_700_000_000_250_000, bootMicroseconds: 5, magnetic: 123.44, trueHeading: 126.54,
            accuracy: 6,
            field: .zero, orientation: .portrait, calibration: .good, source: .fused9)
        heading.declination = 3.1
        heading.turnRate = -2.5
        heading.pitch = 90
        heading.roll = -45
        return MarineReport(heading: heading, fix: nil)
    }

    /// Fields as NMEA 0183 defines them: HDG magnetic, deviation (none is left), variation; HDM magnetic; HDT true; ROT
    /// degrees a minute. Checksums were computed by hand: the exclusive or of the bytes between $ and *.
    @Test(arguments: [
        (MarineSentence.hdg, "$HCHDG,123.4,0.0,E,3.1,E"), (.hdm, "$HCHDM,123.4,M"), (.hdt, "$HCHDT,126.5,T"),
        (.ths, "$HCTHS,126.5,A"), (.rot, "$HCROT,-150.0,A"), (.rmc, ""), (.gga, ""),
    ])
    func `A heading becomes sentences, each of its own north`(kind: MarineSentence, expected: String) {
        let text = report().text(kind)
        guard !expected.isEmpty else {
            #expect(text.isEmpty)
            return
        }
        let sum = expected.utf8.dropFirst().reduce(0, ^)
        let digits = String(sum, radix: 16, uppercase: true)
        #expect(text == "\(expected)*\(digits.count < 2 ? "0" : "")\(digits)\r\n")
    }

    @Test(arguments: MarineSentence.allCases)
    func `What is not valid is not written`(kind: MarineSentence) {
        var invalid = report()
        invalid.heading?.accuracy = -1
        let text = invalid.text(kind)
        if kind == .ths { #expect(text.hasPrefix("$HCTHS,,V*")) } else if kind != .rot { #expect(text.isEmpty) }
        #expect(MarineReport().text(kind).isEmpty == (kind != .ths))
    }

    @Test func `A Signal K delta has radians, the paths of its data model, and one update`() {
        // 123.44° = 2.154434 rad, 126.54° = 2.208540 rad, 3.1° = 0.054105 rad, −2.5°/s = −0.043633 rad/s.
        let text = report().delta(withHeading: true, withPlace: true)
        #expect(text.hasSuffix("\n"))
        #expect(text.hasPrefix(#"{"context":"vessels.self","updates":[{"source":{"label":"locateme"},"#))
        #expect(text.contains(#""timestamp":"2023-11-14T22:13:20.250Z""#))
        for part in [
            #"{"path":"navigation.headingMagnetic","value":2.154434}"#,
            #"{"path":"navigation.headingTrue","value":2.20854}"#,
            #"{"path":"navigation.magneticVariation","value":0.054105}"#,
            #"{"path":"navigation.rateOfTurn","value":-0.043633}"#,
        ] { #expect(text.contains(part), "\(part) in \(text)") }
        #expect(!text.contains("navigation.position"))
        #expect(MarineReport().delta(withHeading: true, withPlace: true).isEmpty)
    }

    @Test(arguments: [
        ("-", SinkAddress.standardOutput), ("pty", .pseudoterminal(link: nil)),
        ("pty:/run/compass", .pseudoterminal(link: "/run/compass")),
        ("udp:192.0.2.255", .datagrams(host: "192.0.2.255", port: 10110)),
        ("udp:[2001:db8::1]:2000", .datagrams(host: "2001:db8::1", port: 2000)),
        ("tcp", .server(host: "localhost", port: 10110)), ("tcp:3858", .server(host: "localhost", port: 3858)),
        ("tcp:boat.lan:4000", .server(host: "boat.lan", port: 4000)),
    ])
    func `Addresses are read`(text: String, expected: SinkAddress) { #expect(SinkAddress(text) == expected) }

    @Test(arguments: [
        "", "pty:", "udp", "udp:", "udp::1", "tcp:host:0", "tcp:host:70000", "file:/x", "udp:[::1", "-:x",
    ])
    func `What is no address is refused`(text: String) { #expect(SinkAddress(text) == nil) }
}
