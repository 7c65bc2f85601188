/// Raw proximity → near or not, with hysteresis.
struct ProximityThreshold {
    /// At or above this something is near; the driver's `in_proximity_nearlevel`, 1 without one: sensors of that kind
    /// say 0 or not 0.
    var nearLevel = 1.0
    private(set) var isNear = false

    /// Share of the level below which near ends.
    private static let release = 0.9

    init(nearLevel: Double?) {
        if let nearLevel, nearLevel.isFinite, nearLevel > 0 { self.nearLevel = nearLevel }
    }

    /// Takes a raw value; NaN changes nothing.
    mutating func update(_ raw: Double) -> Bool {
        if raw >= nearLevel {
            isNear = true
        } else if raw < nearLevel * Self.release {
            isNear = false
        }
        return isNear
    }
}
