internal import EventLoop
internal import LocateMeBusInterface
internal import LocateMeModel
internal import MessageBus

/// `Location1` of one session: its settings, its filters, its requests.
final class LocationClient {
    private(set) var settings: LocationSettings
    private(set) var mode = LocationMode.stopped
    private let link: SessionLink
    private let service: LocationService
    private let loop: EventLoop
    private var stream = LocationStream()
    private var batch: [Fix] = []
    private var batchTimer: LoopTimer?
    private var acceptTimer: LoopTimer?
    private var requests: [FixRequest] = []

    /// A batch never holds more; then it goes out early.
    private static let maximumBatch = 1000

    init(settings: LocationSettings, link: SessionLink, service: LocationService, loop: EventLoop) {
        self.settings = settings
        self.link = link
        self.service = service
        self.loop = loop
        batchTimer = loop.makeTimer { [weak self] in self?.flush() }
        acceptTimer = loop.makeTimer { [weak self] in self?.acceptBest() }
    }

    /// True while fixes are delivered or waited for.
    var isActive: Bool { mode != .stopped || !requests.isEmpty }

    // MARK: - What the owner does

    func start() {
        guard mode == .stopped else { return }
        stream.reset()
        change(to: .running, .call)
        updateNeed()
        let maximumAge = Int64(settings.maximumAgeMilliseconds) * 1000
        if let known = service.lastKnown(maximumAge: max(maximumAge, 1)) { take(known) }
    }

    func stop() {
        guard mode != .stopped else { return }
        flush()
        acceptTimer?.disarm()
        change(to: .stopped, .call)
        updateNeed()
    }

    /// Ends everything without telling, since the owner or the session is gone.
    func close() {
        mode = .stopped
        batch = []
        batchTimer?.disarm()
        acceptTimer?.disarm()
        for request in requests {
            request.answer?.call.fail(BusError(.unknownObject, "the session was closed"))
        }
        requests = []
        updateNeed()
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
        guard !batch.isEmpty else { return 0 }
        let fixes = batch
        batch = []
        link.counters.fixesDelivered += UInt64(fixes.count)
        link.signal(LocateMeInterfaces.location1, "LocationsUpdated", slot: "location") { writer throws(BusError) in
            try writer.append(fixes)
        }
        return UInt32(fixes.count)
    }

    /// Answers with a fix as soon as one is accurate and young enough, with the best at the time-out.
    func request(accuracy: Double, timeoutMilliseconds: UInt32, maximumAgeMilliseconds: UInt32, _ call: BusCall) {
        let oldest = Clock.bootMicroseconds() - Int64(maximumAgeMilliseconds) * 1000
        if maximumAgeMilliseconds > 0, let known = service.current,
            FixRequest.suffices(known, accuracy: accuracy, since: oldest)
        {
            return reply(known, to: call)
        }
        // Written when it comes in, the age decides: what came in before the call is too old.
        let request = FixRequest(accuracy: accuracy, since: Clock.bootMicroseconds())
        request.answer = PendingAnswer(call, loop: loop, timeoutMilliseconds: Int64(timeoutMilliseconds)) {
            [weak self, weak request] answer in
            guard let self, let request else { return }
            expire(request, answer.call)
        }
        requests.append(request)
        updateNeed()
        if let known = service.current { offer(known) }
    }

    // MARK: - What the service does

    /// Takes the place of now.
    func take(_ fix: Fix) {
        offer(fix)
        guard mode != .stopped else { return }
        if mode == .lost { change(to: .running, .fixAgain) }
        link.counters.fixesReceived += 1
        let accepted = stream.take(fix, settings: settings, now: Clock.bootMicroseconds())
        armAcceptance()
        if let accepted { deliver(accepted) } else { link.counters.fixesFiltered += 1 }
    }

    /// No source knows the place any more.
    func lose() {
        guard mode == .running else { return }
        change(to: .lost, .noFix)
    }

    // MARK: - Private

    private func updateNeed() { service.setNeed(self, isActive) }

    private func change(to mode: LocationMode, _ reason: LocationModeReason) {
        self.mode = mode
        link.signal(LocateMeInterfaces.location1, "ModeChanged", slot: "mode") { writer throws(BusError) in
            try writer.append(mode.rawValue)
            try writer.append(reason.rawValue)
        }
        link.changed(LocateMeInterfaces.location1, ["Mode"])
    }

    private func deliver(_ fix: Fix) {
        batch.append(fix)
        if settings.maximumDelayMilliseconds == 0 || batch.count >= Self.maximumBatch {
            flush()
        } else if batch.count == 1 {
            batchTimer?.arm(afterMicroseconds: Int64(settings.maximumDelayMilliseconds) * 1000)
        }
    }

    private func armAcceptance() {
        if let deadline = stream.deadline {
            acceptTimer?.arm(atBootMicroseconds: deadline)
        } else {
            acceptTimer?.disarm()
        }
    }

    private func acceptBest() {
        guard mode != .stopped, let fix = stream.expire(settings: settings) else { return }
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

    private func reply(_ fix: Fix, to call: BusCall) {
        let numbered = stream.numbered(fix)
        call.reply { writer throws(BusError) in try writer.append(numbered) }
    }
}
