/// A command line or configuration that cannot be followed; the message says what is wrong and what would be right.
public struct UsageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence for the person who wrote it.
    public let description: String

    /// An error with its sentence.
    public init(_ description: String) { self.description = description }
}
