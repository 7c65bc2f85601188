/// `headingctl manual`.
enum ManualCommand {
    static let command = Command(
        spec: CommandSpec(
            name: "manual", summary: "print the manual page",
            description: ["Prints the manual page headingctl(1) as roff, for installations that lack it."],
            operands: [], options: [],
            examples: [.init(arguments: "manual | man -l -", text: "Read it:")])
    ) { arguments, context throws(CommandError) in
        let page = ManualPage.text(CommandTable.specs)
        if arguments[CommonOptions.json] {
            context.output.writeLine(JSONValue.object([("manual", .string(page))]).text)
        } else {
            context.output.write(page)
        }
    }
}
