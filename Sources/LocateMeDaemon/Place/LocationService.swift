internal import EventLoop
internal import LocateMeModel
internal import LocationEngine

/// Hears the service of places.
protocol LocationServiceListener: AnyObject {
    /// The place of now, or a better one for now.
    func locationService(_ service: LocationService, found update: PlaceUpdate)
    /// No source knows the place any more.
    func locationServiceLostPlace(_ service: LocationService)
    /// The list of sources, or the state of one, changed.
    func locationServiceChanged(_ service: LocationService)
}

/// Runs the sources of places while somebody needs them, sends each one's fixes through a pipeline of its own and
/// tells the best of what comes through. Configured places cost nothing and are always on, so that the place is known
/// without waking anything.
final class LocationService {
    weak var listener: (any LocationServiceListener)?
    /// Called when somebody begins or ends to need the place.
    var needsChanged: () -> Void = {}
    private(set) var sources: [any PlaceSource] = []
    /// What sessions tell.
    let news = PlaceNews()
    /// False: switched off for everybody; no source runs and nothing is told.
    private(set) var isEnabled = true
    /// One for each source, since the order of times is the source's own.
    private var pipelines: [SourcePipeline] = []
    /// Why each source's latest fix did not come through; nil: it did.
    private var drops: [SourcePipeline.Drop?] = []
    private let log: Log
    private var arbiter: PlaceArbiter
    private var chosen: (source: Int, reason: PlaceArbiter.Reason)?
    private var stillness = StationaryDetector()
    private var needs: Set<ObjectIdentifier> = []
    private var hasPlace = false
    private var silence: LoopTimer?
    private var isSuspended = false
    /// CLOCK_BOOTTIME in µs until which no source counts as silent.
    private var graceEnd: Int64 = .min

    init(sources: [any PlaceSource], loop: EventLoop, log: Log) {
        self.log = log
        arbiter = PlaceArbiter(sources: sources.count)
        silence = loop.makeTimer { [weak self] in self?.checkSilence() }
        use(sources)
    }

    /// True while a source runs on somebody's behalf.
    var isNeeded: Bool { isEnabled && !needs.isEmpty }

    /// True if a source can be expected to deliver a place.
    var isAvailable: Bool {
        isEnabled && sources.contains { $0.placeState.state != .failed && $0.placeState.state != .lost }
    }

    /// The place now, nil if no source knows it.
    var current: Fix? {
        guard isEnabled else { return nil }
        return arbiter.current(now: Clock.bootMicroseconds()).map { refreshed(stillness.held($0)) }
    }

    /// The newest fix of a receiver, for keeping; nil if there never was one.
    var newest: Fix? { arbiter.newest }

    /// The place now or the last that was known, up to an age in µs; 0: any age.
    func lastKnown(maximumAge: Int64) -> Fix? {
        guard isEnabled else { return nil }
        return arbiter.lastKnown(maximumAge: maximumAge, now: Clock.bootMicroseconds()).map(refreshed)
    }

    /// Takes a fix that was kept at an earlier run: it is known, but not the place of now.
    func restore(_ fix: Fix) { arbiter.restore(fix) }

    /// Says whether `who` needs the place. The live sources run while anybody does.
    func setNeed(_ who: AnyObject, _ isNeeded: Bool) {
        let before = self.isNeeded
        if isNeeded { needs.insert(ObjectIdentifier(who)) } else { needs.remove(ObjectIdentifier(who)) }
        needsChanged()
        applyNeed(before: before)
    }

    /// Switches places on or off for everybody.
    func setEnabled(_ isEnabled: Bool) {
        guard isEnabled != self.isEnabled else { return }
        let before = isNeeded
        self.isEnabled = isEnabled
        applyNeed(before: before)
        if !isEnabled {
            hasPlace = false
            stillness.reset()
            listener?.locationServiceLostPlace(self)
        }
        listener?.locationServiceChanged(self)
    }

