/// Completion scripts for shells, made from the table of commands.
enum ShellCompletion {
    // MARK: - bash

    /// For bash 4 and newer, with or without the bash-completion package.
    static func bash(_ commands: [CommandSpec]) -> String {
        let names = (commands.map(\.name) + ["help"]).joined(separator: " ")
        let common = CommonOptions.specs.map { "--\($0.name)" }.joined(separator: " ")
        var text = """
            # bash completion for headingctl; printed by 'headingctl completion bash'

            _headingctl() {
                local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} command= i
                # "--bus=sys" arrives as three words
                if [[ $word == = ]]; then
                    word=
                elif [[ $previous == = ]]; then
                    previous=${COMP_WORDS[COMP_CWORD - 2]}
                fi
                for ((i = 1; i < COMP_CWORD; i++)); do
                    case ${COMP_WORDS[i]} in
                        --bus) ((i++)) ;;
                        -*) ;;
                        *) command=${COMP_WORDS[i]}; break ;;
                    esac
                done
                COMPREPLY=()
                case "$command $previous" in

            """
        var lines: [String] = []
        for command in commands {
            for option in command.options where option.placeholder != nil && !option.isValueOptional {
                lines.append("        '\(command.name) --\(option.name)') \(bashReply(option.completion)) ;;")
            }
        }
        for option in CommonOptions.specs where option.placeholder != nil {
            lines.append("        *' --\(option.name)') \(bashReply(option.completion)) ;;")
        }
        text += lines.joined(separator: "\n")
        text += """

                esac
                if [[ -z $command ]]; then
                    COMPREPLY=($(compgen -W '\(names) \(common) --version' -- "$word"))
                    return
                fi
                if [[ $word == -* ]]; then
                    case $command in

            """
        for command in commands {
            let options = command.allOptions.map { "--\($0.name)" }.joined(separator: " ")
            text += "            \(command.name)) COMPREPLY=($(compgen -W '\(options)' -- \"$word\")) ;;\n"
        }
        text += """
                    esac
                    return
                fi
                case $command in
                    help) COMPREPLY=($(compgen -W '\(commands.map(\.name).joined(separator: " "))' -- "$word")) ;;

            """
        for command in commands {
            guard let operand = command.operands.first(where: { $0.completion != .none }) else { continue }
            text += "        \(command.name)) \(bashReply(operand.completion)) ;;\n"
        }
        text += """
                esac
            }
            complete -F _headingctl headingctl

            """
        return text
    }

    private static func bashReply(_ completion: Completion) -> String {
        switch completion {
        case .none: "return"
        case .words(let words): "COMPREPLY=($(compgen -W '\(words.joined(separator: " "))' -- \"$word\")); return"
        case .files: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -f -- \"$word\"); return"
        case .folders: "compopt -o filenames; mapfile -t COMPREPLY < <(compgen -d -- \"$word\"); return"
        }
    }

    // MARK: - zsh

    /// For zsh's compsys.
    static func zsh(_ commands: [CommandSpec]) -> String {
        var text = """
            #compdef headingctl
            # zsh completion for headingctl; printed by 'headingctl completion zsh'

            _headingctl() {
                local context state line
                typeset -A opt_args
                local -a commands
                commands=(

            """
        for command in commands { text += "        \(quoted("\(command.name):\(command.summary)"))\n" }
        text += "        'help:show help'\n    )\n    _arguments -C \\\n"
        for option in CommonOptions.specs { text += "        \(zshArgument(option)) \\\n" }
        text += """
                    '--version[show the version and exit]' \\
                    '1:command:->command' '*::argument:->argument'
                case $state in
                    command) _describe -t commands 'headingctl command' commands ;;
                    argument)
                        case $words[1] in
                            help) _describe -t commands 'headingctl command' commands ;;

            """
        for command in commands {
            text += "                \(command.name))\n                    _arguments"
            for option in command.allOptions { text += " \\\n                        \(zshArgument(option))" }
            for (index, operand) in command.operands.enumerated() {
                let optional = operand.isRequired ? "" : ":"
                text += " \\\n                        "
                text += quoted(
                    "\(index + 1):\(optional)\(zshEscaped(operand.placeholder)):\(zshAction(operand.completion))")
            }
            text += "\n                    ;;\n"
        }
        text += """
                        esac
                        ;;
                esac
            }
            _headingctl "$@"

            """
        return text
    }

    private static func zshArgument(_ option: OptionSpec) -> String {
        let times = option.isRepeatable ? "*" : ""
        var text = "\(times)--\(option.name)"
        if option.placeholder != nil { text += option.isValueOptional ? "=-" : "=" }
        text += "[\(zshEscaped(option.help))]"
        if let placeholder = option.placeholder {
            text += "\(option.isValueOptional ? "::" : ":")\(placeholder):\(zshAction(option.completion))"
        }
        return quoted(text)
    }

    private static func zshAction(_ completion: Completion) -> String {
        switch completion {
        case .none: ""
        case .words(let words): "(\(words.joined(separator: " ")))"
        case .files: "_files"
        case .folders: "_files -/"
        }
    }

    private static func zshEscaped(_ text: String) -> String {
        String(text.flatMap { "[]:\\".contains($0) ? ["\\", $0] : [$0] })
    }

    // MARK: - fish

    /// For fish 3 and newer.
    static func fish(_ commands: [CommandSpec]) -> String {
        var text = """
            # fish completion for headingctl; printed by 'headingctl completion fish'

            complete -c headingctl -f

            """
        for command in commands {
            text += "complete -c headingctl -n __fish_use_subcommand -a \(command.name) -d \(quoted(command.summary))\n"
        }
        text += "complete -c headingctl -n __fish_use_subcommand -a help -d 'show help'\n"
        text += "complete -c headingctl -n __fish_use_subcommand -l version -d 'show the version and exit'\n"
        let names = commands.map(\.name).joined(separator: " ")
        text += "complete -c headingctl -n '__fish_seen_subcommand_from help' -a '\(names)'\n"
        for option in CommonOptions.specs { text += "complete -c headingctl\(fishOption(option))\n" }
        for command in commands {
            let condition = "-n '__fish_seen_subcommand_from \(command.name)'"
            for option in command.options { text += "complete -c headingctl \(condition)\(fishOption(option))\n" }
            for operand in command.operands where operand.completion != .none {
                text += "complete -c headingctl \(condition)\(fishAction(operand.completion, isOption: false))\n"
            }
        }
        return text
    }

    private static func fishOption(_ option: OptionSpec) -> String {
        var text = option.short.map { " -s \($0)" } ?? ""
        text += " -l \(option.name)"
        if option.placeholder != nil, !option.isValueOptional {
            text += " -x\(fishAction(option.completion, isOption: true))"
        }
        return text + " -d \(quoted(option.help))"
    }

    private static func fishAction(_ completion: Completion, isOption: Bool) -> String {
        switch completion {
        case .none: ""
        case .words(let words): " -a '\(words.joined(separator: " "))'"
        case .files: isOption ? " -a '(__fish_complete_path)'" : " -F"
        case .folders: " -a '(__fish_complete_directories)'"
        }
    }

    /// In single quotes; a quote itself is closed, escaped and opened again, which all three shells understand.
    private static func quoted(_ text: String) -> String {
        "'" + text.map { $0 == "'" ? "'\\''" : String($0) }.joined() + "'"
    }
}
