/// Start values of a location session: `Location1.Preset`.
public enum LocationPreset: String, Hashable, Sendable, CaseIterable {
    /// A vehicle or animal that is followed.
    case tracker
    /// On foot.
    case walk
    /// In a vehicle; widens to `highway` on fast roads if the minimum interval is above 15 s.
    case vehicle
    /// In a vehicle on a fast road.
    case highway
    /// A fleet seen by a dispatcher.
    case dispatcher
    /// Turn-by-turn navigation.
    case navigation
}
