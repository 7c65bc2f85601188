/// How a standard deviation becomes the stated accuracy, a 95 % bound in degrees.
public struct AccuracyParameters: Hashable, Sendable {
    /// Factor on the standard deviation of the direction: 1.96 would be Gaussian; magnets have heavier tails.
    public var factor = 2.1
    /// Constant in degrees: what a room turns the field by, which nothing can see.
    public var constant = 1.0
    /// Beyond this the heading is invalid, degrees.
    public var greatest = 60.0
    /// Horizontal field below which there is no heading, µT: near a magnetic pole or against a magnet.
    public var leastHorizontal = 3.0
    /// Least accuracy without an accelerometer, degrees: 10° of tilt at 61° of dip are 18° of heading.
    public var levelAssumed = 25.0

    /// The defaults.
    public init() {}
}
