internal import Glibc
internal import LocateMe
internal import MessageBus

/// `headingctl replay`.
enum ReplayCommand {
    private static let file = Operand(
        ValueType<String>.file(endings: ["lmrec", "gz"]), help: "recording, plain or gzip")
    private static let speed = Option(
        "speed", ValueType<Double>.number("X", unit: "", in: 0.01...1000),
        help: "so many times as fast as it was recorded; default 1")
    private static let loop = Flag("loop", help: "begin again at the end")
    private static let from = Option("from", ValueType<Int64>.offset, help: "begin so far into the recording")

    static let command = Command(
        spec: CommandSpec(
            name: "replay", summary: "play a recording to programs, and watch it",
            description: [
                "Starts a locatemed of its own that takes sensors and places from the recording in place of devices, on the bus "
                    + "of --bus, else on the session bus, else on a private bus whose address is printed. Every program on that "
                    + "bus sees the replayed compass. Until the recording or the command ends it shows the same as 'headingctl "
                    + "watch'. Nothing is remembered of the replayed device.",
                "A locatemed that serves the bus already is not disturbed: then the command says so and ends.",
            ],
            operands: [file.spec],
            options: [
                speed.spec, loop.spec, from.spec, WatchCommand.compact.spec, HeadingOptions.wantsTrue.spec,
                WatchCommand.northUp.spec, WatchCommand.ascii.spec, HeadingOptions.filter.spec,
                HeadingOptions.orientation.spec, HeadingOptions.count.spec, HeadingOptions.limit.spec,
            ],
            examples: [
                .init(arguments: "replay walk.lmrec.gz", text: "Watch a recorded walk:"),
                .init(
                    arguments: "replay walk.lmrec --from 30s --speed 4 --loop",
                    text: "From half a minute on, four times as fast, for ever:"),
                .init(
                    arguments: "replay walk.lmrec --bus session --json > poses.json",
                    text: "On the session bus, for programs under development:"),
            ])
    ) { arguments, context throws(CommandError) in
        let service = try ReplayService(
            .init(
                path: arguments[file, at: 0] ?? "", speed: arguments[speed] ?? 1, loops: arguments[loop],
                from: arguments[from] ?? 0, bus: arguments[CommonOptions.bus]), environment: context.environment)
        defer { service.end() }
        if service.isPrivate { context.warn("other programs find it with --bus \(service.bus.description)") }
        try WatchCommand.run(
            arguments.replacing(bus: service.bus), context,
            title: arguments.operands.first.map { "replay of \($0.split(separator: "/").last ?? "")" } ?? "replay",
            replay: .init(service: service, loops: arguments[loop]))
    }
}
