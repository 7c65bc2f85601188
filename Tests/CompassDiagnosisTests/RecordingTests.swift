import CompassDiagnosis
import Foundation
import Geometry
import LocateMeModel
import TestSupport
import Testing

/// Real devices whose axes are known to be right, since their headings agree with optical truth.
struct RecordingTests {
    /// The recordings that are shipped; with `LOCATEME_RECORDINGS` in the environment those of that folder as well.
    static let files: [String] = {
        var files = ["data/recordings", "Tests/Recordings"].flatMap { folder(Repository.file($0).path) }
        if let more = ProcessInfo.processInfo.environment["LOCATEME_RECORDINGS"] { files += folder(more) }
        return files
    }()

    private static func folder(_ path: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0.hasSuffix(".lmrec.gz") }
            .sorted().map { "\(path)/\($0)" }
    }

    @Test(arguments: files)
    func `A device that is right is found right, in the hand, in a pocket and beside magnets`(file: String) throws {
        let (all, fix) = try Samples.recording(file)
        // As fast as the service asks for them.
        let samples = Samples.thinned(all, hertz: 50)
        // Grenoble in June 2016 (World Magnetic Model 2015), where those with a place were made.
        let field = fix.map { _ in
            EarthField(declination: 1.5, declinationAccuracy: 0.5, horizontal: 22.9, down: 41.3)
        }
        let (health, context) = Samples.health(samples, earthField: field)
        var codes = health.findings(context).map(\.code)
        let judgement = health.axes.judgement(inclination: field == nil ? .nan : 61)
        let name = file.split(separator: "/").last ?? ""
        if ProcessInfo.processInfo.environment["LOCATEME_RECORDINGS"] != nil {
            let text = judgement.map {
                "\($0.remainder) next \($0.nextRemainder) \($0.agrees ? "agrees" : AxisTurn.text($0.matrix))"
            }
            print("survey \(name) pairs \(health.axes.count) \(text ?? "-") \(codes)")
        }
        // Indoors and beside the magnets of an experiment the field is not the earth's.
        codes.removeAll { $0 == "magnet-nearby" && field != nil }
        codes.removeAll { $0 == "calibration-missing" }
        #expect(codes.isEmpty, "\(name): \(codes)")
        #expect(judgement?.agrees != false)
    }
}
