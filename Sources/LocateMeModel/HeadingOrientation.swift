/// Which edge of the device counts as its top for the heading: the D-Bus `orientation`, Core Location's
/// `headingOrientation`.
public enum HeadingOrientation: UInt32, Hashable, Sendable, CaseIterable {
    /// The top edge (+y).
    case portrait = 1
    /// The bottom edge (−y).
    case upsideDown = 2
    /// Device turned counter-clockwise: its right edge (+x) is up.
    case landscapeLeft = 3
    /// Device turned clockwise: its left edge (−x) is up.
    case landscapeRight = 4
}
