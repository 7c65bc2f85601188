/// Reads command lines by the table of commands. Strict: what is not in the table is an error that names the
/// nearest thing that is.
///
/// Options may stand anywhere, before the command too if they are common to all. Values follow as `--name VALUE` or
/// `--name=VALUE`. `--` ends the options. A word that begins with "-" and a digit or point is a negative number.
struct ArgumentParser {
    /// What the command line asks for.
    enum Request {
        /// Run the command.
        case run(command: String, Arguments)
        /// Show help: of a command, or of the program if nil.
        case help(command: String?)
        /// Show the version.
        case version
    }

    /// The commands that exist.
    let commands: [CommandSpec]
    /// The command that an empty command line stands for; nil: one must be given.
    let defaultCommand: String?

    /// Reads the words behind the program's name.
    func parse(_ words: [String]) throws(CommandError) -> Request {
        var arguments = Arguments()
        var command: CommandSpec?
        var rest = words[...]
        var optionsEnded = false
        while let word = rest.popFirst() {
            if !optionsEnded, word == "--" {
                optionsEnded = true
            } else if !optionsEnded, Self.isOption(word) {
                if command == nil, word == "--version" { return .version }
                try parseOption(word, &rest, command, &arguments)
                if arguments[CommonOptions.help] {
                    return .help(command: command?.name ?? Self.command(in: rest, commands))
                }
            } else if let command {
                try addOperand(word, command, &arguments)
            } else if word == "help" {
                return try help(rest)
            } else if word == "version" {
                return .version
            } else {
                command = try find(word)
            }
        }
        guard let spec = command ?? commands.first(where: { $0.name == defaultCommand }) else {
            throw CommandError(
                .usage, "no command was given, and without a terminal there is none by default",
                remedy: "'headingctl --help' lists the commands.")
        }
        try check(arguments, spec)
        return .run(command: spec.name, arguments)
    }

    private static func isOption(_ word: String) -> Bool {
        guard word.hasPrefix("-"), word != "-" else { return false }
        let second = word.utf8[word.utf8.index(after: word.utf8.startIndex)]
        return !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(second) && second != UInt8(ascii: ".")
    }

    /// So that `--help watch` is as good as `watch --help`.
    private static func command(in words: ArraySlice<String>, _ commands: [CommandSpec]) -> String? {
        commands.first { $0.name == words.first }?.name
    }

    private func find(_ word: String) throws(CommandError) -> CommandSpec {
        if let command = commands.first(where: { $0.name == word }) { return command }
        let names = commands.map(\.name) + ["help", "version"]
        throw CommandError(
            .usage, "there is no command \(Self.quoted(word))",
            remedy: hint(Nearest.match(word, among: names), "'headingctl --help' lists the commands."))
    }

    private func help(_ words: ArraySlice<String>) throws(CommandError) -> Request {
        let operands = words.filter { !Self.isOption($0) }
        guard let word = operands.first else { return .help(command: nil) }
        return .help(command: word == "help" || word == "version" ? nil : try find(word).name)
    }

    private func parseOption(
        _ word: String, _ rest: inout ArraySlice<String>, _ command: CommandSpec?, _ arguments: inout Arguments
    ) throws(CommandError) {
        let equals = word.firstIndex(of: "=")
        let written = equals.map { String(word[..<$0]) } ?? word
        let known = command?.allOptions ?? (CommonOptions.specs + defaultOptions)
        guard let spec = known.first(where: { Self.spells($0, written) }) else {
            throw unknownOption(written, known, command)
        }
        if !spec.isRepeatable, arguments.options[spec.name] != nil, spec.placeholder != nil {
            throw CommandError(.usage, "option \(written) was given twice", remedy: "Give it once.")
        }
        guard let placeholder = spec.placeholder else {
            guard equals == nil else {
                throw CommandError(.usage, "option \(written) takes no value", remedy: "Write \(written) alone.")
            }
            return arguments.add(option: spec, nil)
        }
        let value: String
        if let equals {
            value = String(word[word.index(after: equals)...])
        } else if spec.isValueOptional {
            return arguments.add(option: spec, nil)
        } else if let next = rest.first, !Self.isOption(next) {
            value = next
            rest = rest.dropFirst()
        } else {
            throw CommandError(
                .usage, "option \(written) needs a value",
                remedy: "Write --\(spec.name) \(placeholder): \(spec.expectation).")
        }
        guard spec.accepts(value) else {
            throw wrongValue("the value of \(written)", value, spec.expectation, spec.completion)
        }
        arguments.add(option: spec, value)
    }

    /// An option before any command belongs to the command that an empty command line stands for.
    private var defaultOptions: [OptionSpec] { commands.first { $0.name == defaultCommand }?.options ?? [] }

    private static func spells(_ spec: OptionSpec, _ written: String) -> Bool {
        written == "--\(spec.name)" || spec.short.map { written == "-\($0)" } ?? false
    }

    private func unknownOption(_ written: String, _ known: [OptionSpec], _ command: CommandSpec?) -> CommandError {
        let name = String(written.drop { $0 == "-" })
        let near = Nearest.match(name, among: known.map(\.name)).map { "--\($0)" }
        if let command {
            return CommandError(
                .usage, "'\(command.name)' has no option \(Self.quoted(written))",
                remedy: hint(near, "'headingctl \(command.name) --help' lists its options."))
        }
        return CommandError(
            .usage, "there is no option \(Self.quoted(written)) before a command",
            remedy: hint(near, "Options of a command stand behind it; 'headingctl --help' lists the commands."))
    }

    private func addOperand(_ word: String, _ command: CommandSpec, _ arguments: inout Arguments) throws(CommandError) {
        let position = arguments.operands.count
        guard command.operands.indices.contains(position) else {
            throw CommandError(
                .usage, "'\(command.name)' does not know what to do with \(Self.quoted(word))",
                remedy: usage(of: command))
        }
        let spec = command.operands[position]
        guard spec.accepts(word) else { throw wrongValue(spec.placeholder, word, spec.expectation, spec.completion) }
        arguments.add(operand: word)
    }

    private func check(_ arguments: Arguments, _ command: CommandSpec) throws(CommandError) {
        let required = command.operands.filter(\.isRequired)
        guard arguments.operands.count >= required.count else {
            let missing = required[arguments.operands.count...].map(\.placeholder).joined(separator: " ")
            throw CommandError(.usage, "'\(command.name)' needs \(missing)", remedy: usage(of: command))
        }
        // Options before the command were checked against the common ones and the default command's only.
        for name in arguments.options.keys.sorted() where !command.allOptions.contains(where: { $0.name == name }) {
            throw unknownOption("--\(name)", command.allOptions, command)
        }
    }

    private func wrongValue(
        _ what: String, _ value: String, _ expectation: String, _ completion: Completion
    ) -> CommandError {
        var near: String?
        if case .words(let words) = completion { near = Nearest.match(value, among: words) }
        return CommandError(
            .usage, "\(what) must be \(expectation), not \(Self.quoted(value))", remedy: hint(near, ""))
    }

    private func usage(of command: CommandSpec) -> String {
        "Usage: \(HelpText.usage(of: command)). 'headingctl \(command.name) --help' shows examples."
    }

    /// A word of the user's in quotes, cut to a length that leaves the sentence readable.
    private static func quoted(_ word: String) -> String { "'\(TextWidth.cut(word, to: 60))'" }

    private func hint(_ near: String?, _ otherwise: String) -> String {
        let question = near.map { "Did you mean '\($0)'?" } ?? ""
        return [question, otherwise].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
