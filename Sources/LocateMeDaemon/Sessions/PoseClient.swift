internal import EventLoop
internal import LocateMeBusInterface
internal import LocateMeModel
internal import LocationEngine
internal import MessageBus

/// `Pose1` of one session: place and heading in one signal, each with the filters of `Location1` and `Heading1` but
/// with its own memory of what was delivered.
final class PoseClient {
    private(set) var isRunning = false
    private let link: SessionLink
    private let headings: HeadingService
    private let places: LocationService
    private let loop: EventLoop
    private var gate = HeadingGate()
    private var stream = LocationStream()
    private var waiting: [Waiting] = []
    private var fix: Fix?
    private var heading: Heading?
    /// CLOCK_BOOTTIME in µs at which `heading` came in.
    private var headingArrival: Int64 = .min

    /// The place as the owner may know it, up to an age in µs.
    var visiblePlace: (Int64) -> Fix? = { _ in nil }
    /// False while the background leaves no places.
    private var isPlaceAllowed = true

    private struct Waiting {
        var answer: PendingAnswer
        /// CLOCK_BOOTTIME in µs before which fix and heading are too old.
        var since: Int64
    }

    /// How long `Get` waits for what is missing.
    private static let answerMilliseconds: Int64 = 5000

    init(link: SessionLink, headings: HeadingService, places: LocationService, loop: EventLoop) {
        self.link = link
        self.headings = headings
        self.places = places
        self.loop = loop
    }

    /// True while poses are delivered or waited for.
    var isActive: Bool { isRunning || !waiting.isEmpty }

    // MARK: - What the owner does

    func start(filterDegrees: Double, settings: LocationSettings, known: Fix?) {
        guard !isRunning else { return }
        isRunning = true
        gate.filterDegrees = filterDegrees
        gate.reset()
        stream.reset()
        updateNeed()
        link.changed(LocateMeInterfaces.pose1, ["Running"])
        if let known { take(known, settings: settings) }
    }

    func stop() {
        guard isRunning else { return }
        isRunning = false
        updateNeed()
        link.changed(LocateMeInterfaces.pose1, ["Running"])
    }

    /// `Heading1.HeadingFilter` was changed; it holds here too.
    func setFilter(_ degrees: Double) {
        gate.filterDegrees = degrees
        updateNeed()
    }

    /// Power or foreground have changed.
    func setPlacesAllowed(_ isAllowed: Bool) {
        guard isAllowed != isPlaceAllowed else { return }
        isPlaceAllowed = isAllowed
        updateNeed()
    }

    /// The heading of another edge is another heading.
    func orientationChanged() { gate.reset() }

    /// Ends everything without telling, since the owner or the session is gone.
    func close() {
        isRunning = false
        for entry in waiting { entry.answer.call.fail(BusError(.unknownObject, "the session was closed")) }
        waiting = []
        updateNeed()
    }

    /// Answers when place and heading are known and young enough, after 5 s with what is known.
    func get(_ call: BusCall, maximumAgeMilliseconds: UInt32, known: Heading?) {
        let age = maximumAgeMilliseconds == 0 ? Int64.max : Int64(maximumAgeMilliseconds) * 1000
        let now = Clock.bootMicroseconds()
        fix = visiblePlace(maximumAgeMilliseconds == 0 ? 0 : age)
        if let known {
            heading = known
            headingArrival = headings.latestArrival
        }
        let answer = PendingAnswer(call, loop: loop, timeoutMilliseconds: Self.answerMilliseconds) {
            [weak self] answer in self?.expire(answer)
        }
        waiting.append(Waiting(answer: answer, since: age == .max ? .min : now - age))
        answerWaiting()
        updateNeed()
    }

    // MARK: - What the services do

