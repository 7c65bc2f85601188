internal import EventLoop
internal import LocateMeBusInterface
internal import LocateMeModel
internal import LocationEngine
internal import MessageBus

/// `Location1` of one session: its settings, its filters, its requests, and what the background leaves of them.
final class LocationClient {
    private(set) var settings: LocationSettings
    private(set) var mode = LocationMode.stopped
    /// What the session gets in its present circumstances.
    private(set) var duty = LocationDuty.continuous
    /// True if the owner learns coarse places only: the same cell is not told twice.
    var isCoarse = false
    private let link: SessionLink
    private let service: LocationService
    private let loop: EventLoop
    private let poll: PollCycle
    private var stream = LocationStream()
    private var significance = SignificantChangeDetector()
    private var batch = FixBatch()
    private var batchTimer: LoopTimer?
    private var acceptTimer: LoopTimer?
    private var requests: [FixRequest] = []

    init(settings: LocationSettings, link: SessionLink, service: LocationService, loop: EventLoop) {
        self.settings = settings
        self.link = link
        self.service = service
        self.loop = loop
        poll = PollCycle(loop: loop)
        batchTimer = loop.makeTimer { [weak self] in self?.flush() }
        acceptTimer = loop.makeTimer { [weak self] in self?.acceptBest() }
        poll.changed = { [weak self] in self?.updateNeed() }
    }

    /// True while fixes are delivered or waited for.
    var isActive: Bool { mode != .stopped || !requests.isEmpty }

    // MARK: - What the owner does

    /// Starts updates; `known` is a place to begin with, if one is young enough.
    func start(known: Fix?) {
        guard mode == .stopped else { return }
        stream.reset()
        significance = SignificantChangeDetector()
        change(to: duty == .paused ? .paused : .running, .call)
        applyDuty()
        if let known { take(known, isStationary: false) }
    }

    func stop(_ reason: LocationModeReason = .call) {
        guard mode != .stopped else { return }
        flush()
        acceptTimer?.disarm()
        poll.stop()
        change(to: .stopped, reason)
        updateNeed()
    }

    /// Ends everything without telling, since the owner or the session is gone.
    func close() {
        mode = .stopped
        _ = batch.removeAll()
        batchTimer?.disarm()
        acceptTimer?.disarm()
        poll.stop()
        failRequests(BusError(.unknownObject, "the session was closed"))
    }

    /// Ends updates and requests, since the permission is gone or places are switched off.
    func refuse(_ error: BusError) {
        stop(.permission)
        failRequests(error)
    }

    /// Changes settings, or throws `.invalidArgs` and changes nothing.
    func change(_ names: [String], _ edit: (inout LocationSettings) -> Void) throws(BusError) {
        var edited = settings
        edit(&edited)
        if let objection = edited.objection { throw BusError(.invalidArgs, objection) }
        guard edited != settings else { return }
        settings = edited
        if settings.maximumDelayMilliseconds == 0 { flush() }
        link.changed(LocateMeInterfaces.location1, names)
    }

    /// Sends what waits in the batch; returns how many fixes that were.
    @discardableResult
    func flush() -> UInt32 {
        batchTimer?.disarm()
        guard batch.deadline != nil else { return 0 }
        let fixes = batch.removeAll()
        link.counters.fixesDelivered += UInt64(fixes.count)
        guard fixes.count == 1 else {
            link.signal(LocateMeInterfaces.location1, "LocationsUpdated", slot: "location") { writer throws(BusError) in
                try writer.append(fixes)
            }
            return UInt32(fixes.count)
        }
        // Sessions with the same count of places before it tell the same.
        let news = service.news
        news.begin(fixes[0])
        link.signal(LocateMeInterfaces.location1, "LocationsUpdated", slot: "location", shared: &news.message) {
            writer throws(BusError) in
            try writer.append(fixes)
        }
        return UInt32(fixes.count)
    }

    /// Answers with a fix as soon as one is accurate and young enough, with the best at the time-out. `known` is the last
    /// place that is young enough, without an age the place of now.
    func request(
        accuracy: Double, timeoutMilliseconds: UInt32, maximumAgeMilliseconds: UInt32, known: Fix?, _ call: BusCall
    ) {
        // Without an age what came in before the call is too old.
        let oldest = Clock.bootMicroseconds() - Int64(maximumAgeMilliseconds) * 1000
        if maximumAgeMilliseconds > 0, let known, FixRequest.suffices(known, accuracy: accuracy, since: oldest) {
            return reply(known, to: call)
        }
        guard requests.count < Self.maximumRequests else {
            return call.fail(
                BusError(.limitsExceeded, "\(Self.maximumRequests) requests of this session wait already"))
        }
        let request = FixRequest(accuracy: accuracy, since: oldest)
        request.answer = PendingAnswer(call, loop: loop, timeoutMilliseconds: Int64(timeoutMilliseconds)) {
            [weak self, weak request] answer in
            guard let self, let request else { return }
            expire(request, answer.call)
        }
        requests.append(request)
        updateNeed()
        if let known { offer(known) }
    }

    // MARK: - What the service does

