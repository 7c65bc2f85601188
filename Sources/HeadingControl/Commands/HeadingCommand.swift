internal import LocateMe
internal import LocateMeBusInterface
internal import LocateMeModel

/// `headingctl heading`.
enum HeadingCommand {
    private static let wait = Option(
        "wait", ValueType<Int64>.duration, help: "how long to wait for a heading, default 5s; then the exit status is 5"
    )
    private static let accuracy = Option(
        "accuracy", ValueType<Double>.number("DEG", unit: "degrees", in: 0.01...180),
        help: "take only headings whose 95 % bound is DEG or better")
    private static let follow = Flag("follow", short: "f", help: "go on, a line per update")

    static let command = Command(
        spec: CommandSpec(
            name: "heading", summary: "print one heading, or one per update",
            description: [
                "Prints the heading in degrees clockwise from magnetic north, or from true north with --true, as one "
                    + "number in [0, 360). Invalid headings are not printed: the command waits for a valid one, and ends with "
                    + "status 5 and the reason if none comes in time.",
                "With --json everything that is known of the heading: magnetic and true in degrees, accuracy (the bound that "
                    + "the error keeps with 95 % probability), calibration, disturbance, field, tilt, declination. With "
                    + "--follow invalid headings and losses are printed too, as objects with magnetic -1 or with an event.",
            ],
            operands: [],
            options: [
                HeadingOptions.wantsTrue.spec, wait.spec, accuracy.spec, follow.spec, HeadingOptions.filter.spec,
                HeadingOptions.orientation.spec, HeadingOptions.count.spec, HeadingOptions.limit.spec,
            ],
            examples: [
                .init(arguments: "heading --true --wait 5s", text: "One number, from true north:"),
                .init(
                    arguments: "heading --accuracy 5 --wait 30s",
                    text: "A heading that is good to 5 degrees, or status 5:"),
                .init(
                    arguments: "heading --follow --filter 5 --json",
                    text: "An object whenever the device has turned by 5 degrees:"),
            ])
    ) { arguments, context throws(CommandError) in
        let isFollowing = arguments[follow]
        if !isFollowing, arguments.has(HeadingOptions.count) || arguments.has(HeadingOptions.limit) {
            throw CommandError(.usage, "--count and --for need --follow", remedy: "Without it one heading is printed.")
        }
        let service = try ServiceConnection(arguments, context)
        let manager = LocationManager(client: service.client, reason: "headingctl heading")
        manager.headingFilter = isFollowing ? arguments[HeadingOptions.filter] ?? 1 : -1
        manager.headingOrientation = arguments[HeadingOptions.orientation] ?? .portrait
        manager.showsCalibration = false
        let printer = HeadingPrinter(
            service, context,
            .init(
                isJSON: arguments[CommonOptions.json], wantsTrue: arguments[HeadingOptions.wantsTrue],
                accuracy: arguments[accuracy] ?? .infinity, isFollowing: isFollowing,
                count: isFollowing ? arguments[HeadingOptions.count] ?? .max : 1,
                waitMicroseconds: arguments[wait] ?? (isFollowing ? nil : 5_000_000)))
        manager.delegate = printer
        printer.start()
        if let limit = arguments[HeadingOptions.limit] { service.after(microseconds: limit) { service.finish() } }
        manager.startUpdatingHeading()
        defer { manager.close() }
        try service.run()
        if service.endSignal != nil, !isFollowing { throw CommandError(.failure, "interrupted") }
    }
}

/// Prints the headings that come, and knows why none did.
private final class HeadingPrinter: LocationManagerDelegate {
    struct Wish {
        var isJSON: Bool
        var wantsTrue: Bool
        /// Degrees.
        var accuracy: Double
        var isFollowing: Bool
        var count: Int
        /// Nil: without end.
        var waitMicroseconds: Int64?
    }

    private let service: ServiceConnection
    private let context: CommandContext
    private let wish: Wish
    private var printed = 0
    private var best: Heading?
    private var last: Heading?
    private var lostReason = ""

    /// A daemon that has just started may not have looked at its sensors yet.
    private static let availabilityMicroseconds: Int64 = 1_000_000

    init(_ service: ServiceConnection, _ context: CommandContext, _ wish: Wish) {
        self.service = service
        self.context = context
        self.wish = wish
    }

