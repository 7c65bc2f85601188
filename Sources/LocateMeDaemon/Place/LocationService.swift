internal import EventLoop
internal import LocateMeModel
internal import LocationEngine

/// Hears of the place, whichever source it is from.
protocol LocationServiceListener: AnyObject {
    /// A new fix is the place.
    func locationService(_ service: LocationService, found fix: Fix)
    /// There was a place, and now no source knows it any more.
    func locationServiceLostPlace(_ service: LocationService)
    /// The sources' states changed.
    func locationServiceChanged(_ service: LocationService)
}

/// The sources of fixes: switched on while somebody needs a place, judged, and merged to one place.
///
/// Configured places cost nothing and are always on, so that the place is known without waking anything.
final class LocationService {
    weak var listener: (any LocationServiceListener)?
    /// Called when somebody begins or ends to need the place.
    var needsChanged: () -> Void = {}
    private(set) var sources: [any PlaceSource] = []
    /// One for each source, since the order of times is the source's own.
    private var validators: [FixValidator] = []
    private let log: Log
    private var arbiter: PlaceArbiter
    private var needs: Set<ObjectIdentifier> = []
    private var hasPlace = false
    private var silence: LoopTimer?

    init(sources: [any PlaceSource], loop: EventLoop, log: Log) {
        self.log = log
        arbiter = PlaceArbiter(sources: sources.count)
        silence = loop.makeTimer { [weak self] in self?.checkSilence() }
        use(sources)
    }

    /// True while a source runs on somebody's behalf.
    var isNeeded: Bool { !needs.isEmpty }

    /// True if a source can be expected to deliver a place.
    var isAvailable: Bool { sources.contains { $0.placeState.state != .failed && $0.placeState.state != .lost } }

    /// The place now, nil if no source knows it.
    var current: Fix? { refreshed(arbiter.current(now: Clock.bootMicroseconds())) }

    /// The place now or the last that was known, up to an age in µs; 0: any age.
    func lastKnown(maximumAge: Int64) -> Fix? {
        refreshed(arbiter.lastKnown(maximumAge: maximumAge, now: Clock.bootMicroseconds()))
    }

    /// Says whether `who` needs the place. The live sources run while anybody does.
    func setNeed(_ who: AnyObject, _ isNeeded: Bool) {
        let before = self.isNeeded
        if isNeeded { needs.insert(ObjectIdentifier(who)) } else { needs.remove(ObjectIdentifier(who)) }
        needsChanged()
        guard self.isNeeded != before else { return }
        for source in sources where !Self.isConfigured(source) {
            if self.isNeeded { source.start() } else { source.stop() }
        }
        if self.isNeeded { armSilence() } else { silence?.disarm() }
    }

    /// Takes other sources in place of the present ones.
    func replace(with sources: [any PlaceSource]) {
        stopAll()
        arbiter = PlaceArbiter(sources: sources.count)
        use(sources)
        if isNeeded { for source in sources where !Self.isConfigured(source) { source.start() } }
        listener?.locationServiceChanged(self)
    }

    /// Switches everything off.
    func stopAll() {
        for source in sources {
            source.stop()
            source.placeListener = nil
        }
        silence?.disarm()
    }

    // MARK: - Private

    private static func isConfigured(_ source: any PlaceSource) -> Bool { source.placeState.kind == "static" }

    private func use(_ sources: [any PlaceSource]) {
        self.sources = sources
        validators = sources.map { _ in
            FixValidator(parameters: FixValidator.Parameters(earliestClock: DaemonVersion.releaseRealMicroseconds))
        }
        for source in sources {
            source.placeListener = self
            if Self.isConfigured(source) { source.start() }
        }
    }

    /// A configured place is true at any time, so its fix is always of now.
    private func refreshed(_ fix: Fix?) -> Fix? {
        guard var fix, fix.flags.contains(.fixed) else { return fix }
        fix.bootMicroseconds = Clock.bootMicroseconds()
        fix.realMicroseconds = Clock.realMicroseconds()
        fix.flags.remove(.cached)
        return fix
    }

    private func index(of source: any PlaceSource) -> Int? { sources.firstIndex { $0 === source } }

    private func armSilence() { silence?.arm(afterMicroseconds: PlaceArbiter.freshMicroseconds + 1000) }

    private func checkSilence() {
        guard hasPlace, arbiter.current(now: Clock.bootMicroseconds()) == nil else {
            if isNeeded, hasPlace { armSilence() }
            return
        }
        hasPlace = false
        listener?.locationServiceLostPlace(self)
    }
}

extension LocationService: PlaceSourceListener {
    func placeSource(_ source: any PlaceSource, delivered fix: Fix) {
        guard let index = index(of: source) else { return }
        let clock = ClockReading(
            realMicroseconds: Clock.realMicroseconds(), bootMicroseconds: Clock.bootMicroseconds(),
            isSynchronized: Clock.isRealTimeSynchronized())
        let dropBefore = validators[index].latestDrop
        let verdict = validators[index].validate(fix, at: clock)
        guard let valid = verdict.fix else {
            // Only when the reason changes: a receiver repeats its nonsense each second.
            if let reason = validators[index].latestDrop, reason != dropBefore {
                log.info("\(source.placeState.id): fixes are not valid (\(reason.rawValue)), ignoring them")
            }
            return
        }
        guard let place = arbiter.take(valid, from: index, now: Clock.bootMicroseconds()) else { return }
        hasPlace = true
        if isNeeded { armSilence() }
        listener?.locationService(self, found: place)
    }

    func placeSourceHasNoFix(_ source: any PlaceSource) {
        guard let index = index(of: source) else { return }
        arbiter.lose(index)
        checkSilence()
    }

    func placeSourceChanged(_ source: any PlaceSource) {
        let state = source.placeState
        log.info("place source \(state.id) is \(state.state.word)")
        if let index = index(of: source), state.state == .lost || state.state == .failed {
            arbiter.lose(index)
            checkSilence()
        }
        listener?.locationServiceChanged(self)
    }
}
