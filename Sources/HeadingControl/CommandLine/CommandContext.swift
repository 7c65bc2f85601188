internal import Glibc

/// What a command may use of the process around it.
final class CommandContext {
    /// Standard output.
    let output: TextOutput
    /// Standard error.
    let errors: TextOutput
    /// Descriptor of standard input.
    let input: Int32
    /// Looks up a variable of the environment.
    let environment: (String) -> String?

    /// A context; tests bring their own descriptors and variables.
    init(
        outputDescriptor: Int32 = STDOUT_FILENO, errorDescriptor: Int32 = STDERR_FILENO, input: Int32 = STDIN_FILENO,
        environment: @escaping (String) -> String? = { name in getenv(name).map { String(cString: $0) } }
    ) {
        output = TextOutput(descriptor: outputDescriptor)
        errors = TextOutput(descriptor: errorDescriptor)
        self.input = input
        self.environment = environment
    }

    /// Colours for standard output: none unless it is a terminal.
    var palette: Palette { Palette(level: output.isTerminal ? .detect(environment) : .none) }

    /// Size of the terminal behind standard output.
    var terminalSize: Terminal.Size { Terminal.size(of: output.descriptor, environment: environment) }

    /// True if the locale's characters are UTF-8.
    var isUnicode: Bool { Terminal.isUnicode(environment) }

    /// A warning on standard error; the command goes on.
    func warn(_ text: String) {
        errors.writeLine("headingctl: " + TextWidth.clean(text))
        errors.flush()
    }
}
