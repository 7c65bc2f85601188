internal import EventLoop
internal import LocateMeBusInterface
internal import LocateMeModel
internal import MagnetometerCalibration
internal import MessageBus

/// `Heading1` of one session: its own reference edge, its own filter, its waiting calls.
final class HeadingClient {
    private(set) var orientation = HeadingOrientation.portrait
    private(set) var showsCalibration = true
    private(set) var isRunning = false
    private let link: SessionLink
    private let service: HeadingService
    private let loop: EventLoop
    private var gate = HeadingGate()
    private var waiting: [PendingAnswer] = []
    private var isLossTold = false
    /// The question the owner was told, until it is settled or dismissed.
    private var askedReason: CalibrationAdvisor.Reason?
    private var dismissedReason: CalibrationAdvisor.Reason?

    /// How long `GetHeading` waits: less than the 25 s after which client libraries give up by themselves.
    private static let answerMilliseconds: Int64 = 20_000

    init(link: SessionLink, service: HeadingService, loop: EventLoop) {
        self.link = link
        self.service = service
        self.loop = loop
    }

    /// Degrees; negative: none.
    var filterDegrees: Double { gate.filterDegrees }

    /// True while headings are delivered or waited for.
    var isActive: Bool { isRunning || !waiting.isEmpty }

    // MARK: - What the owner does

    func start() throws(BusError) {
        guard !isRunning else { return }
        try requireSensor()
        isRunning = true
        isLossTold = false
        gate.reset()
        updateNeed()
        link.changed(LocateMeInterfaces.heading1, ["Running"])
    }

    func stop() {
        guard isRunning else { return }
        isRunning = false
        updateNeed()
        link.changed(LocateMeInterfaces.heading1, ["Running"])
    }

    /// Ends everything without telling, since the owner or the session is gone.
    func close() {
        isRunning = false
        for answer in waiting { answer.call.fail(BusError(.unknownObject, "the session was closed")) }
        waiting = []
        updateNeed()
    }

    func setFilter(_ degrees: Double) throws(BusError) {
        guard degrees.isFinite, degrees == -1 || (0...180).contains(degrees) else {
            throw BusError(.invalidArgs, "HeadingFilter is degrees from 0 to 180, or -1 for none")
        }
        guard degrees != filterDegrees else { return }
        gate.filterDegrees = degrees
        updateNeed()
        link.changed(LocateMeInterfaces.heading1, ["HeadingFilter"])
    }

    func setOrientation(_ number: UInt32) throws(BusError) {
        guard let orientation = HeadingOrientation(rawValue: number) else {
            throw BusError(
                .invalidArgs,
                "HeadingOrientation is 1 portrait, 2 upside down, 3 landscape left or 4 landscape right")
        }
        guard orientation != self.orientation else { return }
        self.orientation = orientation
        // The heading of another edge is another heading, however small the turn between them.
        gate.reset()
        link.changed(LocateMeInterfaces.heading1, ["HeadingOrientation"])
    }

    func setShowsCalibration(_ shows: Bool) {
        guard shows != showsCalibration else { return }
        showsCalibration = shows
        link.changed(LocateMeInterfaces.heading1, ["ShowCalibration"])
    }

    /// Answers with the next valid heading; at once if `known` is valid and young enough.
    func get(_ call: BusCall, maximumAgeMilliseconds: UInt32, known: Heading?) throws(BusError) {
        try requireSensor()
        if let known, known.accuracy >= 0, maximumAgeMilliseconds > 0,
            Clock.bootMicroseconds() - service.latestArrival <= Int64(maximumAgeMilliseconds) * 1000
        {
            return Self.reply(known, to: call)
        }
        waiting.append(
            PendingAnswer(call, loop: loop, timeoutMilliseconds: Self.answerMilliseconds) { [weak self] answer in
                self?.expire(answer)
            })
        updateNeed()
    }

    // MARK: - What the service does

    /// Takes a new estimate's heading, which is the session's.
    func take(_ news: inout HeadingNews) {
        if isRunning {
            isLossTold = false
            link.counters.headingsReceived += 1
            if gate.passes(magnetic: news.heading.magnetic, trueHeading: news.heading.trueHeading) {
                link.counters.headingsDelivered += 1
                tell(&news)
            } else {
                link.counters.headingsFiltered += 1
            }
        }
        guard !waiting.isEmpty, news.heading.accuracy >= 0 else { return }
        let answers = waiting
        waiting = []
        for answer in answers { Self.reply(news.heading, to: answer.call) }
        updateNeed()
    }

    private func tell(_ news: inout HeadingNews) {
        let heading = news.heading
        link.signal(LocateMeInterfaces.heading1, "HeadingUpdated", slot: "heading", shared: &news.message) {
            writer throws(BusError) in
            try writer.append(heading)
        }
    }

    /// The sensor is gone or silent.
    func lose(_ reason: String) {
        guard isRunning, !isLossTold else { return }
        isLossTold = true
        gate.reset()
        link.signal(LocateMeInterfaces.heading1, "HeadingLost", slot: "heading") { writer throws(BusError) in
            try writer.append(reason)
        }
    }

    /// The user should turn the device. Told once until it is settled or dismissed, and only to those who want it.
    func askForCalibration(_ reason: CalibrationAdvisor.Reason, quality: CalibrationQuality) {
        guard isRunning, showsCalibration, askedReason != reason, dismissedReason != reason else { return }
        askedReason = reason
        link.signal(LocateMeInterfaces.heading1, "CalibrationNeeded", slot: "calibration") { writer throws(BusError) in
            try writer.append(quality.rawValue)
            try writer.append(reason.rawValue)
        }
    }

    /// The question is settled.
    func settleCalibration(quality: CalibrationQuality) {
        dismissedReason = nil
        guard askedReason != nil else { return }
        askedReason = nil
        guard isRunning, showsCalibration else { return }
        link.signal(LocateMeInterfaces.heading1, "CalibrationResolved", slot: "calibration") {
            writer throws(BusError) in
            try writer.append(quality.rawValue)
        }
    }

    /// The owner does not want to be asked again for the present cause.
    func dismissCalibration() {
        dismissedReason = askedReason ?? dismissedReason
        askedReason = nil
    }

    /// The sensor has failed: nobody is left waiting for it.
    func failWaiting(_ reason: String) {
        guard !waiting.isEmpty else { return }
        let answers = waiting
        waiting = []
        for answer in answers { answer.call.fail(BusError(.headingFailure, reason)) }
        updateNeed()
    }

    // MARK: - Private

    private func requireSensor() throws(BusError) {
        if let reason = service.unavailableReason { throw BusError(.headingFailure, reason) }
    }

    private func updateNeed() {
        let single = waiting.isEmpty ? nil : HeadingRate.single
        let running = isRunning ? HeadingRate.hertz(filterDegrees: filterDegrees) : nil
        service.setNeed(self, rateHertz: [single, running].compactMap { $0 }.max()) { [weak self] in
            guard let self, waiting.isEmpty else { return .none }
            return HeadingPatience(turnDegrees: gate.headroomDegrees)
        }
    }

    private func expire(_ answer: PendingAnswer) {
        waiting.removeAll { $0 === answer }
        answer.call.fail(BusError(.headingFailure, service.silenceReason))
        updateNeed()
    }

    private static func reply(_ heading: Heading, to call: BusCall) {
        call.reply { writer throws(BusError) in try writer.append(heading) }
    }
}
