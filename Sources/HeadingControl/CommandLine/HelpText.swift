/// Help texts, made from the table of commands.
struct HelpText {
    /// Columns that texts are wrapped to.
    let width: Int

    /// Help for a width of the terminal; texts are never wider than 100 columns, nor narrower than 40.
    init(terminalColumns: Int) { width = min(max(terminalColumns, 40), 100) }

    /// "headingctl replay [OPTIONS] FILE".
    static func usage(of command: CommandSpec) -> String {
        (["headingctl", command.name, "[OPTIONS]"] + command.operands.map(\.usage)).joined(separator: " ")
    }

    /// Help of the whole program.
    func program(_ commands: [CommandSpec], version: String) -> String {
        var text = paragraph(
            "headingctl \(version): compass headings and places from locatemed, and tools for recordings and the earth's magnetic field."
        )
        text += "\nUsage: headingctl COMMAND [OPTIONS] [OPERANDS]\n"
        text += paragraph("Without a command on a terminal: headingctl watch.")
        text += "\nCommands:\n" + table(commands.map { ($0.name, $0.summary) })
        text += "\nOptions of every command:\n" + table(CommonOptions.specs.map { ($0.usage, $0.help) })
        text += "\nOther:\n"
        text += table([("help COMMAND", "the same as COMMAND --help"), ("--version", "show the version and exit")])
        text += "\nExit status:\n" + table(ExitCode.allCases.map { (String($0.rawValue), $0.meaning) })
        text += "\nEnvironment:\n" + table(Self.environment)
        text +=
            "\n"
            + paragraph("'headingctl COMMAND --help' shows a command's options and examples. Manual: headingctl(1).")
        return text
    }

    /// Help of one command.
    func command(_ command: CommandSpec) -> String {
        var text = paragraph("\(Self.usage(of: command))") + "\n"
        text += command.description.map(paragraph).joined(separator: "\n")
        if !command.operands.isEmpty {
            text += "\nOperands:\n" + table(command.operands.map { ($0.placeholder, $0.help) })
        }
        text += "\nOptions:\n" + table(command.allOptions.map { ($0.usage, $0.help) })
        text += "\nExamples:\n"
        for example in command.examples {
            text += paragraph(example.text, indent: "  ") + "    headingctl \(example.arguments)\n"
        }
        return text
    }

    /// Environment variables that matter.
    static let environment = [
        ("NO_COLOR", "no colours if set and not empty"),
        ("TERM, COLORTERM", "how many colours the terminal has; COLORTERM=truecolor for all"),
        ("LC_ALL, LC_CTYPE, LANG", "a UTF-8 locale gives the fine rose, others the one in ASCII"),
        ("DBUS_SYSTEM_BUS_ADDRESS", "address of the system bus"),
        ("DBUS_SESSION_BUS_ADDRESS", "address of the session bus"),
    ]

    private func paragraph(_ text: String) -> String { paragraph(text, indent: "") }

    private func paragraph(_ text: String, indent: String) -> String {
        TextWidth.wrapped(text, to: width - indent.count).map { "\(indent)\($0)\n" }.joined()
    }

    /// Two columns; a left text that is too long gets a line of its own.
    private func table(_ rows: [(String, String)]) -> String {
        let left = min(rows.map { $0.0.count }.max() ?? 0, 24)
        let indent = String(repeating: " ", count: left + 4)
        var text = ""
        for (term, explanation) in rows {
            let lines = TextWidth.wrapped(explanation, to: width - indent.count)
            if term.count > left {
                text += "  \(term)\n"
            } else {
                text += "  \(TextWidth.padded(term, to: left))  \(lines[0])\n"
            }
            for line in term.count > left ? lines[...] : lines.dropFirst() { text += "\(indent)\(line)\n" }
        }
        return text
    }
}
