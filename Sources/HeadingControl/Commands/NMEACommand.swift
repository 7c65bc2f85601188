internal import EventLoop
internal import LocateMe
internal import LocateMeBusInterface
internal import LocateMeModel
internal import MarineOutput
internal import NMEASentences

/// `headingctl nmea`.
enum NMEACommand {
    private static let destination = Option(
        "to",
        ValueType<SinkAddress>(
            placeholder: "WHERE", completion: .words(["-", "pty", "pty:", "udp:", "tcp"]),
            expectation: "-, pty, pty:LINK, udp:HOST[:PORT], tcp[:HOST][:PORT]", parse: { SinkAddress($0) }),
        isRepeatable: true,
        help:
            "where sentences go: - (default), a pseudo-terminal, datagrams, or a TCP server (default localhost, 10110)")
    private static let sentences = Option(
        "sentences",
        ValueType<[MarineSentence]>(
            placeholder: "LIST", completion: .words(MarineSentence.allCases.map(\.rawValue)),
            expectation: "a list such as HDG,HDT,RMC of "
                + MarineSentence.allCases.map(\.rawValue).joined(separator: ", "),
            parse: { MarineSentence.list($0) }), help: "what is written; default HDG,HDM,HDT,ROT,RMC,GGA")
    private static let rate = Option(
        "rate", ValueType<Double>.number("HZ", unit: "times a second", in: 0.1...50),
        help: "how often headings are written, default 10")
    private static let placeRate = Option(
        "place-rate", ValueType<Double>.number("HZ", unit: "times a second", in: 0.01...10),
        help: "how often places are written, default 1")
    private static let signalK = Flag(
        "signalk", help: "write Signal K deltas (JSON, a line each) in place of sentences")

    static let command = Command(
        spec: CommandSpec(
            name: "nmea", summary: "write heading and place for plotters, autopilots, gpsd and Signal K",
            description: [
                "Writes NMEA 0183 sentences of what locatemed knows: HDG (magnetic heading with deviation and variation), HDM (magnetic), "
                    + "HDT and THS (true), ROT (degrees a minute, to starboard positive), RMC and GGA (place). Only what is "
                    + "valid is written: instruments fall silent rather than steer by a guess; THS says V then.",
                "HDG's deviation is always 0.0: calibration has taken it out of the heading. Its variation is empty without a place.",
                "With --json standard output gets an object for each sentence; what goes elsewhere stays NMEA 0183.",
                "Places and true headings need the permission to know the place. A server listens on this machine alone "
                    + "unless another address is given: whoever reaches it learns the place.",
            ],
            operands: [],
            options: [
                destination.spec, sentences.spec, rate.spec, placeRate.spec, signalK.spec,
                HeadingOptions.orientation.spec,
                HeadingOptions.limit.spec,
            ],
            examples: [
                .init(arguments: "nmea", text: "Look at it:"),
                .init(arguments: "nmea --to pty:/tmp/compass", text: "A serial port for gpsd: gpsd -N /tmp/compass"),
                .init(
                    arguments: "nmea --to tcp --to udp:192.0.2.255",
                    text: "For OpenCPN here, and for the boat's network:"),
                .init(arguments: "nmea --signalk --to tcp:3858", text: "Signal K:"),
            ])
    ) { arguments, context throws(CommandError) in
        let kinds = arguments[sentences] ?? [.hdg, .hdm, .hdt, .rot, .rmc, .gga]
        let service = try ServiceConnection(arguments, context)
        var addresses = arguments[all: destination]
        if addresses.isEmpty { addresses = [.standardOutput] }
        var sinks: [any LineSink] = []
        for address in addresses { sinks.append(try sink(address, arguments, context, service.loop)) }
        for sink in sinks where !(sink is OutputSink) { context.errors.writeLine("writing to \(sink.name)") }
        context.errors.flush()
        let writer = MarineWriter(
            service, context, sinks: sinks, kinds: kinds, isSignalK: arguments[signalK],
            hertz: arguments[rate] ?? 10, placeHertz: arguments[placeRate] ?? 1)
        let manager = LocationManager(client: service.client, reason: "headingctl nmea")
        manager.headingFilter = -1
        manager.headingOrientation = arguments[HeadingOptions.orientation] ?? .portrait
        manager.showsCalibration = false
        manager.pausesAutomatically = false
        manager.delegate = writer
        if let limit = arguments[HeadingOptions.limit] { service.after(microseconds: limit) { service.finish() } }
        if kinds.contains(where: { !$0.isOfPlace }) { manager.startUpdatingHeading() }
        if kinds.contains(where: \.isOfPlace) { manager.startUpdatingLocation() }
        writer.start()
        defer { manager.close() }
        try service.run()
    }

