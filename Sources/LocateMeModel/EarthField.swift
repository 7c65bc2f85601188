/// The earth's field that a model gives at a place and date, as the heading estimator and the daemon use it.
public struct EarthField: Hashable, Sendable {
    /// Degrees, east positive.
    public var declination: Double
    /// 95 % bound of `declination` in degrees.
    public var declinationAccuracy: Double
    /// Horizontal strength in µT.
    public var horizontal: Double
    /// Vertical strength in µT, down positive.
    public var down: Double

    /// A field.
    public init(declination: Double, declinationAccuracy: Double, horizontal: Double, down: Double) {
        self.declination = declination
        self.declinationAccuracy = declinationAccuracy
        self.horizontal = horizontal
        self.down = down
    }

    /// Total strength in µT.
    public var total: Double { (horizontal * horizontal + down * down).squareRoot() }
}
