import CompassDiagnosis
import Foundation
import Geometry
import HeadingEstimation
import LocateMeModel
import RecordingFiles
import SensorRecordings
import Simulation
import TestSupport

/// Where samples for a diagnosis come from.
enum Samples {
    /// A phone with noise, hard and soft iron that is turned through all directions, in a field like that of central Europe:
    /// 21.5 µT horizontal, 43 µT down, so a dip of 63.4°.
    static let field = EarthField(declination: 3, declinationAccuracy: 0.4, horizontal: 21.5, down: 43)

    /// The samples of a simulated tumble, 25 a second of each sensor: what is judged are attitudes, and a chip that is asked
    /// less often shows the same ones.
    static let tumble: [SensorSample] = {
        guard let walk = Walk(name: "tumble") else { return [] }
        return thinned(WalkSimulation(walk: walk, field: field).compactMap(\.sample), hertz: 25)
    }()

    /// At most so many samples a second of each kind, evenly.
    static func thinned(_ samples: [SensorSample], hertz: Double) -> [SensorSample] {
        var due: [Int: Int64] = [:]
        let period = Int64(1_000_000 / hertz)
        return samples.filter { sample in
            let kind =
                switch sample.reading {
                case .magneticField: 0
                case .acceleration: 1
                case .angularRate: 2
                case .hubHeading, .temperature: 3
                }
            // A twentieth early, so that rates that are multiples stay even.
            guard sample.bootMicroseconds >= (due[kind] ?? sample.bootMicroseconds) - period / 20 else { return false }
            due[kind] = max((due[kind] ?? sample.bootMicroseconds) + period, sample.bootMicroseconds)
            return true
        }
    }

    /// The same samples from chips that are mounted otherwise: what each kind delivers is multiplied by its matrix.
    static func turned(
        _ samples: [SensorSample], magnetometer: Matrix3 = .identity, accelerometer: Matrix3 = .identity,
        gyroscope: Matrix3 = .identity
    ) -> [SensorSample] {
        samples.map { sample in
            var sample = sample
            switch sample.reading {
            case .magneticField(let field): sample.reading = .magneticField(magnetometer * field)
            case .acceleration(let force): sample.reading = .acceleration(accelerometer * force)
            case .angularRate(let rate): sample.reading = .angularRate(gyroscope * rate)
            default: break
            }
            return sample
        }
    }

    /// The samples of a recording and its place.
    static func recording(_ path: String) throws -> (samples: [SensorSample], fix: Fix?) {
        let reader = try RecordingFileReader(path: path)
        var samples: [SensorSample] = []
        var fix: Fix?
        while let record = try reader.next() {
            if let sample = record.sample { samples.append(sample) }
            if case .fix(let found) = record.content, fix == nil { fix = found }
        }
        return (samples, fix)
    }

    /// A diagnosis of samples, as the daemon makes it: with the estimator's view of the field.
    static func health(_ samples: [SensorSample], earthField: EarthField? = nil) -> (
        CompassHealth, CompassHealth.Context
    ) {
        var health = CompassHealth()
        var estimator = HeadingEstimator()
        estimator.setEarthField(earthField)
        var context = CompassHealth.Context()
        context.earthField = earthField
        for sample in samples {
            health.update(sample, arrival: sample.bootMicroseconds)
            guard let estimate = estimator.update(sample), estimate.hasTilt else { continue }
            context.calibration = estimate.calibration
            if estimate.calibration.rawValue >= CalibrationQuality.good.rawValue {
                health.update(
                    calibratedField: estimate.field, up: estimate.attitude.matrix.row2,
                    isDisturbed: estimate.isDisturbed)
            }
        }
        return (health, context)
    }

    /// Axis findings, which say that a matrix is wrong.
    static let axisCodes: Set<String> = [
        "accel-sign-down", "accel-axes-disagree", "magn-z-inverted", "magn-axes-left-handed",
        "accel-and-magn-frames-differ", "magn-axes-disagree",
    ]
}
