/// How a standard deviation becomes the stated accuracy, a 95 % bound in degrees.
public struct AccuracyParameters: Hashable, Sendable {
    /// Factor on the standard deviation of the direction: 1.96 would be Gaussian; the deviation itself is on the safe side, since
    /// samples are taken for less independent than they are.
    public var factor = 1.7
    /// 95 % bound in degrees of what a place turns the mean field by, which no filter can see: rooms were 1–4° off. Added in
    /// quadrature.
    public var place = 2.5
    /// Constant in degrees.
    public var constant = 0.3
    /// Growth of the accuracy with the share of time among magnets: their errors have heavy tails.
    public var magnets = 0.6
    /// 95 % bound in degrees of a direction that was just opened in full motion, added in quadrature (`DirectionDoubt`). As `clip`:
    /// more cannot be stated.
    public var start = 60.0
    /// That doubt fades over this time of undisturbed field, s. Found by trial on starts in mid-motion; longer: wider after each of
    /// them.
    public var startTime = 4.0
    /// The stated accuracy never exceeds this, degrees.
    public var clip = 60.0
    /// Standard deviation of the direction beyond which the heading is invalid, degrees: at a start in motion it has heavy tails,
    /// and so wide a heading helps nobody.
    public var greatestSigma = 21.5
    /// The same without a gyroscope, where accuracy is wide by nature: what can be stated is stated.
    public var greatestSigmaTilt = 30.0
    /// Horizontal field below which there is no heading, µT: near a magnetic pole or against a magnet.
    public var leastHorizontal = 3.0
    /// Least accuracy without an accelerometer, degrees: 10° of tilt at 61° of dip are 18° of heading.
    public var levelAssumed = 25.0

    /// The defaults.
    public init() {}
}
