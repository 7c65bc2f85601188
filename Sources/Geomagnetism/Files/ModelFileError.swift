/// Why a coefficient file cannot be used.
public struct ModelFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Line of the file, from 1; nil if it concerns the whole.
    public let line: Int?
    /// What is wrong, in plain words.
    public let message: String

    init(line: Int?, _ message: String) {
        self.line = line
        self.message = message
    }

    /// The line, what is wrong and what to do.
    public var description: String {
        (line.map { "line \($0): " } ?? "") + message
            + ". Get the coefficient file again from its publisher (NOAA for the WMM, IAGA for the IGRF)"
    }
}
