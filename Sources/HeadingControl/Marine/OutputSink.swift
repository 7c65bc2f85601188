internal import LocateMeModel

/// Sentences on standard output.
final class OutputSink: LineSink {
    let name = "standard output"
    private let output: TextOutput

    init(_ output: TextOutput) { self.output = output }

    var failure: String? { output.failure.map { "standard output: \($0)" } }

    func send(_ lines: String) {
        output.write(lines)
        output.flush()
    }
}
