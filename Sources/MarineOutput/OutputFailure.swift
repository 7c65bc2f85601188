/// Why an output cannot be made.
public struct OutputFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What happened and why, one sentence without a full stop.
    public let description: String
    /// What to do, a sentence; empty if nothing helps.
    public let remedy: String

    init(_ description: String, remedy: String = "") {
        self.description = description
        self.remedy = remedy
    }
}
