/// Tuning of the batch fits. Figures without a source were found by trial on recorded tumbles of three phones.
public struct CalibrationFitParameters: Hashable, Sendable {
    /// Fewest samples. More: later but safer.
    public var leastSamples = 60
    /// Most samples used; the rest is thinned evenly in time. More: slower.
    public var samplesUsed = 400
    /// Gauss-Newton steps at most.
    public var iterations = 15
    /// Prior standard deviation of a gain of the soft iron matrix around 1, and of its other elements around 0, once
    /// the sphere is well covered. Three phones' gains were 0.93…1.09. Larger: follows noise.
    public var gainSigma = 0.05
    /// The same while the samples do not say gains and centre apart: on a partly covered sphere free gains have a far-away
    /// solution, and a noisy sensor's centre went 24 µT astray.
    public var partialGainSigma = 0.02
    /// Share of the sphere from which on the gains are free …
    public var freeGainCoverage = 0.8
    /// … or the standard deviation of the centre with free gains, µT, below which they are.
    public var freeGainSigma = 0.8
    /// Prior standard deviation of the field strength around the model's, relative. It steadies the first seconds of a tumble
    /// and weighs little against a well covered sphere.
    public var fieldSigma = 0.05
    /// Neighbouring samples share their errors (disturbances, latency): the number of samples that count as one.
    public var correlatedSamples = 10.0
    /// Noise assumed for the robust weights: this share of the field, at least `leastNoise`.
    public var relativeNoise = 0.02
    /// Least noise of a sample in µT.
    public var leastNoise = 0.5
    /// Least share of 100 cells of the sphere.
    public var leastCoverage = 0.5
    /// Least share of 20 sectors of the circle.
    public var leastPlanarCoverage = 0.7
    /// Largest residual relative to the field (MotionCal asks for 5 %, NXP for 4–12 %).
    public var residualTolerance = 0.045
    /// Largest deviation of the fitted field from the model's, relative.
    public var fieldTolerance = 0.13
    /// Least plausible field in µT: the earth's is 22–67 at the surface.
    public var leastField = 15.0
    /// Share of the samples at the very end of an axis beyond which it is saturated.
    public var saturatedShare = 0.06
    /// A fitted field below this is the noise of a device that was hardly turned, µT.
    public var leastTurnedField = 6.0
    /// Greatest plausible field in µT.
    public var greatestField = 90.0
    /// The cloud counts as flat if its thickness (standard deviation) is below this share of its widest extent.
    public var flatness = 0.12
    /// Standard deviation in µT of the hard iron along the normal of a planar fit, which it cannot see.
    public var normalSigma = 30.0

    /// The defaults.
    public init() {}
}
