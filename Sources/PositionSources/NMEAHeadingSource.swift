public import EventLoop
public import LocateMeModel
internal import NMEASentences

/// Headings that a compass, a gyrocompass or a satellite compass sends as NMEA 0183: magnetic ones as they are, true ones
/// through the declination.
///
/// Where several come, a true one of a north-seeking sensor counts first, then a magnetic one, then a true one that was
/// computed from a magnetic one. The device's top edge is the bow.
public final class NMEAHeadingSource: SensorSource {
    /// Degrees, 95 %. The sentences say nothing of it, so these are what such sensors are specified to, with a margin for how
    /// they are mounted.
    public enum Accuracy {
        /// A gyrocompass or satellite compass: 1° and the alignment.
        public static let northSeeking = 3.0
        /// A fluxgate whose deviation was measured, or that says none: 2° to 3° of its own, and what a hull leaves.
        public static let magnetic = 10.0
    }

    /// The order of preference.
    private enum Rank: Int {
        case computed, magnetic, northSeeking
    }

    /// A better kind of heading that was not heard for so long is forgotten.
    private static let memory: Int64 = 5_000_000

    /// Who hears of samples and changes.
    public weak var sensorListener: (any SensorSourceListener)?

    private let receivers: [NMEAReceiver]
    private var isStarted = false
    private var state = SourceState.off
    private var chosen: NMEAReceiver?
    private var rank: Rank?
    private var heardAt: Int64 = 0
    private var interval = 1e6
    private var hasHeard = false
    private var hasGivenUp = false
    private var hasUnusableTrue = false
    private var declination = Double.nan
    private var patience: LoopTimer?

    /// A source on wires that places may be read from as well.
    public init(loop: EventLoop, receivers: [NMEAReceiver]) {
        self.receivers = receivers
        patience = loop.makeTimer { [weak self] in self?.checkSilence() }
    }

    deinit { patience?.disarm() }

    /// One, once a heading was heard.
    public var sensors: [SensorDescription] {
        guard hasHeard, let chosen else { return [] }
        var sensor = SensorDescription(
            id: "nmea:\(chosen.address)/heading", kind: .hubHeading, name: "NMEA 0183 compass")
        sensor.driver = "nmea"
        sensor.path = chosen.address.description
        sensor.selected = true
        sensor.reason = "it sends headings"
        return [sensor]
    }

    /// True until a heading was heard or none came for long.
    public var isDiscovering: Bool { !hasHeard && !hasGivenUp && !receivers.isEmpty }

    /// One row for all wires.
    public var sensorStates: [SourceDescription] {
        guard let receiver = chosen ?? receivers.first else { return [] }
        return [SourceDescription(id: "nmea:\(receiver.address)/heading", kind: "nmea", state: state)]
    }

    /// As it is measured, in Hz.
    public var rateHertz: Double { isStarted && state == .ok ? 1e6 / interval : 0 }
    /// There is no field.
    public var deliversCalibratedField: Bool { false }
    /// There is no field.
    public var magnetometerIdentity: DeviceIdentity? { nil }
    /// `nmea`.
    public var hubHeadingSource: HeadingSource { .nmea }
    /// True headings come, and nothing is known that makes magnetic ones of them.
    public var needsDeclination: Bool { isStarted && hasUnusableTrue }

    /// Why nothing is delivered while on.
    public var silenceReason: String? {
        if hasUnusableTrue, declination.isNaN {
            return "the NMEA source sends true headings only, and no place is known for the declination"
        }
        return receivers.compactMap(\.problem).first
    }

    /// Degrees, east positive; NaN unknown.
    public func setDeclination(_ degreesEast: Double) { declination = degreesEast }

    /// Listens. The rate is the sender's.
    public func start(rateHertz: Double) {
        guard !isStarted, !receivers.isEmpty else { return }
        isStarted = true
        hasUnusableTrue = false
        change(to: .starting)
        patience?.arm(afterMicroseconds: NMEAReceiver.microseconds(receivers[0].timing.firstReport))
        for receiver in receivers { receiver.add(self) }
    }

    /// Lets go of the wires.
    public func stop() {
        guard isStarted else { return }
        isStarted = false
        for receiver in receivers { receiver.remove(self) }
        patience?.disarm()
        rank = nil
        change(to: .off)
    }

    /// What is wrong with the wires.
    public func diagnose() -> [Finding] { [] }

    // MARK: - Private

    private func take(_ sentence: HeadingSentence, from receiver: NMEAReceiver, at now: Int64) {
        let new: Rank
        let degrees: Double
        switch sentence {
        case .magnetic(let direction, _):
            new = .magnetic
            degrees = direction.degrees
        case .trueNorth(let direction, let sensor):
            new = sensor == .northSeeking ? .northSeeking : .computed
            guard declination.isFinite else {
                needPlace()
                return
            }
            degrees = direction.uncorrected(by: MagneticVariation(degreesEast: declination)).degrees
        }
        let isFresh = now - heardAt <= Self.memory
        if isFresh, let rank, new.rawValue < rank.rawValue || new == rank && chosen !== receiver { return }
        if isFresh, rank == new, now > heardAt { interval += (Double(now - heardAt) - interval) * 0.2 }
        rank = new
        heardAt = now
        deliver(degrees, new, from: receiver, at: now)
    }

    private func deliver(_ degrees: Double, _ rank: Rank, from receiver: NMEAReceiver, at now: Int64) {
        let isNew = !hasHeard || chosen !== receiver
        hasHeard = true
        chosen = receiver
        patience?.arm(afterMicroseconds: max(Self.memory, Int64(5 * interval)))
        if isNew { sensorListener?.sensorSourceChanged(self) }
        change(to: .ok)
        guard isStarted else { return }
        let accuracy = rank == .northSeeking ? Accuracy.northSeeking : Accuracy.magnetic
        sensorListener?.sensorSource(
            self,
            delivered: SensorSample(
                bootMicroseconds: now, reading: .hubHeading(degrees: degrees, accuracyDegrees: accuracy)))
    }

    /// Told once, so that the daemon looks for a place.
    private func needPlace() {
        guard !hasUnusableTrue else { return }
        hasUnusableTrue = true
        sensorListener?.sensorSourceChanged(self)
    }

    private func checkSilence() {
        guard isStarted else { return }
        if hasHeard {
            lose("the NMEA source sends no headings any more")
        } else if !hasGivenUp {
            hasGivenUp = true
            sensorListener?.sensorSourceChanged(self)
        }
    }

    private func lose(_ reason: String) {
        guard state == .ok else { return }
        rank = nil
        change(to: .lost)
        if isStarted { sensorListener?.sensorSource(self, lost: reason) }
    }

    private func change(to new: SourceState) {
        guard new != state else { return }
        state = new
        sensorListener?.sensorSourceChanged(self)
    }
}

extension NMEAHeadingSource: NMEAListener {
    func receiver(_ receiver: NMEAReceiver, heard sentence: NMEASentence, bootMicroseconds: Int64) {
        guard isStarted, case .heading(let heading) = sentence else { return }
        take(heading, from: receiver, at: bootMicroseconds)
    }

    func receiverOpened(_ receiver: NMEAReceiver) {}

    func receiver(_ receiver: NMEAReceiver, failed reason: String) {
        if receiver === chosen { lose(reason) }
    }
}
