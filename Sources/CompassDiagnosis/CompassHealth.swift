public import Geometry
public import LocateMeModel

/// Watches the samples of a compass for faults that only use shows: axes that do not fit, sensors that do not measure,
/// rates, times. Feeding it allocates nothing after the start; `findings` does the reckoning.
public struct CompassHealth: Sendable {
    /// Whether magnetometer and accelerometer agree.
    public private(set) var axes = AxisAgreement()
    /// What differs from the model's field at the place.
    public private(set) var field = FieldCheck()

    var accelerometerTurns = RateAgreement(hasOffset: false)
    var magnetometerTurns = RateAgreement(hasOffset: true)
    var magnetometer = StuckSensor()
    var accelerometer = StuckSensor()
    var gyroscope = StuckSensor()
    var magnetometerTiming = SampleTiming()
    var accelerometerTiming = SampleTiming()
    var gyroscopeTiming = SampleTiming()
    var saturation = SaturationCheck()
    /// Mean strength of the newest readings, in their unit, and how many there were.
    var rawStrength = 0.0
    var rawCount = 0
    var disturbedShare = 0.0
    var estimates = 0

    private var force: Vector3?
    private var forceTime: Int64 = 0
    private var gravity = 0.0
    private var gravityCount = 0
    private var upAnchor: Vector3?
    private var lastRateTime: Int64 = 0

    /// A watch that has seen nothing.
    public init() {}

    /// What the readings of the sensors are stepped by, in their units: so that noise is told from a value that stands.
    public mutating func setResolution(magnetometer: Double, accelerometer: Double) {
        self.magnetometer.resolution = magnetometer
        self.accelerometer.resolution = accelerometer
    }

    /// Takes a sample; `arrival`: CLOCK_BOOTTIME in µs at which it came, in a recording its time.
    public mutating func update(_ sample: SensorSample, arrival: Int64) {
        let time = sample.bootMicroseconds
        switch sample.reading {
        case .acceleration(let force):
            accelerometerTiming.update(time: time, arrival: arrival)
            accelerometer.update(force)
            take(force: force, time)
        case .magneticField(let field):
            magnetometerTiming.update(time: time, arrival: arrival)
            magnetometer.update(field)
            saturation.update(field)
            if field.isFinite {
                rawCount += 1
                rawStrength += (field.length - rawStrength) / Double(min(rawCount, 100))
            }
            magnetometerTurns.update(vector: field, time: Double(time) * 1e-6)
            if let force, time - forceTime < 60_000, forceTime - time < 60_000 {
                axes.update(force: force, field: field, gravity: gravity)
            }
        case .angularRate(let rate):
            gyroscopeTiming.update(time: time, arrival: arrival)
            gyroscope.update(rate)
            accelerometerTurns.update(rate: rate, time: Double(time) * 1e-6)
            magnetometerTurns.update(rate: rate, time: Double(time) * 1e-6)
            let step = Double(time - lastRateTime) * 1e-6
            lastRateTime = time
            // Slower is bias.
            if step > 0, step < 0.1, rate.length > 0.2 {
                magnetometer.turned(by: rate.length * step)
                accelerometer.turned(by: rate.length * step)
            }
        case .hubHeading, .temperature: break
        }
    }

    /// Takes an estimate made from the samples: the calibrated field in µT, the direction up in the device frame, and whether
    /// the estimator calls the field disturbed. Only estimates with a calibration that can be trusted.
    public mutating func update(calibratedField: Vector3, up: Vector3, isDisturbed: Bool) {
        field.update(field: calibratedField, up: up)
        estimates += 1
        disturbedShare += ((isDisturbed ? 1 : 0) - disturbedShare) / Double(min(estimates, 150))
    }

    private mutating func take(force: Vector3, _ time: Int64) {
        gravityCount += 1
        let size = force.length
        // The mean of walking is gravity; what the driver calls 9.81 may be 1.
        if size.isFinite, gravityCount == 1 || size < 3 * gravity {
            gravity += (size - gravity) / Double(min(gravityCount, 200))
        }
        self.force = force
        forceTime = time
        guard gravityCount >= 20, abs(size - gravity) < 0.05 * gravity, let up = force.normalized else {
            accelerometerTurns.update(vector: nil, time: Double(time) * 1e-6)
            return
        }
        accelerometerTurns.update(vector: up, time: Double(time) * 1e-6)
        guard let anchor = upAnchor else {
            upAnchor = up
            return
        }
        let angle = arcCosine(anchor.dot(up))
        guard angle > 0.35 else { return }
        upAnchor = up
        magnetometer.turned(by: angle)
        gyroscope.turned(by: angle)
    }
}
