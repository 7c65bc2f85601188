public import LocateMeBusInterface
public import LocateMeModel

/// Place and heading at one moment.
public struct Pose: Hashable, Sendable {
    /// What is new in this update.
    public var changed: PoseParts
    /// The place; nil: none is valid.
    public var fix: Fix?
    /// The heading; nil: none is valid.
    public var heading: Heading?

    /// A pose.
    public init(changed: PoseParts, fix: Fix?, heading: Heading?) {
        self.changed = changed
        self.fix = fix
        self.heading = heading
    }

    init(changed: PoseParts, valid: PoseParts, fix: Fix, heading: Heading) {
        self.init(
            changed: changed, fix: valid.contains(.location) ? fix : nil,
            heading: valid.contains(.heading) ? heading : nil)
    }
}
