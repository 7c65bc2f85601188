/// Why a command ended without doing its work: what happened, why, and what the user can do about it.
struct CommandError: Error, Hashable, Sendable {
    /// The exit status it leads to.
    var status: ExitCode
    /// What happened and why, one sentence without a full stop.
    var message: String
    /// What to do, a sentence; empty if nothing helps.
    var remedy: String

    /// An error with its remedy.
    init(_ status: ExitCode, _ message: String, remedy: String = "") {
        self.status = status
        self.message = message
        self.remedy = remedy
    }

    /// The reader of the output has gone: an end, not a failure. Nothing is said, and the status is success.
    static let endOfReader = CommandError(.success, "the reader of the output has gone")

    /// For standard error: "headingctl: what happened", then what to do on its own line.
    var text: String {
        let first = "headingctl: \(TextWidth.clean(message))\n"
        return remedy.isEmpty ? first : first + TextWidth.clean(remedy) + "\n"
    }

    /// The same as one JSON object.
    var json: JSONValue {
        .object([
            (
                "error",
                .object([
                    ("status", .integer(Int64(status.rawValue))), ("message", .string(message)),
                    ("remedy", .string(remedy)),
                ])
            )
        ])
    }
}
