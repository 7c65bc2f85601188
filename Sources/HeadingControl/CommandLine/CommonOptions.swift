internal import MessageBus

/// The options that every command has.
enum CommonOptions {
    /// Machine-readable output.
    static let json = Flag(
        "json", help: "one JSON object per line on standard output; errors as JSON on standard error")
    /// Which bus.
    static let bus = Option(
        "bus", BusAddress.type,
        help: "bus of locatemed: system (default), session, or a D-Bus address; for commands that ask no service unused"
    )
    /// Help.
    static let help = Flag("help", short: "h", help: "show this help and exit")

    /// All of them.
    static let specs = [json.spec, bus.spec, help.spec]
}
