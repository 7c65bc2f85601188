internal import LocateMeModel

/// All that the live compass shows.
struct RoseState: Hashable, Sendable {
    /// Which north the dial and the big digits count from.
    enum Reference: Hashable, Sendable {
        /// Magnetic north.
        case magnetic
        /// True north; falls back to magnetic while the true heading is unknown.
        case trueNorth
    }

    /// How the dial is turned.
    enum Dial: Hashable, Sendable {
        /// The device's direction is up and the card turns, as on a hand compass.
        case headingUp
        /// North is up and the pointer turns, as on a map.
        case northUp
    }

    /// The newest heading, nil if none has come.
    var heading: Heading?
    /// The newest fix, nil if none has come or the caller may not know it.
    var fix: Fix?
    /// Seconds since `heading` was measured.
    var ageSeconds: Double = .nan
    /// Which north counts.
    var reference = Reference.magnetic
    /// What is up.
    var dial = Dial.headingUp
    /// Where the data come from, such as "locatemed on the system bus".
    var title = ""
    /// Why there is no heading, or what the user should do; empty: nothing to say.
    var notice = ""

    /// Headings older than this are shown as what they are: old. Live sensors give several a second.
    static let staleSeconds = 3.0

    /// True if there is a valid heading that is not old.
    var isLive: Bool { magnetic != nil && !(ageSeconds > Self.staleSeconds) }

    /// The magnetic heading in degrees, nil while invalid.
    var magnetic: Double? { heading.flatMap { $0.magnetic >= 0 && $0.accuracy >= 0 ? $0.magnetic : nil } }

    /// The true heading in degrees, nil while unknown.
    var trueHeading: Double? { magnetic == nil ? nil : heading.flatMap { $0.trueHeading >= 0 ? $0.trueHeading : nil } }

    /// True if the big digits and the dial count from true north.
    var showsTrue: Bool { reference == .trueNorth && trueHeading != nil }

    /// The heading that the dial and the big digits show, nil while invalid.
    var shown: Double? { showsTrue ? trueHeading : magnetic }

    /// The 95 % bound in degrees, nil while invalid.
    var accuracy: Double? { magnetic == nil ? nil : heading?.accuracy }
}
