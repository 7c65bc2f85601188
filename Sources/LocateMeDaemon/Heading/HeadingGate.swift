internal import HeadingEstimation
internal import LocateMeModel

/// Which headings of a stream one session gets: those that pass its filter, and those from which on the true heading
/// is known or is not any more, since a device at rest would else never tell.
struct HeadingGate {
    private var filter = HeadingFilter()
    private var hadTrueHeading: Bool?
    private var lastOffered = -1.0

    /// Degrees; negative: none.
    var filterDegrees: Double {
        get { filter.thresholdDegrees }
        set { filter.thresholdDegrees = newValue }
    }

    /// How many degrees the heading may turn from the last one offered before one must be delivered; 0: the next may be.
    var headroomDegrees: Double { filter.headroomDegrees(from: lastOffered) }

    /// The next heading passes.
    mutating func reset() {
        filter.reset()
        hadTrueHeading = nil
    }

    /// True if the heading is to be delivered, which is then remembered.
    mutating func passes(_ heading: Heading) -> Bool {
        passes(magnetic: heading.magnetic, trueHeading: heading.trueHeading)
    }

    /// The same for the two numbers of a heading that matter here, as in `Heading`.
    mutating func passes(magnetic: Double, trueHeading: Double) -> Bool {
        lastOffered = magnetic
        let hasTrueHeading = trueHeading >= 0
        if let hadTrueHeading, hadTrueHeading != hasTrueHeading, magnetic >= 0 { filter.reset() }
        guard filter.passes(magnetic) else { return false }
        hadTrueHeading = hasTrueHeading
        return true
    }
}
