import Foundation
import Geometry
import HeadingEstimation
import LocateMeModel
import RecordingFiles
import SensorRecordings
import TestSupport

/// A recording with optical truth in memory, and ways to spoil it.
struct RecordedDevice: Sendable {
    var samples: [SensorSample] = []
    private var truths: [(time: Int64, attitude: Quaternion)] = []
    /// Time of `mark tumble` in µs, nil if there is none.
    private(set) var tumble: Int64?

    /// Grenoble in June 2016 (World Magnetic Model 2015): where the phones were.
    static let earthField = EarthField(declination: 1.5, declinationAccuracy: 0.66, horizontal: 22.78, down: 41.18)
    /// Two minutes of a walk with a Nexus 5 held level, among no magnets.
    static let walk = Result { try RecordedDevice("nexus5-walk.lmrec.gz") }
    /// The same phone on the same day, at rest and then tumbled.
    static let tumbled = Result { try RecordedDevice("nexus5-tumble.lmrec.gz") }
    /// What the tumble taught: a warm start.
    static let known = Result {
        var estimator = HeadingEstimator()
        estimator.setEarthField(earthField)
        _ = estimator.run(try tumbled.get().samples)
        return estimator.storedState
    }

    private init(_ name: String) throws {
        let reader = try RecordingFileReader(path: Repository.file("data/recordings/\(name)").path)
        while let record = try reader.next() {
            switch record.content {
            case .sample(let sample): samples.append(sample)
            case .truth(let attitude): truths.append((record.microseconds, attitude))
            case .mark("tumble"): tumble = record.microseconds
            default: break
            }
        }
    }

    /// The samples from `start` to before `end`, seconds.
    func samples(from start: Double = 0, to end: Double = .infinity) -> [SensorSample] {
        samples.filter { Double($0.bootMicroseconds) * 1e-6 >= start && Double($0.bootMicroseconds) * 1e-6 < end }
    }

    /// The attitude nearest to a time, nil beyond 30 ms.
    func truth(at time: Int64) -> Quaternion? {
        var low = 0
        var high = truths.count
        while low < high {
            let middle = (low + high) / 2
            if truths[middle].time < time { low = middle + 1 } else { high = middle }
        }
        let near = [low - 1, low].filter(truths.indices.contains)
        guard let best = near.min(by: { abs(truths[$0].time - time) < abs(truths[$1].time - time) }),
            abs(truths[best].time - time) < 30_000
        else { return nil }
        return truths[best].attitude
    }

    /// Signed heading errors in degrees and stated accuracies of the valid estimates that have a truth, and the share of the
    /// valid ones.
    func score(_ estimates: [HeadingEstimate]) -> RecordedScore {
        var score = RecordedScore()
        for estimate in estimates {
            guard let truth = truth(at: estimate.bootMicroseconds) else { continue }
            score.total += 1
            guard estimate.isValid else { continue }
            let difference = estimate.attitude * truth.conjugate
            score.errors.append(Angle.wrap180(2 * atan2(difference.z, difference.w) * Angle.degreesPerRadian))
            score.accuracies.append(estimate.accuracyDegrees)
        }
        return score
    }
}

/// How well estimates fit the truth.
struct RecordedScore {
    var errors: [Double] = []
    var accuracies: [Double] = []
    var total = 0

    /// Degrees.
    var rootMeanSquare: Double {
        errors.isEmpty ? .infinity : (errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)).squareRoot()
    }
    /// Share of the valid estimates whose error is within the stated accuracy.
    var held: Double {
        Double(zip(errors, accuracies).filter { abs($0) <= $1 }.count) / Double(max(1, errors.count))
    }
    /// Share of the estimates that are valid.
    var valid: Double { Double(errors.count) / Double(max(1, total)) }
    /// Share of the estimates that are more than 45° off and state less than 20°.
    var wrong: Double {
        Double(zip(errors, accuracies).filter { abs($0) > 45 && $1 < 20 }.count) / Double(max(1, total))
    }
}
