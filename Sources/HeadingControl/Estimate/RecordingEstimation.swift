internal import Geomagnetism
internal import Geometry
internal import HeadingEstimation
internal import LocateMeModel
internal import MagnetometerCalibration
internal import SensorRecordings

/// Runs the daemon's estimator over the records of a recording. Pure: the same records give the same estimates.
struct RecordingEstimation {
    /// What may be left out or fixed.
    struct Options: Hashable, Sendable {
        /// Degrees to add for the true heading in place of the model's; nil: the model's.
        var declination: Double?
        /// True: as if the device had no gyroscope.
        var ignoresGyroscope = false
        /// True: as if the device had no accelerometer.
        var ignoresAccelerometer = false
    }

    /// An estimate with what is known of north at its time.
    struct Result {
        /// The estimator's word.
        var estimate: HeadingEstimate
        /// Degrees from magnetic north in [0, 360); −1 invalid.
        var magnetic: Double
        /// Degrees to add for true north; nil unknown.
        var declination: Double?

        /// Degrees from true north in [0, 360), −1 while the heading is invalid; nil if true north is unknown.
        var trueHeading: Double? {
            declination.map { magnetic < 0 ? -1 : Angle.wrap360(magnetic + $0) }
        }
    }

    private let options: Options
    private let model: MagneticModel?
    private(set) var estimator: HeadingEstimator
    private var questions = CalibrationQuestions()
    private let startedFromStore: Bool
    /// What a service would have said of a calibration, and when in µs.
    private(set) var advices: [(microseconds: Int64, advice: CalibrationAdvisor.Advice)] = []
    private var reference = HeadingReference()
    /// UTC of t = 0; nil unknown.
    private var startRealMicroseconds: Int64?
    private let fallbackYear: Double
    /// The last fix that was used for the model.
    private(set) var fix: Fix?
    /// Time of the last record.
    private(set) var microseconds: Int64 = 0
    /// True if a fix was used although nothing says when it was.
    private(set) var usedFallbackYear = false

    /// A run from the start of a recording.
    ///
    /// - Parameters:
    ///   - model: the magnetic model; nil: the one made for the recording's date.
    ///   - fallbackYear: decimal year to use for a recording that does not know its date.
    init(
        header: RecordingHeader, stored: StoredHeadingState?, options: Options, model: MagneticModel?,
        fallbackYear: Double
    ) {
        self.options = options
        self.model = model
        self.fallbackYear = fallbackYear
        startRealMicroseconds = header.startRealMicroseconds
        startedFromStore = stored?.magnetometer != nil
        estimator = HeadingEstimator(stored: stored, fieldIsCalibrated: header.isMagneticFieldCalibrated)
    }

    /// UTC of the last record in microseconds since the Unix epoch; nil unknown.
    var realMicroseconds: Int64? { startRealMicroseconds.map { $0 + microseconds } }

    /// Takes the next record; a result comes at each magnetometer sample, and at each hub heading while there is no
    /// magnetometer.
    mutating func update(_ record: Record) -> Result? {
        microseconds = record.microseconds
        switch record.content {
        case .sample(let sample): return update(sample)
        case .fix(let fix): use(fix)
        case .time(let realMicroseconds): startRealMicroseconds = realMicroseconds - record.microseconds
        case .event(.resume): estimator.restart()
        case .noFix, .truth, .peer, .event, .mark: break
        }
        return nil
    }

    private mutating func update(_ sample: SensorSample) -> Result? {
        switch sample.reading {
        case .angularRate where options.ignoresGyroscope: return nil
        case .acceleration where options.ignoresAccelerometer: return nil
        default: break
        }
        guard let estimate = estimator.update(sample) else { return nil }
        ask(at: estimate)
        var magnetic = -1.0
        if estimate.isValid {
            let heading = reference.heading(of: estimate.attitude, orientation: .portrait)
            magnetic = heading.isFinite ? heading : -1
        }
        return Result(
            estimate: estimate, magnetic: magnetic,
            declination: options.declination ?? estimator.earthField?.declination)
    }

    private mutating func ask(at estimate: HeadingEstimate) {
        guard questions.isDue(at: microseconds) else { return }
        let advice = questions.update(
            estimate, of: estimator, startedFromStore: startedFromStore, at: microseconds)
        if advice != .none { advices.append((microseconds, advice)) }
    }

    /// A fix whose accuracy is unknown (0) counts, one that is invalid or worse than 20 km does not: the daemon's rule.
    private mutating func use(_ fix: Fix) {
        guard fix.horizontalAccuracy >= 0, fix.horizontalAccuracy <= 20_000 else { return }
        var year = fallbackYear
        if let date = RecordingDate.year(realMicroseconds: realMicroseconds) {
            year = date
        } else {
            usedFallbackYear = true
        }
        let used = model ?? MagneticModel.selectModel(forYear: year)
        guard
            let field = try? used.earthField(
                latitude: fix.latitude, longitude: fix.longitude, height: fix.heightForModels, year: year)
        else { return }
        self.fix = fix
        estimator.setEarthField(field)
    }
}
