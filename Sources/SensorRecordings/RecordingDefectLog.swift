/// The defective lines of a recording: how many, and the first of them.
public struct RecordingDefectLog: Hashable, Sendable {
    /// How many defects are listed at most, so that a file of nothing but defects does not fill the memory.
    public static let listLimit = 100

    /// Number of defective lines.
    public private(set) var count = 0
    /// The first `listLimit` of them.
    public private(set) var first: [RecordingDefect] = []

    /// No defects.
    public init() {}

    mutating func add(_ defect: RecordingDefect) {
        count += 1
        if first.count < Self.listLimit { first.append(defect) }
    }
}
