import Geometry
public import LocateMeModel
public import MagnetometerCalibration

/// The heading of a device from whatever sensors it has, each at its own rate and time.
///
/// | sensors that deliver | method | source |
/// | --- | --- | --- |
/// | magnetometer, accelerometer, gyroscope | `FusedCompass` | `fused-9` |
/// | magnetometer, gyroscope, and a vertical that is remembered or a device declared level | `FusedCompass` | `fused-6` |
/// | magnetometer, accelerometer | `TiltCompass` | `tilt` |
/// | magnetometer, device declared level | `TiltCompass` | `flat` |
/// | a hub that computes headings | passed on | `hub` |
///
/// The tier is chosen anew at every magnetometer sample. Non-finite, absurd, repeated and late samples, and
/// those of a sensor that hangs, are dropped and counted. After the start, `update` allocates nothing. Where nothing can be said, the estimate says −1.
public struct HeadingEstimator: Sendable {
    /// Tuning.
    public let parameters: HeadingParameters
    /// True if the source delivers a calibrated field.
    public let fieldIsCalibrated: Bool
    /// The model's field here, nil without a place.
    public private(set) var earthField: EarthField?
    /// Samples dropped because a number was not finite or beyond anything a sensor measures.
    public private(set) var implausibleSamples = 0
    /// Raw field samples kept for batch fits.
    public internal(set) var calibrationPoints = CalibrationPoints()
    /// The last batch fit that came into force, nil before.
    public internal(set) var acceptedFit: CalibrationFit?

    /// Samples dropped because their sensor repeats itself while the device moves.
    public var frozenSamples: Int { frozen.dropped }

    private var frozen = FrozenSensors()
    var stored: StoredHeadingState?
    var prior: FusedPrior
    var clock = SampleClock()
    var fused = FusedCompass()
    var tilt = TiltCompass()
    var temperature = Double.nan
    /// °C at which the hard iron was learned; NaN unknown.
    var calibratedTemperature = Double.nan
    /// Variance in µT² that the temperature has added to each component of the hard iron.
    private var thermalVariance = 0.0
    var fits = FitSchedule()

    /// An estimator that knows nothing but what is stored of the device. `fieldIsCalibrated`: the source's field needs no
    /// calibration. `storedAgeSeconds`: how old what is stored is; an old hard iron is trusted less.
    public init(
        parameters: HeadingParameters = HeadingParameters(), stored: StoredHeadingState? = nil,
        storedAgeSeconds: Double = 0, fieldIsCalibrated: Bool = false
    ) {
        self.parameters = parameters
        self.fieldIsCalibrated = fieldIsCalibrated
        self.stored = stored
        prior = FusedPrior(
            stored: stored, ageSeconds: storedAgeSeconds, fieldIsCalibrated: fieldIsCalibrated, parameters: parameters)
        calibratedTemperature = stored?.magnetometer == nil ? .nan : stored?.temperature ?? .nan
    }

    // MARK: - Input

    /// A place became known, changed, or was lost. Non-finite fields and fields of no strength count as no place.
    public mutating func setEarthField(_ field: EarthField?) {
        var usable = field
        if let field, !(field.horizontal.isFinite && field.down.isFinite && field.total > 1) { usable = nil }
        // Near a magnetic pole the horizontal strength must not become zero: it scales a prior.
        if let strength = usable?.horizontal { usable?.horizontal = max(strength, 0.5) }
        earthField = usable
        prior.earthField = usable
        fused.setEarthField(usable, parameters: parameters.magnetic)
    }

