internal import LocateMe
internal import LocateMeBusInterface
internal import LocateMeModel

/// `headingctl location`.
enum LocationCommand {
    private static let wait = Option(
        "wait", ValueType<Int64>.duration, help: "how long to wait for a place, default 10s; then the exit status is 5")
    private static let accuracy = Option(
        "accuracy", ValueType<Double>.number("METRES", unit: "metres", in: 0.1...100_000),
        help: "take only places that are exact to METRES (68 %)")
    private static let maximumAge = Option(
        "max-age", ValueType<Int64>.offset, help: "a known place of at most that age will do; default 0: a new one")
    private static let follow = Flag("follow", short: "f", help: "go on, a line per update")
    private static let distance = Option(
        "distance", ValueType<Double>.number("METRES", unit: "metres", in: -1...1_000_000),
        help: "with --follow: tell a place only when it has moved by METRES since the last one; -1: every place")
    private static let interval = Option(
        "interval", ValueType<Int64>.offset, help: "with --follow: least time between places")
    private static let confirm = Flag(
        "confirm", help: "with --distance: by METRES for certain, in spite of both places' accuracies")
    private static let require = Option(
        "require", ValueType<Double>.number("METRES", unit: "metres", in: 0.1...100_000),
        help: "with --follow: wait some seconds for a place that is exact to METRES, then tell the best that came")
    private static let batch = Option(
        "batch", ValueType<Int64>.duration, help: "with --follow: places may be kept so long to be told together")
    private static let activity = Option(
        "activity",
        ValueType<ActivityType>.choice(
            "NAME",
            [
                (word: "other", value: .other), (word: "automotive", value: .automotive),
                (word: "fitness", value: .fitness), (word: "navigation", value: .otherNavigation),
                (word: "airborne", value: .airborne),
            ]), help: "with --follow: what moves; jumps that it cannot make are not believed")
    private static let keepGoing = Flag(
        "no-pause", help: "with --follow: go on while the device stands still")
    private static let preset = Option(
        "preset",
        ValueType<LocationPreset>.choice("NAME", LocationPreset.allCases.map { (word: $0.rawValue, value: $0) }),
        help: "start values for a kind of use")

    static let command = Command(
        spec: CommandSpec(
            name: "location", summary: "print one place, or one per update",
            description: [
                "Prints latitude and longitude in degrees (north and east positive) and the accuracy in metres (68 %): "
                    + "\"LAT LON ACCURACY\". With --json everything that is known of the place; what is unknown is null."
            ],
            operands: [],
            options: [
                wait.spec, accuracy.spec, maximumAge.spec, follow.spec, distance.spec, confirm.spec, interval.spec,
                require.spec, batch.spec, activity.spec, keepGoing.spec, preset.spec,
                HeadingOptions.count.spec, HeadingOptions.limit.spec,
            ],
            examples: [
                .init(arguments: "location", text: "Where am I:"),
                .init(
                    arguments: "location --accuracy 20 --wait 1m --json",
                    text: "A place that is exact to 20 m, or status 5:"),
                .init(arguments: "location --follow --preset walk --distance 10", text: "A line every 10 metres:"),
            ])
    ) { arguments, context throws(CommandError) in
        try checkOptions(arguments)
        let service = try ServiceConnection(arguments, context)
        var options = SessionOptions(reason: "headingctl location")
        options.preset = arguments[preset]
        let manager = LocationManager(client: service.client, options: options)
        defer { manager.close() }
        let isJSON = arguments[CommonOptions.json]
        guard arguments[follow] else {
            let wanted = arguments[accuracy] ?? 0
            let wait = arguments[wait] ?? 10_000_000
            let fix: Fix = try service.ask { reply in
                manager.requestLocation(
                    accuracy: wanted, timeoutMilliseconds: milliseconds(wait),
                    maximumAgeMilliseconds: milliseconds(arguments[maximumAge] ?? 0), reply: reply)
            }
            guard wanted == 0 || fix.horizontalAccuracy <= wanted else {
                throw CommandError(
                    .noData,
                    "no place of \(Wording.metres(accuracy: wanted)) came within \(TimeText.span(seconds: Double(wait) * 1e-6)); the best "
                        + "had \(Wording.metres(accuracy: fix.horizontalAccuracy))",
                    remedy: "Wait longer, go where the sky is free, or accept less.")
            }
            context.output.writeLine(isJSON ? HeadingReport.json(fix).text : HeadingReport.line(fix))
            return
        }
        if let accuracy = arguments[accuracy] { manager.desiredAccuracy = accuracy }
        if let distance = arguments[distance] { manager.distanceFilter = distance }
        if arguments[confirm] { manager.confirmsDistance = true }
        if let metres = arguments[require] { manager.requiredAccuracy = metres }
        if let delay = arguments[batch] { manager.maximumDelayMilliseconds = milliseconds(delay) }
        if let activity = arguments[activity] { manager.activityType = activity }
        if arguments[keepGoing] { manager.pausesAutomatically = false }
        if let interval = arguments[interval] { manager.minimumIntervalMilliseconds = milliseconds(interval) }
        let printer = PlacePrinter(
            service, context, isJSON: isJSON, accuracy: arguments[accuracy] ?? .infinity,
            count: arguments[HeadingOptions.count] ?? .max)
        manager.delegate = printer
        if let limit = arguments[HeadingOptions.limit] { service.after(microseconds: limit) { service.finish() } }
        if let wait = arguments[wait] { printer.giveUp(afterMicroseconds: wait) }
        manager.startUpdatingLocation()
        try service.run()
    }

