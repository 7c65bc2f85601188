/// How far a compass can be relied on, by the horizontal field (zones of the World Magnetic Model since 2020).
public enum CompassZone: String, Hashable, Sendable {
    /// H of 6000 nT or more.
    case normal
    /// H from 2000 up to 6000 nT: declination is uncertain by degrees.
    case caution
    /// H below 2000 nT: a compass is unreliable.
    case blackout

    /// The zone of a horizontal strength in nT. NaN counts as blackout.
    public init(horizontal: Double) {
        self = horizontal >= 6000 ? .normal : horizontal >= 2000 ? .caution : .blackout
    }
}
