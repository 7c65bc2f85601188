/// How a standard deviation becomes the stated accuracy, a 95 % bound in degrees.
public struct AccuracyParameters: Hashable, Sendable {
    /// Factor on the standard deviation of the direction: 1.96 would be Gaussian; magnets have heavier tails.
    public var factor = 2.1
    /// 95 % bound in degrees of what a place turns the mean field by, which no filter can see: rooms were 1–4° off. Added in
    /// quadrature.
    public var place = 3.5
    /// Constant in degrees.
    public var constant = 0.4
    /// Growth of the accuracy with the share of time among magnets: their errors have heavy tails.
    public var magnets = 0.5
    /// Constant in degrees of the bound by which validity is decided, without place and magnets.
    public var validityConstant = 1.0
    /// The stated accuracy never exceeds this, degrees.
    public var clip = 60.0
    /// Beyond this bound, without place and magnets, the heading is invalid, degrees: at a start in motion it has heavy tails,
    /// and so wide a heading helps nobody.
    public var greatest = 42.0
    /// The same without a gyroscope, where accuracy is wide by nature: what can be stated is stated.
    public var greatestTilt = 60.0
    /// Horizontal field below which there is no heading, µT: near a magnetic pole or against a magnet.
    public var leastHorizontal = 3.0
    /// Least accuracy without an accelerometer, degrees: 10° of tilt at 61° of dip are 18° of heading.
    public var levelAssumed = 25.0

    /// The defaults.
    public init() {}
}
