internal import LocateMeModel

/// Options that several commands about headings share.
enum HeadingOptions {
    /// Which north.
    static let wantsTrue = Flag("true", help: "from true north, which needs a place; default: from magnetic north")
    /// The heading filter.
    static let filter = Option(
        "filter", ValueType<Double>.number("DEG", unit: "degrees", in: -1...180),
        help: "tell a heading only when it has turned by DEG since the last one; -1: every heading")
    /// The edge that counts as top.
    static let orientation = Option(
        "orientation",
        ValueType<HeadingOrientation>.choice(
            "NAME", HeadingOrientation.allCases.map { (word: Wording.orientation($0), value: $0) }),
        help: "edge of the device that counts as its top; default portrait")
    /// How long to go on.
    static let limit = Option("for", ValueType<Int64>.duration, help: "end after TIME, with status 0")
    /// How many lines.
    static let count = Option(
        "count", ValueType<Int>.count("N", in: 1...Int.max), help: "end after N lines, with status 0")
}
