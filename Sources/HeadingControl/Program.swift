internal import EventLoop
internal import Glibc
internal import LocateMeModel

/// headingctl without the process around it.
public enum Program {
    /// Runs a command line, given without the program's name, with the process's streams and environment, and
    /// returns the exit status. Ignores SIGPIPE for the process: a reader that has gone ends the program quietly.
    public static func main(_ words: [String]) -> ExitCode {
        // Fails only for signals that cannot be caught.
        _ = signal(SIGPIPE, SIG_IGN)
        return run(words, CommandContext())
    }

    /// Runs a command line in a context.
    static func run(_ words: [String], _ context: CommandContext) -> ExitCode {
        let wantsJSON = words.contains("--json")
        do {
            try dispatch(words, context)
            context.output.flush()
            try checkOutput(context)
            return .success
        } catch {
            context.output.flush()
            // The reader of a pipe has seen enough: that is an end, not a failure.
            if context.output.failure?.rawValue == EPIPE, error.status == .failure { return .success }
            if error == .endOfReader { return .success }
            context.errors.write(wantsJSON ? error.json.text + "\n" : error.text)
            context.errors.flush()
            return error.status
        }
    }

    private static func dispatch(_ words: [String], _ context: CommandContext) throws(CommandError) {
        let isInteractive = isatty(context.input) == 1 && context.output.isTerminal
        let parser = ArgumentParser(
            commands: CommandTable.specs, defaultCommand: isInteractive ? CommandTable.interactiveDefault : nil)
        switch try parser.parse(words) {
        case .version:
            context.output.writeLine("headingctl \(ProductVersion.text)")
        case .help(let name):
            let help = HelpText(terminalColumns: context.output.isTerminal ? context.terminalSize.columns : 80)
            let spec = CommandTable.specs.first { $0.name == name }
            context.output.write(
                spec.map(help.command) ?? help.program(CommandTable.specs, version: ProductVersion.text))
        case .run(let name, let arguments):
            guard let command = CommandTable.commands.first(where: { $0.spec.name == name }) else { return }
            try command.run(arguments, context)
        }
    }

    private static func checkOutput(_ context: CommandContext) throws(CommandError) {
        guard let failure = context.output.failure else { return }
        throw CommandError(
            .failure, "cannot write to standard output: \(failure)",
            remedy: "Free space or choose another place for the output.")
    }
}