    func start() {
        if let wait = wish.waitMicroseconds {
            service.after(microseconds: wait) { [weak self] in self?.giveUp() }
        }
        service.after(microseconds: Self.availabilityMicroseconds) { [weak self] in
            guard let self, last == nil else { return }
            service.client.information { [weak self] result in
                guard let self, case .success(let information) = result, !information.headingAvailable, last == nil
                else { return }
                explain("there is no compass")
            }
        }
    }

    func locationManager(_ manager: LocationManager, didUpdateHeading heading: Heading) {
        last = heading
        let isValid = heading.magnetic >= 0 && heading.accuracy >= 0
        if isValid, best.map({ heading.accuracy < $0.accuracy }) ?? true { best = heading }
        let isWanted = isValid && heading.accuracy <= wish.accuracy && (!wish.wantsTrue || heading.trueHeading >= 0)
        guard isWanted || (wish.isFollowing && wish.isJSON) else { return }
        // Several may arrive in the round in which the loop is told to end.
        guard printed < wish.count else { return }
        if wish.isJSON {
            context.output.writeLine(HeadingReport.json(heading).text)
        } else {
            context.output.writeLine(
                Wording.headingNumber(wish.wantsTrue ? heading.trueHeading : heading.magnetic, decimals: 1))
        }
        context.output.flush()
        printed += 1
        if printed >= wish.count || context.output.failure != nil { service.finish() }
    }

    func locationManager(_ manager: LocationManager, didLoseHeading reason: String) {
        lostReason = reason
        tell("heading-lost", reason)
    }

    func locationManager(_ manager: LocationManager, didChangeService isRunning: Bool) {
        if !isRunning { tell("service-gone", "locatemed is gone; waiting for it") }
    }

    func locationManager(
        _ manager: LocationManager, didChangeAuthorization status: AuthorizationStatus, accuracy: AccuracyAuthorization
    ) {
        guard wish.wantsTrue, !wish.isFollowing, !status.isGranted, status != .notDetermined else { return }
        service.fail(
            CommandError(
                .notAuthorized, "true headings need the permission to know the place, which this user does not have",
                remedy: "Leave --true out for the magnetic heading, or ask the administrator."))
    }

    func locationManager(_ manager: LocationManager, didFailWith error: LocateMeError) {
        if error.code == .headingFailure, printed == 0 {
            explain(error.text)
        } else if error.code != .noService || printed == 0 {
            service.fail(error)
        }
    }

    private func tell(_ event: String, _ reason: String) {
        guard wish.isFollowing else { return }
        if wish.isJSON {
            context.output.writeLine(JSONValue.object([("event", .string(event)), ("reason", .string(reason))]).text)
            context.output.flush()
        } else {
            context.warn(reason)
        }
    }

    /// The time is over.
    private func giveUp() {
        guard printed == 0 else { return }
        let time = TimeText.span(seconds: Double(wish.waitMicroseconds ?? 0) * 1e-6)
        guard let best else {
            if last != nil {
                return service.fail(
                    CommandError(
                        .noData,
                        "no valid heading came within \(time): the sensors deliver, but the compass is not calibrated",
                        remedy: "Turn the device slowly in all directions, away from metal, and try again."))
            }
            return explain(lostReason.isEmpty ? "no heading came within \(time)" : "no heading: \(lostReason)")
        }
        if best.accuracy > wish.accuracy {
            return service.fail(
                CommandError(
                    .noData,
                    "no heading of \(Wording.accuracy(wish.accuracy)) came within \(time); the best had \(Wording.accuracy(best.accuracy))",
                    remedy: "Turn the device slowly in all directions, away from metal, or accept less."))
        }
        service.fail(
            CommandError(
                .noData, "no true heading came within \(time): no place is known, so the declination is not either",
                remedy: "Start gpsd, or tell locatemed a place with --place LAT,LON or in /etc/geolocation."))
    }

    private func explain(_ what: String) {
        Diagnosis.ask(service) { [service] findings in service.fail(Diagnosis.error(findings, fallback: what)) }
        // Without an answer the words at hand must do.
        service.after(microseconds: 1_000_000) { [service] in service.fail(Diagnosis.error([], fallback: what)) }
    }
}
