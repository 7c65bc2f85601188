/// What was read from a file: points in its order, and what was odd about it.
public struct Track: Hashable, Sendable {
    /// The points, of all tracks and segments.
    public var points: [TrackPoint]
    /// Sentences for the person who uses the file.
    public var warnings: [String]
}

/// Why a file gives no track, in a sentence.
public struct TrackError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The sentence, without the file's name.
    public let description: String

    init(_ description: String) { self.description = description }
}