    /// Takes one sample. An estimate comes at each magnetometer sample, and at each heading of a hub while no magnetometer
    /// delivers.
    public mutating func update(_ sample: SensorSample) -> HeadingEstimate? {
        switch sample.reading {
        case .angularRate(let rate):
            guard isPlausible(rate, limit: 200), !isFrozen(sample), let time = time(of: sample, from: .gyroscope) else {
                return nil
            }
            fused.update(rate: rate, time: time, prior: prior, parameters: parameters)
            if parameters.assumesLevel, !accelerometerDelivers(at: time) {
                fused.update(
                    acceleration: Vector3(0, 0, 9.80665), time: time, prior: prior, parameters: parameters)
            }
            return nil
        case .acceleration(let force):
            guard isPlausible(force, limit: 1000), !isFrozen(sample), let time = time(of: sample, from: .accelerometer)
            else { return nil }
            fused.update(acceleration: force, time: time, prior: prior, parameters: parameters)
            tilt.update(acceleration: force, time: time, parameters: parameters.tilt)
            return nil
        case .magneticField(let field):
            guard isPlausible(field, limit: 10_000), !isFrozen(sample), let time = time(of: sample, from: .magnetometer)
            else { return nil }
            return estimate(field: field, time: time, bootMicroseconds: sample.bootMicroseconds)
        case .hubHeading(let degrees, let accuracy):
            guard let time = time(of: sample, from: .hub) else { return nil }
            if let last = clock.lastTime(of: .magnetometer), time - last < 1 { return nil }
            return HeadingEstimate(
                hubHeading: degrees, accuracyDegrees: accuracy, bootMicroseconds: sample.bootMicroseconds,
                greatestAccuracy: parameters.accuracy.clip)
        case .temperature(let degrees):
            if degrees.isFinite { follow(temperature: degrees) }
            return nil
        }
    }

    /// Starts over after a suspend or a jump of time. Calibration, gyroscope bias and latency stay; attitude and direction
    /// are open again.
    public mutating func restart() {
        clock = clock.restarted()
        tilt = TiltCompass()
        fused.restart(parameters: parameters)
        fits.restart()
    }

    /// True if the magnetometer is so much warmer or colder than when its hard iron was learned that this explains a poor heading.
    public var hasNotableTemperatureChange: Bool {
        abs(temperature - calibratedTemperature) >= parameters.magnetic.notableTemperatureChange
    }

    /// A temperature away from the calibration's makes the hard iron less certain; coming back does not undo what was learned.
    private mutating func follow(temperature degrees: Double) {
        temperature = degrees
        guard abs(degrees) < 200 else { return }
        let drift = parameters.magnetic.thermalDrift * abs(degrees - calibratedTemperature)
        guard drift * drift > thermalVariance + 0.01, !fieldIsCalibrated else { return }
        let added = drift * drift - thermalVariance
        thermalVariance = drift * drift
        prior.widenHardIron(by: added)
        fused.widenHardIron(by: added)
    }

    /// False, and counted, for NaN, infinities and what no sensor measures.
    private mutating func isPlausible(_ vector: Vector3, limit: Double) -> Bool {
        let plausible = abs(vector.x) <= limit && abs(vector.y) <= limit && abs(vector.z) <= limit
        if !plausible { implausibleSamples += 1 }
        return plausible
    }

    /// True, and counted, if the sample's sensor hangs: it counts as silent then.
    private mutating func isFrozen(_ sample: SensorSample) -> Bool {
        let time = Double(sample.bootMicroseconds) * 1e-6
        switch sample.reading {
        case .angularRate(let rate): return frozen.isFrozen(rate: rate, at: time)
        case .acceleration(let force): return frozen.isFrozen(force: force, at: time)
        case .magneticField(let raw):
            let known = fused.hasStarted && quality.rawValue >= CalibrationQuality.coarse.rawValue
            return frozen.isFrozen(field: raw, calibrated: known ? calibration.calibrated(raw) : nil, at: time)
        case .hubHeading, .temperature: return false
        }
    }

    private mutating func time(of sample: SensorSample, from sensor: SampleClock.Sensor) -> Double? {
        switch clock.judge(sample.bootMicroseconds, of: sensor) {
        case .use(let time): return time
        case .drop: return nil
        case .restart:
            restart()
            guard case .use(let time) = clock.judge(sample.bootMicroseconds, of: sensor) else { return nil }
            return time
        }
    }
}
