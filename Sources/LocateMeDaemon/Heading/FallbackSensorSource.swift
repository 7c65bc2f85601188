public import LocateMeModel

/// Sensors of this machine and, while none of them gives a heading, headings that come from elsewhere.
public final class FallbackSensorSource: SensorSource {
    /// Who hears of samples and changes.
    public weak var sensorListener: (any SensorSourceListener)?

    private let primary: any SensorSource
    private let fallback: any SensorSource
    private var wantedRate = 0.0

    /// Both are started and stopped from here alone.
    public init(primary: any SensorSource, fallback: any SensorSource) {
        self.primary = primary
        self.fallback = fallback
        primary.sensorListener = self
        fallback.sensorListener = self
    }

    private var primaryHasHeading: Bool {
        primary.sensors.contains { $0.selected && ($0.kind == .magnetometer || $0.kind == .hubHeading) }
    }

    /// The one that headings come from.
    private var active: any SensorSource { primaryHasHeading ? primary : fallback }

    /// Those of both; of the fallback none is chosen while the primary has one.
    public var sensors: [SensorDescription] {
        let hasHeading = primaryHasHeading
        let others = fallback.sensors.map { sensor in
            guard hasHeading, sensor.selected else { return sensor }
            var sensor = sensor
            sensor.selected = false
            sensor.reason = "the device's own compass is preferred"
            return sensor
        }
        return primary.sensors + others
    }

    /// Until it is known which of them gives headings.
    public var isDiscovering: Bool { primary.isDiscovering || !primaryHasHeading && fallback.isDiscovering }
    /// Rows of both.
    public var sensorStates: [SourceDescription] { primary.sensorStates + fallback.sensorStates }
    /// Of the one that headings come from.
    public var rateHertz: Double { active.rateHertz }
    /// Of the machine's sensors.
    public var deliversCalibratedField: Bool { primary.deliversCalibratedField }
    /// Of the machine's sensors.
    public var magnetometerIdentity: DeviceIdentity? { primary.magnetometerIdentity }
    /// True if both follow it.
    public var samplesFollowBootClock: Bool { primary.samplesFollowBootClock && fallback.samplesFollowBootClock }
    /// True if no device of either is in use.
    public var isOff: Bool { primary.isOff && fallback.isOff }
    /// Of the one that headings come from.
    public var hubHeadingSource: HeadingSource { active.hubHeadingSource }
    /// Of the one that headings come from.
    public var needsDeclination: Bool { active.needsDeclination }
    /// Of the one that headings come from.
    public var silenceReason: String? { active.silenceReason }

    /// Of the machine's sensors: what is elsewhere does not turn with the screen.
    public var hasOrientationSensor: Bool { primary.hasOrientationSensor }

    /// Passed on to the machine's sensors.
    public func setOrientation(rateHertz: Double?) { primary.setOrientation(rateHertz: rateHertz) }

    /// Passed on to the machine's sensors, where headings come from them.
    public func letWait(untilBootMicroseconds time: Int64) {
        if primaryHasHeading { primary.letWait(untilBootMicroseconds: time) }
    }

    /// Passed on to both.
    public func setDeclination(_ degreesEast: Double) {
        primary.setDeclination(degreesEast)
        fallback.setDeclination(degreesEast)
    }

    /// Switches the machine's sensors on, and the fallback where they give no heading.
    public func start(rateHertz: Double) {
        wantedRate = rateHertz
        primary.start(rateHertz: rateHertz)
        chooseAgain()
    }

    /// Switches both off.
    public func stop() {
        wantedRate = 0
        fallback.stop()
        primary.stop()
    }

    /// What is wrong with either. Where headings come from elsewhere, that the machine has no compass is no fault.
    public func diagnose() -> [Finding] {
        var findings = primary.diagnose()
        if !primaryHasHeading, !fallback.sensors.isEmpty {
            for index in findings.indices where findings[index].severity == .error {
                findings[index].severity = .info
            }
        }
        return findings + fallback.diagnose()
    }

    private func chooseAgain() {
        guard wantedRate > 0 else { return }
        if primaryHasHeading || primary.isDiscovering {
            fallback.stop()
        } else {
            fallback.start(rateHertz: wantedRate)
        }
    }
}

extension FallbackSensorSource: SensorSourceListener {
    /// Passed on; headings of the fallback only while the primary has none.
    public func sensorSource(_ source: any SensorSource, delivered sample: SensorSample) {
        guard source === primary || !primaryHasHeading else { return }
        sensorListener?.sensorSource(self, delivered: sample)
    }

    /// Passed on from the one that headings come from.
    public func sensorSourceDelivered(_ source: any SensorSource) {
        if source === active { sensorListener?.sensorSourceDelivered(self) }
    }

    /// Chooses again, and passes it on.
    public func sensorSourceChanged(_ source: any SensorSource) {
        if source === primary { chooseAgain() }
        sensorListener?.sensorSourceChanged(self)
    }

    /// Passed on from the one that headings come from.
    public func sensorSource(_ source: any SensorSource, lost reason: String) {
        guard source === active else { return }
        sensorListener?.sensorSource(self, lost: reason)
    }

    /// Passed on from the one that headings come from.
    public func sensorSource(_ source: any SensorSource, overflowedAt bootMicroseconds: Int64) {
        guard source === active else { return }
        sensorListener?.sensorSource(self, overflowedAt: bootMicroseconds)
    }

    /// Passed on.
    public func sensorSourceRestarted(_ source: any SensorSource) {
        guard source === primary || !primaryHasHeading else { return }
        sensorListener?.sensorSourceRestarted(self)
    }
}
