/// The field and its annual rate in the local frame of a place: north and east along the WGS 84 ellipsoid, down
/// across it. At a pole "north" is the direction that the given longitude makes it.
public struct MagneticComponents: Hashable, Sendable {
    /// X in nT.
    public var north: Double
    /// Y in nT.
    public var east: Double
    /// Z in nT.
    public var down: Double
    /// nT a year.
    public var northRate: Double
    /// nT a year.
    public var eastRate: Double
    /// nT a year.
    public var downRate: Double

    /// Components and their rates.
    public init(
        north: Double, east: Double, down: Double, northRate: Double = 0, eastRate: Double = 0, downRate: Double = 0
    ) {
        self.north = north
        self.east = east
        self.down = down
        self.northRate = northRate
        self.eastRate = eastRate
        self.downRate = downRate
    }
}