    private static func checkOptions(_ arguments: Arguments) throws(CommandError) {
        let following = [
            distance.spec, confirm.spec, interval.spec, require.spec, batch.spec, activity.spec, keepGoing.spec,
            HeadingOptions.count.spec, HeadingOptions.limit.spec,
        ].map(\.name)
        if arguments[confirm], !arguments.has(distance.spec.name) {
            throw CommandError(.usage, "--confirm needs --distance")
        }
        if !arguments[follow], let name = following.first(where: arguments.has) {
            throw CommandError(.usage, "--\(name) needs --follow", remedy: "Without it one place is printed.")
        }
        if arguments[follow], arguments.has(maximumAge) {
            throw CommandError(.usage, "--max-age is for one place, without --follow")
        }
    }

    private static func milliseconds(_ microseconds: Int64) -> UInt32 {
        UInt32(clamping: (microseconds + 999) / 1000)
    }
}

/// Prints the places that come.
private final class PlacePrinter: LocationManagerDelegate {
    private let service: ServiceConnection
    private let context: CommandContext
    private let isJSON: Bool
    private let accuracy: Double
    private var left: Int
    private var hasPrinted = false

    init(_ service: ServiceConnection, _ context: CommandContext, isJSON: Bool, accuracy: Double, count: Int) {
        self.service = service
        self.context = context
        self.isJSON = isJSON
        self.accuracy = accuracy
        left = count
    }

    func giveUp(afterMicroseconds wait: Int64) {
        service.after(microseconds: wait) { [weak self] in
            guard let self, !hasPrinted else { return }
            service.fail(
                CommandError(
                    .noData, "no place came within \(TimeText.span(seconds: Double(wait) * 1e-6))",
                    remedy: "'headingctl status' shows the sources of places."))
        }
    }

    func locationManager(_ manager: LocationManager, didUpdateLocations fixes: [Fix]) {
        for fix in fixes where fix.horizontalAccuracy >= 0 && fix.horizontalAccuracy <= accuracy && left > 0 {
            context.output.writeLine(isJSON ? HeadingReport.json(fix).text : HeadingReport.line(fix))
            hasPrinted = true
            left -= 1
        }
        context.output.flush()
        if left <= 0 || context.output.failure != nil { service.finish() }
    }

    func locationManager(_ manager: LocationManager, didChangeMode mode: LocationMode, reason: LocationModeReason) {
        switch mode {
        case .lost: tell("location-lost", "no source has a fix now; waiting for one")
        case .stationary: tell("standing-still", "the device stands still; places go on when it moves")
        case .paused: tell("paused", "places pause to save energy")
        case .running where reason == .moving: tell("moving", "the device moves again")
        case .running, .stopped: break
        }
    }

    func locationManager(_ manager: LocationManager, didChangeService isRunning: Bool) {
        if !isRunning { tell("service-gone", "locatemed is gone; waiting for it") }
    }

    func locationManager(_ manager: LocationManager, didFailWith error: LocateMeError) {
        if error.code == .locationUnknown { return }
        if error.code != .noService || !hasPrinted { service.fail(error) }
    }

    private func tell(_ event: String, _ reason: String) {
        if isJSON {
            context.output.writeLine(JSONValue.object([("event", .string(event)), ("reason", .string(reason))]).text)
            context.output.flush()
        } else {
            context.warn(reason)
        }
    }
}
