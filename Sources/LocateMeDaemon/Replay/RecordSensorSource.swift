public import LocateMeModel

/// The sensors of a recording or a simulation. They run as they were recorded, whatever rate is asked for.
public final class RecordSensorSource: SensorSource {
    /// Who hears of samples and changes.
    public weak var sensorListener: (any SensorSourceListener)?
    /// What was recorded.
    public private(set) var sensors: [SensorDescription] = []
    /// True if the recording says so.
    public let deliversCalibratedField: Bool

    weak var player: RecordPlayer?
    private(set) var isStarted = false
    private var isHeadingWanted = false
    private var isOrientationWanted = false
    private let identifier: String
    private let kind: String
    private let speed: Double
    private let recordedRate: Double
    private var state: SourceState = .off
    private var unplugged: Set<String> = []

    init(survey: RecordSurvey, options: RecordPlayer.Options) {
        identifier = "\(options.kind):\(options.publicName)"
        kind = options.kind
        speed = options.speed
        deliversCalibratedField = survey.isMagneticFieldCalibrated
        magnetometerIdentity = options.kind == "replay" ? survey.magnetometerIdentity : nil
        recordedRate =
            survey.streams.first { $0.kind == .magnetometer }?.rateHertz
            ?? survey.streams.first { $0.kind == .hubHeading }?.rateHertz ?? 0
        let hasMagnetometer = survey.streams.contains { $0.kind == .magnetometer }
        for stream in survey.streams {
            var sensor = SensorDescription(
                id: "\(identifier)/\(RecordSurvey.word(stream.kind))", kind: stream.kind, name: stream.name)
            sensor.driver = options.kind
            sensor.path = options.publicName
            sensor.label = survey.device
            sensor.ratesHertz = stream.rateHertz > 0 ? [stream.rateHertz] : []
            sensor.selected = stream.kind != .hubHeading || !hasMagnetometer
            sensor.reason =
                sensor.selected ? "the only one of its kind in the recording" : "the magnetometer is preferred"
            sensors.append(sensor)
        }
    }

    /// One row for the whole recording.
    public var sensorStates: [SourceDescription] {
        [SourceDescription(id: identifier, kind: kind, state: state)]
    }

    /// The recorded magnetometer, so that what was learned of it in one replay serves the next; nil for a recording
    /// that does not say which device it is of, and for a simulation.
    public let magnetometerIdentity: DeviceIdentity?

    /// Rate of the recorded magnetometer in Hz while it is played.
    public var rateHertz: Double { isHeadingWanted && state == .ok ? recordedRate : 0 }

    /// The recorded intervals are the estimator's; at another speed the clock's are different ones.
    public var samplesFollowBootClock: Bool { speed == 1 }

    /// Delivers from now on, as it was recorded.
    public func start(rateHertz: Double) {
        isHeadingWanted = true
        wantedChanged()
    }

    /// Delivers nothing more, except the accelerometer if that is wanted for itself.
    public func stop() {
        isHeadingWanted = false
        wantedChanged()
    }

    /// Delivers the accelerometer's samples from now on.
    public func setOrientation(rateHertz: Double?) {
        isOrientationWanted = rateHertz != nil
        wantedChanged()
    }

    private func wantedChanged() {
        let isWanted = isHeadingWanted || isOrientationWanted
        guard isWanted != isStarted else { return }
        isStarted = isWanted
        if !isWanted { unplugged = [] }
        change(to: isWanted ? .starting : .off)
        player?.demandChanged()
    }

    /// Nothing: what is recorded is what it is.
    public func diagnose() -> [Finding] { [] }

    // MARK: - For the player

    func deliver(_ sample: SensorSample) {
        guard isStarted, !isUnplugged(sample.reading) else { return }
        if !isHeadingWanted {
            guard case .acceleration = sample.reading else { return }
        }
        if state == .starting || state == .lost { change(to: .ok) }
        sensorListener?.sensorSource(self, delivered: sample)
    }

    func restarted() {
        guard isStarted else { return }
        sensorListener?.sensorSourceRestarted(self)
    }

    func unplug(_ word: String) {
        unplugged.insert(word)
        guard isStarted, word == "magn" || word == "hub" else { return }
        change(to: .lost)
        sensorListener?.sensorSource(self, lost: "the recording says that the \(word) sensor was unplugged")
    }

    func plug(_ word: String) { unplugged.remove(word) }

    func ended(_ reason: String) {
        guard isStarted else { return }
        change(to: .lost)
        sensorListener?.sensorSource(self, lost: reason)
    }

    private func isUnplugged(_ reading: SensorSample.Reading) -> Bool {
        guard !unplugged.isEmpty else { return false }
        return switch reading {
        case .magneticField, .temperature: unplugged.contains("magn")
        case .acceleration: unplugged.contains("accel")
        case .angularRate: unplugged.contains("gyro")
        case .hubHeading: unplugged.contains("hub")
        }
    }

    private func change(to state: SourceState) {
        guard state != self.state else { return }
        self.state = state
        sensorListener?.sensorSourceChanged(self)
    }
}
