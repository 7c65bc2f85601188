internal import LocateMeModel

/// Sentences on standard output, or an object with each.
final class OutputSink: LineSink {
    let name = "standard output"
    private let output: TextOutput
    private let wrapsSentences: Bool

    /// `wrapsSentences`: `{"sentence":"$HCHDM,…"}` in place of the bare one.
    init(_ output: TextOutput, wrapsSentences: Bool = false) {
        self.output = output
        self.wrapsSentences = wrapsSentences
    }

    var failure: String? { output.failure.map { "standard output: \($0)" } }

    func send(_ lines: String) {
        if wrapsSentences {
            for line in lines.split(whereSeparator: \.isNewline) {
                output.writeLine(JSONValue.object([("sentence", .string(String(line)))]).text)
            }
        } else {
            output.write(lines)
        }
        output.flush()
    }
}