    /// Takes other sources in place of the present ones.
    func replace(with sources: [any PlaceSource]) {
        stopAll()
        let known = arbiter.newest
        arbiter = PlaceArbiter(sources: sources.count)
        if let known { arbiter.restore(known) }
        chosen = nil
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

    // MARK: - Sleep

    /// The machine goes to sleep: silence means nothing until it is back.
    func suspend() { isSuspended = true }

    /// The machine is back: what is known has aged, and sources get 15 s before the place counts as lost.
    func resume() {
        isSuspended = false
        graceEnd = Clock.bootMicroseconds() + Self.graceMicroseconds
        if isNeeded { silence?.arm(atBootMicroseconds: graceEnd) }
    }

    private static let graceMicroseconds: Int64 = 15_000_000

    // MARK: - Private

    private static func isConfigured(_ source: any PlaceSource) -> Bool { source.placeState.kind == "static" }

    private func applyNeed(before: Bool) {
        guard isNeeded != before else { return }
        for source in sources where !Self.isConfigured(source) {
            if isNeeded { source.start() } else { source.stop() }
        }
        if isNeeded { armSilence() } else { silence?.disarm() }
    }

    private func use(_ sources: [any PlaceSource]) {
        self.sources = sources
        pipelines = sources.map { _ in
            SourcePipeline(parameters: FixValidator.Parameters(earliestClock: ProductVersion.releaseRealMicroseconds))
        }
        drops = sources.map { _ in nil }
        stillness.reset()
        for source in sources {
            source.placeListener = self
            if Self.isConfigured(source) { source.start() }
        }
    }

    /// A configured place is true at any time, so its fix is always of now.
    private func refreshed(_ fix: Fix) -> Fix {
        guard fix.flags.contains(.fixed) else { return fix }
        var fix = fix
        fix.bootMicroseconds = Clock.bootMicroseconds()
        fix.realMicroseconds = Clock.realMicroseconds()
        fix.flags.remove(.cached)
        return fix
    }

    private func index(of source: any PlaceSource) -> Int? { sources.firstIndex { $0 === source } }

    private func armSilence() { silence?.arm(afterMicroseconds: PlaceArbiter.freshMicroseconds + 1000) }

    private func checkSilence() {
        guard !isSuspended else { return }
        if Clock.bootMicroseconds() < graceEnd {
            silence?.arm(atBootMicroseconds: graceEnd)
            return
        }
        guard hasPlace, arbiter.current(now: Clock.bootMicroseconds()) == nil else {
            if isNeeded, hasPlace { armSilence() }
            return
        }
        hasPlace = false
        chosen = nil
        listener?.locationServiceLostPlace(self)
    }

    /// Offers what came through a pipeline to the arbiter, and tells it if it is the place.
    private func offer(_ fix: Fix, from index: Int) {
        let now = Clock.bootMicroseconds()
        guard let place = arbiter.take(fix, from: index, now: now) else { return }
        tellChoice(now)
        hasPlace = true
        if isNeeded { armSilence() }
        _ = stillness.update(place)
        listener?.locationService(
            self,
            found: PlaceUpdate(
                fix: stillness.held(place), measured: place, isStationary: stillness.isStationary))
    }

    private func tellChoice(_ now: Int64) {
        guard let choice = arbiter.choice(now: now) else { return }
        guard choice.source != chosen?.source || choice.reason != chosen?.reason else { return }
        // One of a crowd that is the most accurate now and then is no news each time: the log keeps that down.
        log.info("the place is that of \(sources[choice.source].placeState.id): \(choice.reason.rawValue)")
        chosen = (choice.source, choice.reason)
    }
}

extension LocationService: PlaceSourceListener {
    func placeSource(_ source: any PlaceSource, delivered fix: Fix) {
        guard isEnabled || Self.isConfigured(source), let index = index(of: source) else { return }
        let clock = ClockReading(
            realMicroseconds: Clock.realMicroseconds(), bootMicroseconds: Clock.bootMicroseconds(),
            isSynchronized: Clock.isRealTimeSynchronized())
        var through: (first: Fix?, second: Fix?) = (nil, nil)
        let drop = pipelines[index].take(fix, at: clock) { fix in
            if through.first == nil { through.first = fix } else { through.second = fix }
        }
        if let drop, drop != .repeated, drop != drops[index] {
            // Only when the reason changes: a receiver repeats its nonsense each second.
            log.info("\(source.placeState.id): fixes are not usable (\(drop.text)), ignoring them")
        }
        if drop != .repeated { drops[index] = drop }
        if let first = through.first { offer(first, from: index) }
        if let second = through.second { offer(second, from: index) }
    }

    func placeSourceHasNoFix(_ source: any PlaceSource) {
        guard let index = index(of: source) else { return }
        arbiter.lose(index)
        checkSilence()
    }

    func placeSourceChanged(_ source: any PlaceSource) {
        let state = source.placeState
        log.info("place source \(state.id) is \(state.state.word)" + (source.problem.map { ": \($0)" } ?? ""))
        if let index = index(of: source), state.state == .lost || state.state == .failed {
            arbiter.lose(index)
            checkSilence()
        }
        listener?.locationServiceChanged(self)
    }
}
