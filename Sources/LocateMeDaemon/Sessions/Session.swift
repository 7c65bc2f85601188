internal import EventLoop
internal import HeadingEstimation
internal import LocateMeBusInterface
internal import LocateMeModel
internal import LocationEngine
internal import MessageBus

/// One client's session: what it asked for, what it may know, and its share of headings and places.
final class Session {
    let identifier: SessionIdentifier
    let options: SessionOptions
    let link: SessionLink
    let heading: HeadingClient
    let location: LocationClient
    let pose: PoseClient
    /// Whose the session is.
    let client: ClientIdentity
    /// What the owner may know of the place.
    private(set) var grant = LocationGrant.undetermined
    /// False until it was decided, which takes a moment where polkit is asked.
    private(set) var isDecided = false
    /// False if the client says that it is in the background.
    private(set) var isForeground = true
    /// What the session gets in its present circumstances.
    private(set) var duty = LocationDuty.continuous
    /// `SignificantChange1.Distance`, metres.
    var significantDistance = SignificantChangeDetector.distance
    /// `SignificantChange1.MinimumInterval`, seconds.
    var significantInterval = SignificantChangeDetector.interval
    private let places: LocationService
    private let coarse: CoarsePlaces
    private let power: PowerService
    private var reference = HeadingReference()
    private var waiting: [() -> Void] = []

    /// Calls that may wait for the decision.
    private static let maximumWaiting = 64

    init(
        identifier: SessionIdentifier, options: SessionOptions, grant: LocationGrant?, link: SessionLink,
        headings: HeadingService, places: LocationService, coarse: CoarsePlaces, power: PowerService, loop: EventLoop
    ) {
        self.identifier = identifier
        self.options = options
        self.link = link
        self.places = places
        self.coarse = coarse
        self.power = power
        client = ClientIdentity(userID: link.owner.credentials.userID, applicationID: options.applicationID)
        var settings = LocationSettings()
        if let preset = options.preset { settings.apply(preset) }
        heading = HeadingClient(link: link, service: headings, loop: loop)
        location = LocationClient(settings: settings, link: link, service: places, loop: loop)
        pose = PoseClient(link: link, headings: headings, places: places, loop: loop)
        pose.visiblePlace = { [weak self] maximumAge in self?.lastKnown(maximumAge) }
        // Nothing is told: the object is not on the bus yet.
        if let grant { decide(grant) } else { updateDuty() }
    }

    /// True while the session gets or waits for anything.
    var isActive: Bool { heading.isActive || location.isActive || pose.isActive }

    /// True while the session gets a place now and then only, and again when the screen is unlocked.
    var isPeriodic: Bool {
        if case .periodic = duty { location.isActive } else { false }
    }

    /// True while the session needs headings whose true north it may know.
    var wantsTrueHeading: Bool { grant.isGranted && (heading.isActive || pose.isActive) }

    /// False if places are switched off for everybody.
    var isServiceEnabled: Bool { places.isEnabled }

    // MARK: - Permission

    /// Calls `body` when it is decided what the owner may know, at once if that has been.
    func whenDecided(_ body: @escaping () -> Void) {
        guard !isDecided, waiting.count < Self.maximumWaiting else { return body() }
        waiting.append(body)
    }

    /// Puts a decision in force.
    func decide(_ grant: LocationGrant) {
        let before = self.grant
        self.grant = grant
        isDecided = true
        location.isCoarse = grant.accuracy == .reduced
        if grant != before {
            var names: [String] = []
            if grant.status != before.status { names.append("Authorization") }
            if grant.accuracy != before.accuracy { names.append("AccuracyAuthorization") }
            link.changed(LocateMeInterfaces.session1, names)
            if before.isGranted, !grant.isGranted {
                refusePlaces(BusError(.denied, "the permission to know places was withdrawn"))
            }
        }
        updateDuty()
        let calls = waiting
        waiting = []
        for call in calls { call() }
    }

    /// Ends what needs places, and says why.
    func refusePlaces(_ error: BusError) {
        let wasActive = location.isActive || pose.isRunning
        location.refuse(error)
        pose.stop()
        if wasActive { fail(error) }
    }

    /// Tells the owner of something that failed and that no call is waiting for.
    func fail(_ error: BusError) {
        link.signal(LocateMeInterfaces.session1, "Error", slot: "error \(error.code.rawValue)") {
            writer throws(BusError) in
            try writer.append(error.code.rawValue)
            try writer.append(error.text)
            try writer.append([String: BusValue]())
        }
    }

