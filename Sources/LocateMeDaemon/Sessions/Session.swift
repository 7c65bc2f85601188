internal import EventLoop
internal import HeadingEstimation
internal import LocateMeBusInterface
internal import LocateMeModel
internal import LocationEngine
internal import MessageBus

/// One client's session: what it asked for, and its share of headings and places.
final class Session {
    let identifier: SessionIdentifier
    let options: SessionOptions
    /// True if the owner may know places and the true heading.
    let isPermitted: Bool
    let link: SessionLink
    let heading: HeadingClient
    let location: LocationClient
    let pose: PoseClient
    /// True if the client says that it is in the foreground.
    var isForeground = true
    private var reference = HeadingReference()

    init(
        identifier: SessionIdentifier, options: SessionOptions, isPermitted: Bool, link: SessionLink,
        headings: HeadingService, places: LocationService, loop: EventLoop
    ) {
        self.identifier = identifier
        self.options = options
        self.isPermitted = isPermitted
        self.link = link
        var settings = LocationSettings()
        if let preset = options.preset { settings.apply(preset) }
        heading = HeadingClient(link: link, service: headings, loop: loop)
        location = LocationClient(settings: settings, link: link, service: places, loop: loop)
        pose = PoseClient(link: link, headings: headings, places: places, loop: loop)
    }

    /// True while the session gets or waits for anything.
    var isActive: Bool { heading.isActive || location.isActive || pose.isActive }

    /// True while the session needs headings whose true north it may know.
    var wantsTrueHeading: Bool { isPermitted && (heading.isActive || pose.isActive) }

    /// The session's heading of an estimate: its own edge, and true north only for those who may know the place.
    func compose(_ estimate: HeadingEstimate, realMicroseconds: Int64, context: HeadingContext) -> Heading {
        HeadingComposer.heading(
            of: estimate, reference: &reference, orientation: heading.orientation,
            earthField: isPermitted ? context.field : nil, model: context.modelName,
            realMicroseconds: realMicroseconds)
    }

    /// Takes a new estimate.
    func take(_ estimate: HeadingEstimate, realMicroseconds: Int64, context: HeadingContext) {
        guard heading.isActive || pose.isActive else { return }
        let composed = compose(estimate, realMicroseconds: realMicroseconds, context: context)
        heading.take(composed)
        if pose.isActive { pose.take(composed) }
    }

    /// Takes the place of now.
    func take(_ update: PlaceUpdate) {
        guard isPermitted else { return }
        if location.isActive { location.take(update.fix, isStationary: update.isStationary) }
        if pose.isActive { pose.take(update.fix, settings: location.settings) }
    }

    /// The place to begin with, if one is known that is young enough.
    func knownPlace(_ places: LocationService) -> Fix? {
        guard isPermitted else { return nil }
        return places.lastKnown(maximumAge: max(Int64(location.settings.maximumAgeMilliseconds) * 1000, 1))
    }

    /// The sensor is gone or silent.
    func loseHeading(_ reason: String) {
        heading.lose(reason)
        pose.loseHeading()
    }

    /// No source knows the place any more.
    func losePlace() {
        location.lose()
        pose.loseFix()
    }

    /// Releases everything.
    func close() {
        heading.close()
        location.close()
        pose.close()
    }
}
