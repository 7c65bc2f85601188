import Foundation
import Geometry
import HeadingEstimation
import LocateMeModel
import RecordingFiles
import SensorRecordings
import TestSupport
import Testing

/// Real sensors against optical truth. The bounds are targets set before the estimator was written (heading RMSE ≤ 2.4° with a
/// given field, ≤ 6.5° from a cold start in use, stated accuracy held by ≥ 93 % of the samples), not its own figures.
@Suite("Recorded chain")
struct RecordedChainTests {
    struct Outcome {
        var errors: [Double] = []
        var accuracies: [Double] = []
        var total = 0
        var rootMeanSquare: Double {
            (errors.reduce(0) { $0 + $1 * $1 } / Double(max(1, errors.count))).squareRoot()
        }
        var held: Double {
            Double(zip(errors, accuracies).filter { abs($0) <= $1 }.count) / Double(max(1, errors.count))
        }
    }

    /// Runs a recording; errors of the valid estimates that have a truth within 30 ms.
    private func run(_ name: String, fieldIsCalibrated: Bool, earthField: EarthField?) throws -> Outcome {
        let reader = try RecordingFileReader(path: Repository.file("Tests/Recordings/\(name)").path)
        var estimator = HeadingEstimator(fieldIsCalibrated: fieldIsCalibrated)
        estimator.setEarthField(earthField)
        var truths: [(time: Int64, attitude: Quaternion)] = []
        var estimates: [HeadingEstimate] = []
        while let record = try reader.next() {
            if case .truth(let attitude) = record.content { truths.append((record.microseconds, attitude)) }
            if let sample = record.sample, let estimate = estimator.update(sample) { estimates.append(estimate) }
        }
        var outcome = Outcome()
        var index = 0
        for estimate in estimates {
            while index + 1 < truths.count, truths[index + 1].time <= estimate.bootMicroseconds { index += 1 }
            guard index < truths.count, abs(truths[index].time - estimate.bootMicroseconds) < 30_000 else { continue }
            outcome.total += 1
            guard estimate.isValid else { continue }
            let difference = estimate.attitude * truths[index].attitude.conjugate
            outcome.errors.append(
                Angle.wrap180(2 * atan2(difference.z, difference.w) * Angle.degreesPerRadian))
            outcome.accuracies.append(estimate.accuracyDegrees)
        }
        return outcome
    }

    @Test("A calibrated IMU in fast translation: heading RMSE within 2.4°")
    func calibrated() throws {
        let outcome = try run("imu-fast-translation.lmrec.gz", fieldIsCalibrated: true, earthField: nil)
        #expect(outcome.total > 1000)
        #expect(Double(outcome.errors.count) > 0.9 * Double(outcome.total))
        #expect(outcome.rootMeanSquare < 2.4)
        #expect(outcome.held > 0.93)
    }

    @Test("A phone in the hand, nothing known: heading RMSE within 6.5° and honest")
    func cold() throws {
        // Grenoble in June 2016: 22.9 µT horizontal, 41.3 µT down (World Magnetic Model 2015).
        let field = EarthField(declination: 1.5, declinationAccuracy: 0.5, horizontal: 22.9, down: 41.3)
        let outcome = try run("iphone4s-texting.lmrec.gz", fieldIsCalibrated: false, earthField: field)
        #expect(outcome.total > 500)
        #expect(Double(outcome.errors.count) > 0.6 * Double(outcome.total))
        #expect(outcome.rootMeanSquare < 6.5)
        #expect(outcome.held > 0.93)
    }
}
