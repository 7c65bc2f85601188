/// Conversions and wrap-safe arithmetic of angles kept as `Double` degrees or radians.
public enum Angle {
    /// Radians of one degree.
    public static let radiansPerDegree = Double.pi / 180
    /// Degrees of one radian.
    public static let degreesPerRadian = 180 / Double.pi

    /// The same direction in [0, 360). NaN and infinities give NaN.
    public static func wrap360(_ degrees: Double) -> Double {
        guard degrees.isFinite else { return .nan }
        let rest = degrees.truncatingRemainder(dividingBy: 360)
        let wrapped = rest < 0 ? rest + 360 : rest
        // −1e-17 + 360 rounds to 360, which is outside the half-open range; + 0 makes −0 a plain zero.
        return wrapped >= 360 ? 0 : wrapped + 0
    }

    /// The same direction in [−180, 180). NaN and infinities give NaN.
    public static func wrap180(_ degrees: Double) -> Double {
        let wrapped = wrap360(degrees)
        return wrapped >= 180 ? wrapped - 360 : wrapped
    }

    /// The signed shortest turn in degrees from one direction to another, in [−180, 180); positive is clockwise
    /// where the directions are headings.
    public static func turn(from start: Double, to end: Double) -> Double { wrap180(end - start) }
}
