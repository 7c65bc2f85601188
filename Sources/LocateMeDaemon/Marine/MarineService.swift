internal import EventLoop
internal import HeadingEstimation
internal import LocateMeModel
internal import NMEASentences

/// Writes heading and place in NMEA 0183, and as deltas of Signal K, to where the administrator has said, while somebody may read it. Nothing invalid is
/// written: instruments fall silent rather than steer by a guess. Each fix is written once, so that nobody takes an old one
/// for a new; a stated place is true at any time.
final class MarineService {
    /// Called when it begins or ends to need headings or places.
    var needsChanged: () -> Void = {}
    private let settings: MarineSettings
    private let sinks: [any LineSink]
    private let signalKSinks: [any LineSink]
    private let headings: HeadingService
    private let places: LocationService
    private let declination: DeclinationService
    private let log: Log
    private let headingKinds: [MarineSentence]
    private let placeKinds: [MarineSentence]
    private var headingTimer: LoopTimer?
    private var placeTimer: LoopTimer?
    private var reference = HeadingReference()
    private var isRunning = false
    private var lastFix: Int64 = .min
    private var troubles: [String: String] = [:]

    /// A heading older than this, in µs, is not written any more.
    private static let freshMicroseconds: Int64 = 2_000_000
    /// Sensors run at least so fast, in Hz, for a heading that is good and fresh.
    private static let leastHertz = 25.0

    init(
        settings: MarineSettings, sinks: [any LineSink], signalKSinks: [any LineSink], headings: HeadingService,
        places: LocationService, declination: DeclinationService, loop: EventLoop, log: Log
    ) {
        self.settings = settings
        self.sinks = sinks
        self.signalKSinks = signalKSinks
        self.headings = headings
        self.places = places
        self.declination = declination
        self.log = log
        headingKinds = settings.sentences.filter { !$0.isOfPlace }
        placeKinds = settings.sentences.filter(\.isOfPlace)
        headingTimer = loop.makeTimer { [weak self] in self?.writeHeading() }
        placeTimer = loop.makeTimer { [weak self] in self?.writePlace() }
    }

    /// True while a true heading is to be written.
    var wantsTrueHeading: Bool { isRunning && settings.tellsWhere && !headingKinds.isEmpty }

    /// True while something is to be written.
    var isInUse: Bool { isRunning }

    /// Begins as soon as somebody may read.
    func start() {
        let content = settings.sentences.map(\.rawValue).joined(separator: ",")
        for sink in sinks { log.info("writing \(content) to \(sink.name)") }
        for sink in signalKSinks { log.info("writing what \(content) tell as Signal K to \(sink.name)") }
        for sink in sinks + signalKSinks { sink.readersChanged = { [weak self] in self?.readersChanged() } }
        readersChanged()
    }

    private func readersChanged() {
        let isWanted = (sinks + signalKSinks).contains { $0.hasReaders && $0.failure == nil }
        guard isWanted != isRunning else { return }
        isRunning = isWanted
        if !headingKinds.isEmpty {
            headings.setNeed(self, rateHertz: isWanted ? max(settings.rateHertz, Self.leastHertz) : nil)
            arm(headingTimer, hertz: settings.rateHertz)
        }
        if !placeKinds.isEmpty {
            places.setNeed(self, isWanted)
            arm(placeTimer, hertz: settings.placeRateHertz)
        }
        needsChanged()
    }

    private func arm(_ timer: LoopTimer?, hertz: Double) {
        guard isRunning else {
            timer?.disarm()
            return
        }
        let pause = Int64(1e6 / hertz)
        timer?.arm(afterMicroseconds: pause, everyMicroseconds: pause)
    }

    private func writeHeading() {
        let report = MarineReport(heading: heading)
        write(headingKinds, report, isOfPlace: false)
    }

    private func writePlace() {
        guard let fix = places.current else { return }
        guard fix.flags.contains(.fixed) || fix.bootMicroseconds != lastFix else { return }
        lastFix = fix.bootMicroseconds
        write(placeKinds, MarineReport(heading: heading, fix: fix), isOfPlace: true)
    }

    /// The heading of now; the true one and the variation only where the administrator lets be told where the device is.
    private var heading: Heading? {
        guard let estimate = headings.latest,
            Clock.bootMicroseconds() - headings.latestArrival <= Self.freshMicroseconds
        else { return nil }
        let field = settings.tellsWhere && places.isEnabled ? declination.context.field : nil
        return HeadingComposer.heading(
            of: estimate, reference: &reference, orientation: settings.orientation, earthField: field,
            model: declination.context.modelName, realMicroseconds: Clock.realMicroseconds())
    }

    private func write(_ kinds: [MarineSentence], _ report: MarineReport, isOfPlace: Bool) {
        if sinks.contains(where: \.hasReaders) {
            send(kinds.reduce(into: "") { $0 += report.text($1) }, to: sinks)
        }
        if signalKSinks.contains(where: \.hasReaders) {
            send(report.delta(withHeading: !isOfPlace, withPlace: isOfPlace), to: signalKSinks)
        }
    }

    private func send(_ lines: String, to sinks: [any LineSink]) {
        guard !lines.isEmpty else { return }
        for sink in sinks where sink.hasReaders {
            sink.send(lines)
            let trouble = sink.trouble ?? ""
            guard trouble != troubles[sink.name] ?? "" else { continue }
            troubles[sink.name] = trouble
            // Told when it begins and when it changes, not with each datagram.
            if !trouble.isEmpty { log.warning("\(trouble); trying on") }
        }
    }
}
