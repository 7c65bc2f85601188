/// What a piece of text is, for its colour. Pure renderers say what a thing is; `Palette` says how it looks.
enum Ink: UInt8, Hashable, Sendable, CaseIterable {
    /// Ordinary text in the terminal's own colour.
    case plain
    /// What matters most: values, the cardinal letters.
    case strong
    /// Labels, scales and everything that may step back.
    case faint
    /// The rose's ring and its ticks.
    case ring
    /// The needle's north half and north itself.
    case north
    /// The needle's south half.
    case south
    /// True north.
    case trueNorth
    /// The direction that the device points in.
    case pointer
    /// Good.
    case good
    /// Middling.
    case fair
    /// Bad.
    case bad
    /// A warning that must be seen.
    case alert
}
