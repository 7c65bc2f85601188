/// `headingctl completion`.
enum CompletionCommand {
    private static let shell = Operand(
        ValueType<String>.choice("SHELL", ["bash", "zsh", "fish"]), help: "bash, zsh or fish")

    static let command = Command(
        spec: CommandSpec(
            name: "completion", summary: "print a shell's completion script",
            description: ["Prints the completion script for a shell. Packages install the same files."],
            operands: [shell.spec], options: [],
            examples: [
                .init(
                    arguments: "completion bash > ~/.local/share/bash-completion/completions/headingctl",
                    text: "For bash:"),
                .init(arguments: "completion zsh > ~/.zfunc/_headingctl", text: "For zsh, with ~/.zfunc in fpath:"),
                .init(
                    arguments: "completion fish > ~/.config/fish/completions/headingctl.fish", text: "For fish:"),
            ])
    ) { arguments, context throws(CommandError) in
        let script =
            switch arguments[shell, at: 0] {
            case "zsh": ShellCompletion.zsh(CommandTable.specs)
            case "fish": ShellCompletion.fish(CommandTable.specs)
            default: ShellCompletion.bash(CommandTable.specs)
            }
        if arguments[CommonOptions.json] {
            context.output.writeLine(JSONValue.object([("script", .string(script))]).text)
        } else {
            context.output.write(script)
        }
    }
}
