/// All commands, in the order of the help text.
enum CommandTable {
    /// The commands.
    static let commands: [Command] = [
        WatchCommand.command,
        StatusCommand.command,
        HeadingCommand.command,
        LocationCommand.command,
        SensorsCommand.command,
        DoctorCommand.command,
        MountCommand.command,
        NMEACommand.command,
        RecordCommand.command,
        ReplayCommand.command,
        SimulateCommand.command,
        EstimateCommand.command,
        TrackCommand.command,
        CalibrateCommand.command,
        DeclinationCommand.command,
        CompletionCommand.command,
        ManualCommand.command,
    ]

    /// The command that an empty command line on a terminal stands for.
    static let interactiveDefault = "watch"

    /// The table's rows.
    static var specs: [CommandSpec] { commands.map(\.spec) }
}
