import Foundation
import Geometry
import MagnetometerCalibration
import Testing

@testable import HeadingControl

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite struct CalibrationPicturesTests {
    /// A tumble of 48 µT around a hard iron; `share` of the sphere from the pole on.
    func outcome(share: Double = 1, noise: Double = 0) throws -> RecordingCalibration.Outcome {
        var points: [Vector3] = []
        for step in 0..<600 {
            let phase = Double(step) / 600 * share
            let z = 1 - 2 * phase
            let radius = max(0, 1 - z * z).squareRoot()
            let angle = phase * 15 * 2 * Double.pi
            let wobble = Vector3(sin(Double(step) * 1.7), sin(Double(step) * 2.9), sin(Double(step) * 4.3)) * noise
            points.append(Vector3(-30, 12, 80) + Vector3(radius * cos(angle), radius * sin(angle), z) * 48 + wobble)
        }
        let fit = try CalibrationFitJob(points: points, expectedField: 48).run()
        return .init(fit: fit, rejection: fit.rejection(expectedField: 48), points: points, earthField: nil)
    }

    /// Every dot and label of the report lies inside it, and the file is XML.
    @Test(arguments: [(1.0, 0.0), (0.3, 0.0), (1.0, 20.0)])
    func theReportIsWellFormedAndNothingLiesOutside(share: Double, noise: Double) throws {
        let svg = CalibrationReport(outcome: try outcome(share: share, noise: noise), title: "A & B <phone>").svg
        let reader = Reader()
        let parser = XMLParser(data: Data(svg.utf8))
        parser.delegate = reader
        #expect(parser.parse())
        #expect(reader.dots > 600)
        #expect(reader.outside == 0)
        #expect(svg.contains("A &amp; B &lt;phone&gt;"))
        #expect(!svg.contains("nan"))
    }

    @Test func theReportSaysWhyAFitIsNotUsable() throws {
        let bad = try outcome(share: 0.3)
        let reason = try #require(bad.rejection)
        #expect(CalibrationReport(outcome: bad, title: "x").svg.contains(reason.sentence))
        #expect(CalibrationReport(outcome: try outcome(), title: "x").svg.contains("can be used"))
    }

    /// Full bins fill both discs, empty ones none: the ink of full cells appears in one and not in the other.
    @Test func theGlobeShowsWhatIsCovered() {
        func count(_ bins: [Double], _ ink: Ink) -> Int {
            CoverageGlobe.lines(bins: bins, size: 10, unicode: true).reduce(0) { sum, line in
                sum + line.spans.filter { $0.ink == ink }.reduce(0) { $0 + $1.text.count }
            }
        }
        let none = [Double](repeating: 0, count: 100)
        let all = [Double](repeating: 1, count: 100)
        let screenSide = (0..<100).map { $0 / 10 >= 5 ? 1.0 : 0.0 }
        #expect(count(none, .good) == 0)
        #expect(count(all, .good) > 100)
        // Half of the sphere is half of the dots: the two discs have equal areas.
        #expect(abs(Double(count(screenSide, .good)) / Double(count(all, .good)) - 0.5) < 0.02)
    }

    @Test(arguments: [4, 8, 12])
    func theGlobeHasTheSizeItWasAskedFor(size: Int) {
        for unicode in [true, false] {
            let lines = CoverageGlobe.lines(bins: [], size: size, unicode: unicode)
            #expect(lines.count == size + 1)
            #expect(lines.allSatisfy { $0.columns == size * 4 + 4 })
        }
    }

    private final class Reader: NSObject, XMLParserDelegate {
        var dots = 0
        var outside = 0

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            guard name == "circle" || name == "text" else { return }
            dots += name == "circle" ? 1 : 0
            let x = Double(attributes["cx"] ?? attributes["x"] ?? "") ?? -1
            let y = Double(attributes["cy"] ?? attributes["y"] ?? "") ?? -1
            if !(0...820).contains(x) || !(0...920).contains(y) { outside += 1 }
        }
    }
}
