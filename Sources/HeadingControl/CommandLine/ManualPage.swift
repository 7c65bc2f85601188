internal import LocateMeModel

/// The manual page headingctl(1) in roff with the macros of man(7), made from the table of commands.
enum ManualPage {
    /// The whole page.
    static func text(_ commands: [CommandSpec]) -> String {
        var text = """
            .TH HEADINGCTL 1 "" "locateme \(ProductVersion.text)" "User Commands"
            .ad l
            .nh
            .SH NAME
            headingctl \\- compass headings, places, sensor recordings and the earth's magnetic field
            .SH SYNOPSIS
            .B headingctl
            .I COMMAND
            .RI [ OPTIONS ]
            .RI [ OPERANDS ]
            .SH DESCRIPTION
            .B headingctl
            shows and prints what
            .BR locatemed (8)
            knows: the direction in which the device points, with its true accuracy, the place, the sensors.
            It also works on recordings of sensors and computes the earth's magnetic field, without a service.
            .PP
            Without a command on a terminal it is the same as
            .BR "headingctl watch" .
            Headings are degrees clockwise from north in [0, 360), magnetic unless said otherwise; an accuracy is the
            bound that the error keeps with 95\\ % probability; times are UTC; numbers have a point in every locale.
            .SH COMMANDS

            """
        for command in commands { text += section(command) }
        text += ".SH OPTIONS OF EVERY COMMAND\n" + CommonOptions.specs.map(option).joined()
        text += item("\\-\\-version", "show the version and exit")
        text += ".SH EXIT STATUS\n" + ExitCode.allCases.map { item(String($0.rawValue), $0.meaning) }.joined()
        text += ".SH ENVIRONMENT\n" + HelpText.environment.map { item(escaped($0.0), $0.1) }.joined()
        text += ".SH SEE ALSO\n.BR locatemed (8)\n"
        return text
    }

    private static func section(_ command: CommandSpec) -> String {
        var text = ".SS \(escaped(HelpText.usage(of: command)))\n"
        text += command.description.map { line($0) }.joined(separator: ".PP\n")
        for operand in command.operands { text += item("\\fI\(escaped(operand.placeholder))\\fR", operand.help) }
        text += command.options.map(option).joined()
        text += ".PP\nExamples:\n"
        for example in command.examples {
            text += ".PP\n\(line(example.text)).PP\n.nf\n.RS\n\(line("headingctl " + example.arguments)).RE\n.fi\n"
        }
        return text
    }

    private static func option(_ option: OptionSpec) -> String {
        var term = option.short.map { "\\fB\\-\($0)\\fR, " } ?? ""
        term += "\\fB\\-\\-\(escaped(option.name))\\fR"
        if let placeholder = option.placeholder {
            term += option.isValueOptional ? "[=\\fI\(escaped(placeholder))\\fR]" : " \\fI\(escaped(placeholder))\\fR"
        }
        return ".TP\n\(term)\n\(line(option.help + "."))"
    }

    private static func item(_ term: String, _ text: String) -> String { ".TP\n\(term)\n\(line(text + "."))" }

    /// A line of text that cannot be taken for a macro.
    private static func line(_ text: String) -> String {
        let escaped = escaped(text)
        return (escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" : "") + escaped + "\n"
    }

    private static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "\\": "\\e"
            case "-": "\\-"
            case "'": "\\(aq"
            case "~": "\\(ti"
            case "^": "\\(ha"
            case "µ": "\\(mc"
            case "°": "\\(de"
            case "±": "\\(+-"
            case "×": "\\(mu"
            case "…": "\\&..."
            default: String(character)
            }
        }.joined()
    }
}
