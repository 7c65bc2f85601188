internal import Glibc
internal import LocateMe
internal import LocateMeModel
internal import MessageBus

/// `headingctl watch`.
enum WatchCommand {
    static let compact = Flag("compact", help: "one line instead of the rose")
    static let ascii = Flag("ascii", help: "ASCII only, whatever the locale says")
    static let northUp = Flag("north-up", help: "turn the pointer and keep the dial, as on a map")

    static let command = Command(
        spec: CommandSpec(
            name: "watch", summary: "show a live compass rose (the default on a terminal)",
            description: [
                "Draws the compass: the dial turns as the device does, the needle points to magnetic north, the diamond on the "
                    + "ring marks true north, and the arc around the pointer is the range in which the heading lies with 95 % "
                    + "probability. Beside it the numbers: turn rate, field and dip against the magnetic model, calibration, "
                    + "tilt, place.",
                "Keys: q quits, t changes between true and magnetic, n between heading up and north up, o the edge that counts "
                    + "as top, c between rose and one line.",
                "Without a terminal it prints one line per update, with --json one object.",
            ],
            operands: [],
            options: [
                compact.spec, HeadingOptions.wantsTrue.spec, northUp.spec, ascii.spec, HeadingOptions.filter.spec,
                HeadingOptions.orientation.spec, HeadingOptions.count.spec, HeadingOptions.limit.spec,
            ],
            examples: [
                .init(arguments: "watch", text: "The rose:"),
                .init(arguments: "watch --compact --true", text: "One line with true headings:"),
                .init(arguments: "watch --bus session --for 10s > log.txt", text: "Ten seconds of lines:"),
            ])
    ) { arguments, context throws(CommandError) in
        try run(arguments, context, title: "locatemed, \(arguments.bus.shortPhrase)")
    }

    /// A service that plays a recording and is watched until the recording ends.
    struct Replay {
        /// The service.
        var service: ReplayService
        /// True if it never ends.
        var loops: Bool
    }

    /// Watches the service on the bus of the arguments. Options that a command does not have count as not given.
    static func run(
        _ arguments: Arguments, _ context: CommandContext, title: String, replay: Replay? = nil
    ) throws(CommandError) {
        let isInteractive =
            context.output.isTerminal && !arguments[CommonOptions.json]
            && (context.environment("TERM") ?? "dumb") != "dumb"
        var options = WatchView.Options()
        options.isCompact = arguments[compact]
        options.isJSON = arguments[CommonOptions.json]
        options.unicode = context.isUnicode && !arguments[ascii]
        options.reference = arguments[HeadingOptions.wantsTrue] ? .trueNorth : .magnetic
        options.dial = arguments[northUp] ? .northUp : .headingUp
        options.count = arguments[HeadingOptions.count] ?? .max
        options.title = title
        let view: any WatchView = isInteractive ? WatchScreen(context, options) : WatchLines(context, options)
        let signals = (isInteractive ? [SIGWINCH, SIGTSTP] : []) + (replay == nil ? [] : [SIGCHLD])
        let service = try ServiceConnection(arguments, context, signals: signals)
        if let replay { try service.waitForStart(of: replay.service) }
        service.onSignal = { [weak service] signal in
            if signal == SIGCHLD {
                if let failure = replay?.service.failure() { service?.fail(failure) }
            } else {
                view.receive(signal)
            }
        }
        let manager = LocationManager(client: service.client, reason: "headingctl watch")
        // A still device must not look like a silent one, so the picture takes every heading.
        manager.headingFilter = arguments[HeadingOptions.filter] ?? (isInteractive ? -1 : 1)
        manager.headingOrientation = arguments[HeadingOptions.orientation] ?? .portrait
        let watcher = Watcher(service, manager, view, endsWithRecording: replay.map { !$0.loops } ?? false)
        manager.delegate = watcher
        if let limit = arguments[HeadingOptions.limit] { service.after(microseconds: limit) { service.finish() } }
        try watcher.start()
        view.begin(on: service, manager)
        defer {
            view.end()
            manager.close()
        }
        try service.run()
    }
}

extension BusAddress {
    /// "system bus".
    var shortPhrase: String {
        switch self {
        case .system: "system bus"
        case .session: "session bus"
        case .address: "private bus"
        }
    }
}
