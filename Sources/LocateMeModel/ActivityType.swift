/// What moves: `Location1.ActivityType`. Decides which jumps are believed, and for vehicles the filter on fast roads.
public enum ActivityType: UInt32, Hashable, Sendable, CaseIterable {
    /// Anything.
    case other = 1
    /// A vehicle on roads.
    case automotive = 2
    /// Somebody on foot.
    case fitness = 3
    /// A vehicle off roads.
    case otherNavigation = 4
    /// An aircraft.
    case airborne = 5
}