    // MARK: - Power and background

    /// The client says where it is.
    func setForeground(_ isForeground: Bool) {
        guard isForeground != self.isForeground else { return }
        self.isForeground = isForeground
        updateDuty()
    }

    /// Power, policy, permission or foreground may have changed.
    func updateDuty() {
        var duty = power.duty(of: client, isForeground: isForeground)
        if grant.status == .whenInUse, !isForeground { duty = .paused }
        guard duty != self.duty else { return }
        let before = self.duty.backgroundNumber
        self.duty = duty
        location.setDuty(duty)
        pose.setPlacesAllowed(duty.isSteady)
        if duty.backgroundNumber != before { link.changed(LocateMeInterfaces.session1, ["Background"]) }
    }

    // MARK: - Places

    /// A place as the owner may know it.
    func visible(_ fix: Fix) -> Fix {
        grant.accuracy == .reduced ? coarse.coarsen(fix, for: client) : fix
    }

    /// The place now or the last that was known, as the owner may know it; 0: any age, in µs.
    func lastKnown(_ maximumAge: Int64) -> Fix? {
        guard grant.isGranted else { return nil }
        return places.lastKnown(maximumAge: maximumAge).map(visible)
    }

    /// The place of now, as the owner may know it.
    var currentPlace: Fix? { grant.isGranted ? places.current.map(visible) : nil }

    /// The place to begin with, if one is known that is young enough.
    var knownPlace: Fix? { lastKnown(max(Int64(location.settings.maximumAgeMilliseconds) * 1000, 1)) }

    /// Takes the place of now.
    func take(_ update: PlaceUpdate) {
        guard grant.isGranted, location.isActive || pose.isActive else { return }
        let fix = visible(update.fix)
        // Standing still is more than one may know who may know a cell of some kilometres.
        let isStationary = update.isStationary && grant.accuracy == .full
        if location.isActive { location.take(fix, isStationary: isStationary) }
        if pose.isActive { pose.take(fix, settings: location.settings) }
    }

    /// No source knows the place any more.
    func losePlace() {
        location.lose()
        pose.loseFix()
    }

    /// Tells an event of a watch.
    func tell(_ event: StoredEvent) {
        guard grant.isGranted else { return }
        switch event.kind {
        case .significantChange:
            link.signal(
                LocateMeInterfaces.significantChange1, "SignificantChange", slot: "significant \(event.sequence)"
            ) { writer throws(BusError) in
                try writer.append(event.sequence)
                try writer.append(event.fix)
            }
        case .visit:
            guard grant.accuracy == .full, let visit = event.visit else { return }
            link.signal(LocateMeInterfaces.visits1, "Visit", slot: "visit \(event.sequence)") {
                writer throws(BusError) in
                try writer.append(event.sequence)
                try writer.append(visit.arrival)
                try writer.append(visit.departure)
                try writer.append(visit.latitude)
                try writer.append(visit.longitude)
                try writer.append(visit.accuracy)
                try writer.append([String: BusValue]())
            }
        }
    }

    // MARK: - Headings

    /// The session's heading of an estimate: its own edge, and true north only for those who may know the place.
    func compose(_ estimate: HeadingEstimate, realMicroseconds: Int64, context: HeadingContext) -> Heading {
        HeadingComposer.heading(
            of: estimate, reference: &reference, orientation: heading.orientation, earthField: field(in: context),
            model: context.modelName, realMicroseconds: realMicroseconds)
    }

    /// The magnetic model's field that the owner may know of: that of the coarse place tells no more than that.
    private func field(in context: HeadingContext) -> EarthField? {
        guard grant.isGranted else { return nil }
        return (grant.accuracy == .reduced ? coarse.context(context, for: client) : context).field
    }

    /// Takes a new estimate, which all sessions share.
    func take(_ news: inout HeadingNews) {
        guard heading.isActive || pose.isActive else { return }
        news.compose(&reference, heading.orientation, field: field(in: news.context))
        heading.take(&news)
        if pose.isActive { pose.take(news.heading) }
    }

    /// The sensor is gone or silent.
    func loseHeading(_ reason: String) {
        heading.lose(reason)
        pose.loseHeading()
    }

    /// Releases everything.
    func close() {
        waiting = []
        heading.close()
        location.close()
        pose.close()
    }
}
