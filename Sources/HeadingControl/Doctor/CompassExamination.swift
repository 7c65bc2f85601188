internal import CompassDiagnosis
internal import Geometry
internal import HeadingEstimation
internal import LocateMeModel
internal import SensorRecordings

/// Watches samples as the service does, for a look without a service: raw samples and what the estimator makes of them.
struct CompassExamination {
    private var health = CompassHealth()
    private var estimator: HeadingEstimator
    private var context = CompassHealth.Context()

    /// Samples seen.
    private(set) var samples = 0

    /// True once enough attitudes were seen to judge the axes.
    var hasJudgedAxes: Bool { health.axes.judgement(inclination: PlaceField.inclination(context.earthField)) != nil }

    /// An examination of sensors; `wantedHertz` 0: of a recording.
    init(sensors: [SensorDescription], wantedHertz: Double, fieldIsCalibrated: Bool = false) {
        context.sensors = sensors
        context.wantedHertz = wantedHertz
        estimator = HeadingEstimator(fieldIsCalibrated: fieldIsCalibrated)
        func resolution(_ kind: SensorKind) -> Double {
            guard let scale = sensors.first(where: { $0.kind == kind && $0.selected })?.scale else { return 0 }
            return max(abs(scale.x), abs(scale.y), abs(scale.z))
        }
        if wantedHertz > 0 {
            health.setResolution(magnetometer: resolution(.magnetometer), accelerometer: resolution(.accelerometer))
        }
    }

    /// Where the device is.
    mutating func use(_ field: EarthField?) {
        context.earthField = field
        estimator.setEarthField(field)
    }

    /// Takes a sample and the time of its arrival.
    mutating func update(_ sample: SensorSample, arrival: Int64) {
        samples += 1
        health.update(sample, arrival: arrival)
        guard let estimate = estimator.update(sample) else { return }
        context.calibration = estimate.calibration
        // Also where there is no heading: that may be a magnet's work.
        guard estimate.hasTilt, estimate.calibration.rawValue >= CalibrationQuality.good.rawValue
        else { return }
        health.update(
            calibratedField: estimate.field, up: estimate.attitude.matrix.row2, isDisturbed: estimate.isDisturbed)
    }

    /// What is wrong.
    var findings: [Finding] { health.findings(context) }
}
