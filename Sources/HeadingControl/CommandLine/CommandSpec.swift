/// One command as the parser, the help texts, the manual page and the completions see it: all of them are made
/// from this table alone.
struct CommandSpec: Sendable {
    /// A command line and what it does.
    struct Example: Sendable {
        /// Without the program's name.
        let arguments: String
        /// A few words.
        let text: String
    }

    /// The word on the command line.
    let name: String
    /// A few words for the list of commands.
    let summary: String
    /// Paragraphs for `--help` and the manual page.
    let description: [String]
    /// In the order of the command line; required ones first.
    let operands: [OperandSpec]
    /// Its own options, without the common ones.
    let options: [OptionSpec]
    /// At least one.
    let examples: [Example]

    /// Its own options and those that every command has.
    var allOptions: [OptionSpec] { options + CommonOptions.specs }
}
