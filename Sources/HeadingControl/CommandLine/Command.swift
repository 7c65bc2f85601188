/// A command: how it looks on the command line, and what it does.
struct Command: Sendable {
    /// Its row in the table.
    let spec: CommandSpec
    /// Does the work. Output goes to the context; failures are thrown.
    let run: @Sendable (Arguments, CommandContext) throws(CommandError) -> Void
}