    /// Takes the session's heading of a new estimate.
    func take(_ heading: Heading) {
        self.heading = heading
        headingArrival = headings.latestArrival
        if isRunning {
            link.counters.headingsReceived += 1
            if gate.passes(heading) {
                link.counters.headingsDelivered += 1
                tell(.heading)
            } else {
                link.counters.headingsFiltered += 1
            }
        }
        answerWaiting()
    }

    /// Takes the place of now.
    func take(_ fix: Fix, settings: LocationSettings) {
        self.fix = fix
        if isRunning {
            link.counters.fixesReceived += 1
            guard isPlaceAllowed else { return link.counters.withhold(.background) }
            let reason = stream.take(fix, settings: settings, now: Clock.bootMicroseconds()) { passed in
                link.counters.fixesDelivered += 1
                self.fix = passed
                tell(.location)
            }
            if let reason { link.counters.withhold(reason) }
        }
        answerWaiting()
    }

    /// The sensor is gone or silent: the last pose no longer has a heading.
    func loseHeading() {
        let had = isValid(heading)
        heading = nil
        gate.reset()
        if isRunning, had { tell(.heading) }
    }

    /// No source knows the place any more.
    func loseFix() {
        let had = fix != nil
        fix = nil
        if isRunning, had { tell(.location) }
    }

    // MARK: - Private

    private func isValid(_ heading: Heading?) -> Bool { (heading?.accuracy ?? -1) >= 0 }

    private func updateNeed() {
        let single = waiting.isEmpty ? nil : HeadingRate.single
        let running = isRunning ? HeadingRate.hertz(filterDegrees: gate.filterDegrees) : nil
        headings.setNeed(self, rateHertz: [single, running].compactMap { $0 }.max()) { [weak self] in
            guard let self, waiting.isEmpty else { return .none }
            return HeadingPatience(turnDegrees: gate.headroomDegrees)
        }
        places.setNeed(self, !waiting.isEmpty || isRunning && isPlaceAllowed)
    }

    private func tell(_ changed: PoseParts) {
        link.signal(LocateMeInterfaces.pose1, "PoseUpdated", slot: "pose") { writer throws(BusError) in
            try writer.append(changed.rawValue)
            try self.write(to: &writer, fix: fix, heading: heading)
        }
    }

    private func write(to writer: inout BusWriter, fix: Fix?, heading: Heading?) throws(BusError) {
        var valid: PoseParts = fix != nil ? .location : []
        if isValid(heading) { valid.insert(.heading) }
        try writer.append(valid.rawValue)
        try writer.append(fix ?? .unknown)
        try writer.append(heading ?? .unknown)
    }

    /// Answers the calls for which everything is there that can be had.
    private func answerWaiting() {
        guard !waiting.isEmpty else { return }
        let now = Clock.bootMicroseconds()
        let isHeadingDone = { (since: Int64) in
            !self.headings.isAvailable || (self.isValid(self.heading) && self.headingArrival >= since)
        }
        let isFixDone = { (since: Int64) in
            guard let fix = self.fix else { return !self.places.isAvailable }
            return fix.flags.contains(.fixed) || fix.bootMicroseconds >= since || since > now
        }
        let done = waiting.filter { isHeadingDone($0.since) && isFixDone($0.since) }
        guard !done.isEmpty else { return }
        waiting.removeAll { entry in done.contains { $0.answer === entry.answer } }
        for entry in done { reply(entry) }
        updateNeed()
    }

    private func expire(_ answer: PendingAnswer) {
        guard let index = waiting.firstIndex(where: { $0.answer === answer }) else { return }
        reply(waiting.remove(at: index))
        updateNeed()
    }

    private func reply(_ entry: Waiting) {
        let young = fix.flatMap { $0.flags.contains(.fixed) || $0.bootMicroseconds >= entry.since ? $0 : nil }
        let fresh = headingArrival >= entry.since ? heading : nil
        let numbered = young.map { stream.numbered($0) }
        entry.answer.call.reply { writer throws(BusError) in
            try self.write(to: &writer, fix: numbered, heading: fresh)
        }
    }
}