    private static func sink(
        _ address: SinkAddress, _ arguments: Arguments, _ context: CommandContext, _ loop: EventLoop
    ) throws(CommandError) -> any LineSink {
        do throws(OutputFailure) {
            return switch address {
            case .standardOutput:
                OutputSink(
                    context.output, wrapsSentences: arguments[CommonOptions.json] && !arguments[signalK])
            case .pseudoterminal(let link): try PseudoterminalSink(link: link)
            case .datagrams(let host, let port): try DatagramSink(host: host, port: port)
            case .server(let host, let port): try ServerSink(host: host, port: port, loop: loop)
            }
        } catch {
            throw CommandError(.failure, error.description, remedy: error.remedy)
        }
    }
}

/// Writes what is known, at its rates.
private final class MarineWriter: LocationManagerDelegate {
    private let service: ServiceConnection
    private let context: CommandContext
    private let sinks: [any LineSink]
    private let kinds: [MarineSentence]
    private let isSignalK: Bool
    private let pause: Int64
    private let placePause: Int64
    private var headingTimer: LoopTimer?
    private var placeTimer: LoopTimer?
    private var report = MarineReport()
    private var headingArrival: Int64 = 0
    private var isPlaceRefused = false
    private var toldTrouble = ""

    /// A heading older than this, in µs, is not written any more.
    private static let freshMicroseconds: Int64 = 2_000_000

    init(
        _ service: ServiceConnection, _ context: CommandContext, sinks: [any LineSink], kinds: [MarineSentence],
        isSignalK: Bool, hertz: Double, placeHertz: Double
    ) {
        self.service = service
        self.context = context
        self.sinks = sinks
        self.kinds = kinds
        self.isSignalK = isSignalK
        pause = Int64(1e6 / hertz)
        placePause = Int64(1e6 / placeHertz)
    }

    func start() {
        let heading = kinds.filter { !$0.isOfPlace }
        let place = kinds.filter(\.isOfPlace)
        if !heading.isEmpty {
            headingTimer = service.loop.makeTimer { [weak self] in self?.write(heading, isOfPlace: false) }
            headingTimer?.arm(afterMicroseconds: pause, everyMicroseconds: pause)
        }
        if !place.isEmpty {
            placeTimer = service.loop.makeTimer { [weak self] in self?.write(place, isOfPlace: true) }
            placeTimer?.arm(afterMicroseconds: placePause, everyMicroseconds: placePause)
        }
    }

    func locationManager(_ manager: LocationManager, didUpdateHeading heading: Heading) {
        report.heading = heading
        headingArrival = Clock.bootMicroseconds()
    }

    func locationManager(_ manager: LocationManager, didUpdateLocations fixes: [Fix]) {
        if let fix = fixes.last { report.fix = fix }
    }

    /// Each fix is written once, so that nobody takes an old one for a new; a stated place is true at any time.
    private func renewFix() {
        guard report.fix?.flags.contains(.fixed) == true else {
            report.fix = nil
            return
        }
        report.fix?.realMicroseconds = Clock.realMicroseconds()
    }

    func locationManager(_ manager: LocationManager, didLoseHeading reason: String) {
        report.heading = nil
        context.warn(reason)
    }

    func locationManager(
        _ manager: LocationManager, didChangeMode mode: LocationMode, reason: LocationModeReason
    ) {
        if mode == .lost { report.fix = nil }
    }

    func locationManager(_ manager: LocationManager, didChangeService isRunning: Bool) {
        guard !isRunning else { return }
        report = MarineReport()
        context.warn("locatemed is gone; waiting for it")
    }

    func locationManager(_ manager: LocationManager, didFailWith error: LocateMeError) {
        // Without the permission to know the place there is still a magnetic heading.
        if error.code == .denied, kinds.contains(where: { !$0.isOfPlace }) {
            if !isPlaceRefused { context.warn("places are left out: \(error.text)") }
            isPlaceRefused = true
        } else {
            service.fail(error)
        }
    }

    private func write(_ kinds: [MarineSentence], isOfPlace: Bool) {
        if Clock.bootMicroseconds() - headingArrival > Self.freshMicroseconds { report.heading = nil }
        let lines =
            isSignalK
            ? report.delta(withHeading: !isOfPlace, withPlace: isOfPlace)
            : kinds.reduce(into: "") { $0 += report.text($1) }
        guard !lines.isEmpty else { return }
        for sink in sinks {
            sink.send(lines)
            if let trouble = sink.trouble, trouble != toldTrouble { context.warn(trouble) }
            toldTrouble = sink.trouble ?? toldTrouble
        }
        if isOfPlace { renewFix() }
        if sinks.allSatisfy({ $0.failure != nil }) { service.finish() }
    }
}
