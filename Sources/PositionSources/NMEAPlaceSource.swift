internal import EventLoop
public import LocateMeModel
internal import NMEASentences

/// Fixes from sentences of NMEA 0183, one for each moment.
public final class NMEAPlaceSource: PlaceSource {
    /// Who hears of fixes and changes.
    public weak var placeListener: (any PlaceSourceListener)?
    /// Why nothing is delivered, in a sentence that names the address; nil while all is well or stopped.
    public private(set) var problem: String?

    private let receiver: NMEAReceiver
    private var state = SourceState.off
    private var isStarted = false
    private var assembler = NMEAEpochAssembler()
    private var epochTimer: LoopTimer?
    private var silenceTimer: LoopTimer?
    private var silence: SilenceWatch
    private var hasFix = false

    /// A source that is stopped.
    public init(receiver: NMEAReceiver) {
        self.receiver = receiver
        silence = SilenceWatch(now: 0, patience: 0, grace: 0)
        epochTimer = receiver.loop.makeTimer { [weak self] in self?.epochIsDue() }
        silenceTimer = receiver.loop.makeTimer { [weak self] in self?.checkSilence() }
    }

    deinit {
        epochTimer?.disarm()
        silenceTimer?.disarm()
    }

    /// `nmea:` and the address.
    public var placeState: SourceDescription {
        SourceDescription(id: "nmea:\(receiver.address)", kind: "nmea", state: state)
    }

    /// Opens the wire.
    public func start() {
        guard !isStarted else { return }
        isStarted = true
        assembler = NMEAEpochAssembler()
        change(to: .starting)
        receiver.add(self)
    }

    /// Lets go of the wire.
    public func stop() {
        guard isStarted else { return }
        isStarted = false
        receiver.remove(self)
        epochTimer?.disarm()
        silenceTimer?.disarm()
        problem = nil
        hasFix = false
        change(to: .off)
    }

    // MARK: - Private

    private func drain() {
        while let report = assembler.next() {
            // The listener may have stopped the source.
            guard isStarted else { return }
            switch report {
            case .fix(let fix):
                heardOfPlaces()
                hasFix = true
                problem = nil
                change(to: .ok)
                placeListener?.placeSource(self, delivered: fix)
            case .noFix:
                heardOfPlaces()
                if hasFix {
                    hasFix = false
                    placeListener?.placeSourceHasNoFix(self)
                }
                // It works again, only without a position yet.
                if isStarted, state == .failed || state == .lost {
                    problem = nil
                    change(to: .starting)
                }
            }
        }
        guard isStarted else { return }
        if let deadline = assembler.deadline {
            epochTimer?.arm(atBootMicroseconds: deadline)
        } else {
            epochTimer?.disarm()
        }
    }

    private func epochIsDue() {
        assembler.expire(bootMicroseconds: Clock.bootMicroseconds())
        drain()
    }

    private func heardOfPlaces() {
        silence.heard(at: Clock.bootMicroseconds())
        silenceTimer?.arm(atBootMicroseconds: silence.deadline)
    }

    /// The wire is alive, but nothing on it is about places.
    private func checkSilence() {
        let now = Clock.bootMicroseconds()
        if now < silence.deadline || now - silence.deadline > 2_000_000 {
            if now >= silence.deadline { silence.resumed(at: now) }
            silenceTimer?.arm(atBootMicroseconds: silence.deadline)
            return
        }
        report("\(receiver.address) sends no positions")
    }

    private func report(_ reason: String) {
        let isNews = problem != reason
        problem = reason
        if hasFix {
            hasFix = false
            placeListener?.placeSourceHasNoFix(self)
        }
        guard isStarted else { return }
        let new: SourceState = state == .ok || state == .lost ? .lost : .failed
        if new != state { change(to: new) } else if isNews { placeListener?.placeSourceChanged(self) }
    }

    private func change(to new: SourceState) {
        guard new != state else { return }
        state = new
        placeListener?.placeSourceChanged(self)
    }
}

extension NMEAPlaceSource: NMEAListener {
    func receiver(_ receiver: NMEAReceiver, heard sentence: NMEASentence, bootMicroseconds: Int64) {
        guard isStarted else { return }
        assembler.take(sentence, bootMicroseconds: bootMicroseconds)
        drain()
    }

    func receiverOpened(_ receiver: NMEAReceiver) {
        assembler.reset()
        silence = SilenceWatch(
            now: Clock.bootMicroseconds(), patience: NMEAReceiver.microseconds(receiver.timing.silence),
            grace: NMEAReceiver.microseconds(receiver.timing.firstReport))
        silenceTimer?.arm(atBootMicroseconds: silence.deadline)
    }

    func receiver(_ receiver: NMEAReceiver, failed reason: String) {
        epochTimer?.disarm()
        silenceTimer?.disarm()
        assembler.finish()
        while let report = assembler.next() {
            guard isStarted else { return }
            if case .fix(let fix) = report { placeListener?.placeSource(self, delivered: fix) }
        }
        guard isStarted else { return }
        assembler.reset()
        self.report(reason)
    }
}
