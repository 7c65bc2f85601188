/// Why a text is not a usable heading state. `description` says what happened, where, and what to do.
public struct StoredStateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Kinds of trouble.
    public enum Code: String, Hashable, Sendable {
        /// Not a heading state at all.
        case format
        /// A version that this program does not know.
        case version
        /// It is another device's.
        case device
        /// A number that is missing, not finite or out of range.
        case value
    }

    /// What kind of trouble.
    public var code: Code
    /// Line, from 1; 0 if no single line is to blame.
    public var line: Int
    /// In plain words.
    public var description: String

    /// An error at a line.
    public init(_ code: Code, line: Int, _ description: String) {
        self.code = code
        self.line = line
        self.description = line > 0 ? "line \(line): \(description)" : description
    }
}