    /// Takes the place of now.
    func take(_ fix: Fix, isStationary: Bool) {
        offer(fix)
        guard mode != .stopped else { return }
        link.counters.fixesReceived += 1
        guard duty != .paused else { return link.counters.withhold(.background) }
        var isStateChange = false
        if mode == .lost {
            change(to: .running, .fixAgain)
            isStateChange = true
        }
        if isStationary, settings.pausesAutomatically {
            guard mode != .stationary else { return link.counters.withhold(.stationary) }
            change(to: .stationary, .standingStill)
            isStateChange = true
        } else if mode == .stationary {
            change(to: .running, .moving)
            isStateChange = true
        }
        let isLook = poll.isOpen
        poll.close()
        if duty == .significant, !significance.update(fix) { return link.counters.withhold(.background) }
        let reason = stream.take(
            fix, settings: effectiveSettings(isLook: isLook), now: Clock.bootMicroseconds(),
            isStateChange: isStateChange
        ) { deliver($0) }
        armAcceptance()
        if let reason { link.counters.withhold(reason) }
    }

    /// No source knows the place any more.
    func lose() {
        guard mode == .running || mode == .stationary else { return }
        change(to: .lost, .noFix)
    }

    /// Power or foreground have changed: puts in force what the session gets now.
    func setDuty(_ duty: LocationDuty) {
        guard duty != self.duty else { return }
        let wasPaused = self.duty == .paused
        self.duty = duty
        guard mode != .stopped else { return }
        if duty == .paused {
            flush()
            acceptTimer?.disarm()
            change(to: .paused, .background)
        } else if wasPaused {
            change(to: .running, .background)
        }
        applyDuty()
    }

    /// After a resume or an unlocked screen, those who get a place now and then get one.
    func hurry() { poll.hurry() }

    // MARK: - Private

    private static let maximumRequests = 64

    /// The owner's settings with what the circumstances add. `isLook`: for a fix that was waited for by a session that gets
    /// one now and then, which is told however early the look was, such as after a resume.
    private func effectiveSettings(isLook: Bool) -> LocationSettings {
        var effective = settings
        switch duty {
        case .periodic where isLook: break
        case .reduced(let seconds), .periodic(let seconds):
            effective.minimumIntervalMilliseconds = max(effective.minimumIntervalMilliseconds, seconds * 1000)
        case .continuous, .significant, .paused: break
        }
        if isCoarse { effective.distanceFilter = max(effective.distanceFilter, 1) }
        return effective
    }

    private func applyDuty() {
        guard mode != .stopped else { return poll.stop() }
        switch duty {
        case .continuous, .reduced, .paused: poll.stop()
        case .periodic(let seconds): poll.start(everySeconds: seconds)
        case .significant: poll.start(everySeconds: SignificantChangeDetector.interval)
        }
        updateNeed()
    }

    private func updateNeed() {
        let runs = mode != .stopped
        let needs =
            switch duty {
            case .continuous, .reduced: runs
            case .periodic, .significant: runs && poll.isOpen
            case .paused: false
            }
        service.setNeed(self, needs || !requests.isEmpty)
    }

    private func change(to mode: LocationMode, _ reason: LocationModeReason) {
        self.mode = mode
        link.signal(LocateMeInterfaces.location1, "ModeChanged", slot: "mode") { writer throws(BusError) in
            try writer.append(mode.rawValue)
            try writer.append(reason.rawValue)
        }
        link.changed(LocateMeInterfaces.location1, ["Mode"])
    }

    private func deliver(_ fix: Fix) {
        let delay = settings.maximumDelayMilliseconds
        if batch.add(fix, maximumDelayMilliseconds: delay, now: Clock.bootMicroseconds()) {
            flush()
        } else if let deadline = batch.deadline {
            batchTimer?.arm(atBootMicroseconds: deadline)
        }
    }

    private func armAcceptance() {
        if let deadline = stream.deadline {
            acceptTimer?.arm(atBootMicroseconds: deadline)
        } else if acceptTimer?.isArmed == true {
            acceptTimer?.disarm()
        }
    }

    private func acceptBest() {
        guard mode != .stopped, let fix = stream.expire(settings: effectiveSettings(isLook: true)) else { return }
        deliver(fix)
    }

    private func offer(_ fix: Fix) {
        guard !requests.isEmpty else { return }
        for request in requests where request.take(fix) { finish(request, with: fix) }
    }

    private func finish(_ request: FixRequest, with fix: Fix) {
        requests.removeAll { $0 === request }
        if let call = request.answer?.call { reply(fix, to: call) }
        updateNeed()
    }

    private func expire(_ request: FixRequest, _ call: BusCall) {
        requests.removeAll { $0 === request }
        if var best = request.best {
            best.flags.insert(.bestAvailable)
            reply(best, to: call)
        } else {
            call.fail(BusError(.locationUnknown, "no source has delivered a fix in time"))
        }
        updateNeed()
    }

    private func failRequests(_ error: BusError) {
        for request in requests { request.answer?.call.fail(error) }
        requests = []
        updateNeed()
    }

    private func reply(_ fix: Fix, to call: BusCall) {
        let numbered = stream.numbered(fix)
        call.reply { writer throws(BusError) in try writer.append(numbered) }
    }
}
