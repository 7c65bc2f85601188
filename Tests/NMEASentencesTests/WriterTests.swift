import LocateMeModel
import Testing

@testable import NMEASentences

@Suite struct WriterTests {
    /// Sentences of plugins of a chart plotter that once wrote a minus sign with an E.
    @Test(
        "bug-hdg-out-west-variation: no minus sign, the letter is the side, 359.96 is 0.0",
        arguments: [
            (12.04, -13.86, "$HCHDG,12.0,,,13.9,W*33", "$HCHDT,358.2,T*25"),
            (359.96, 2.0, "$HCHDG,0.0,,,2.0,E*2B", "$HCHDT,2.0,T*2B"),
            (200, 0.0, "$HCHDG,200.0,,,0.0,E*2B", "$HCHDT,200.0,T*2B"),
        ])
    func headings(magnetic: Double, variation: Double, sentence: String, trueSentence: String) {
        let direction = MagneticDirection(degrees: magnetic)
        let east = MagneticVariation(degreesEast: variation)
        #expect(NMEAWriter.compass.magneticWithVariation(direction, east) == sentence + "\r\n")
        #expect(NMEAWriter.compass.trueNorth(direction.corrected(by: east)) == trueSentence + "\r\n")
        // The deviation has its own side, and stands before the variation.
        let west = MagneticVariation(degreesEast: -1.26)
        let full = NMEAWriter.compass.magneticWithVariation(direction, deviation: west, east)
        #expect(full.hasPrefix(sentence.split(separator: ",,")[0] + ",1.3,W,"))
    }

    @Test(
        "bug-heading-out-of-range: directions are in [0, 360), never −0",
        arguments: [(350.0, 15.0, 5.0), (5, -15, 350), (359.96, 0.04, 0), (0, -0.0, 0)])
    func wrapped(magnetic: Double, variation: Double, expected: Double) {
        let direction = MagneticDirection(degrees: magnetic).corrected(by: MagneticVariation(degreesEast: variation))
        #expect(abs(direction.degrees - expected) < 1e-9 && direction.degrees.sign == .plus)
        #expect(TrueDirection(degrees: -30).degrees == 330)
        #expect(NMEAWriter.compass.trueNorth(TrueDirection(degrees: 359.97)) == "$HCHDT,0.0,T*29\r\n")
    }

    @Test("What is written is read again")
    func roundTrip() throws {
        var fix = Fix(
            realMicroseconds: 1_781_260_530_250_000, bootMicroseconds: 0, latitude: -0.999_999_999, longitude: -179.5,
            horizontalAccuracy: 3)
        (fix.altitude, fix.ellipsoidalAltitude, fix.verticalAccuracy) = (-4.25, 42.5, 5)
        (fix.speed, fix.course, fix.satellites) = (12.5, 359.97, 7)
        let writer = NMEAWriter.receiver
        let text =
            writer.fixData(fix) + writer.recommendedMinimum(fix) + writer.geographicPosition(fix)
            + writer.velocity(fix) + writer.date(realMicroseconds: fix.realMicroseconds)
        let read = NMEA.fixes(text)
        #expect(read.count == 1)
        #expect(read[0].latitude == -1 && abs(read[0].longitude + 179.5) < 1e-9)
        #expect(abs(read[0].altitude + 4.3) < 0.051 && abs(read[0].speed - 12.5) < 0.01 && read[0].course == 0)
        #expect(read[0].realMicroseconds == fix.realMicroseconds && read[0].satellites == 7)
        var decoder = NMEADecoder()
        #expect(NMEA.sentences(Array(text.utf8), &decoder).count == 5 && decoder.dropped == 0)
    }

    @Test("Unknown members are empty fields, and no sentence is longer than the standard's 82 bytes")
    func unknowns() {
        let fix = Fix(
            realMicroseconds: 0, bootMicroseconds: 0, latitude: 51.5, longitude: 10, horizontalAccuracy: 3)
        let writer = NMEAWriter.receiver
        let sentences = [writer.recommendedMinimum(fix), writer.fixData(fix), writer.velocity(fix)]
        #expect(sentences[0].hasPrefix("$GNRMC,,A,5130.00000,N,01000.00000,E,,,,,,A*"))
        #expect(sentences.allSatisfy { $0.utf8.count <= 82 })
        #expect(writer.trueWithStatus(nil).hasPrefix("$GNTHS,,V*"))
        #expect(NMEAWriter(talker: "hc") == nil && NMEAWriter(talker: "HCX") == nil)
        #expect(writer.turnRate(degreesPerMinute: -35.62).hasPrefix("$GNROT,-35.6,A*"))
    }
}
