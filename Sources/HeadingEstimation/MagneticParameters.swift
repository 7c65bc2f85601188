import Geometry

/// Tuning of the magnetic Kalman filter: hard iron, north field, local disturbance, gyroscope bias, latency.
/// Fields in µT; figures without a source were found by trial on recordings.
public struct MagneticParameters: Hashable, Sendable {
    /// Prior of the hard iron if nothing is known, µT: phones had up to 600.
    public var unknownHardIron = 300.0
    /// Least prior of a stored hard iron, µT: that of phones moved by 3–4 within hours.
    public var storedHardIron = 2.9
    /// Drift of a stored hard iron in a week, µT: grows with the root of its age. Assumed, with algorithms that let a fit's error
    /// age (NXP's MotionCal: e-fold in two hours) as the cautious end and phones that were found as they were left as the other.
    public var weeklyDrift = 2.0
    /// Most that age adds, µT.
    public var greatestDrift = 10.0
    /// Drift of the hard iron per kelvin between calibration and now, µT/K. Assumed: offset drifts of Hall and
    /// magnetoresistive chips are a few tenths.
    public var thermalDrift = 0.15
    /// A temperature that differs by this much from the calibration's is named as the reason, K.
    public var notableTemperatureChange = 20.0
    /// Prior if the source delivers calibrated data, µT.
    public var calibratedHardIron = 0.15
    /// Random walk of the hard iron, µT/√s.
    public var hardIronWalk = 0.0012
    /// Trust in the model's horizontal strength, relative: rooms are up to 15 % off.
    public var horizontalSigma = 0.14
    /// Trust in the model's vertical strength, relative to the total strength.
    public var verticalSigma = 0.14
    /// Prior of the horizontal field per axis without a place, µT.
    public var unplacedHorizontal = 20.0
    /// Prior of the vertical field without a place, µT.
    public var unplacedVertical = 45.0
    /// Direction uncertainty below which the horizontal strength may be used, rad. Used on an open direction it cost 30°.
    public var strengthBelowDirection = 0.35
    /// The model's strengths are used only if the filter is off by this many of their standard deviations.
    public var strengthGate = 3.0
    /// Random walk of the north field, µT/√s.
    public var northWalk = 0.0185
    /// Random walk of the six-axis yaw, rad/√s.
    public var yawWalk = 0.1 * Angle.radiansPerDegree
    /// Yaw error per √ of the yaw turned, rad/√rad: what the scale errors of the gyroscope's axes leave, its alignment.
    public var yawPerTurn = 0.007
    /// Prior of the latency if nothing is known, s: iPhones had 0–20 ms, a Nexus 5 30–80.
    public var latency = 0.02
    /// Its standard deviation, s.
    public var latencySigma = 0.025
    /// Greatest latency, s.
    public var greatestLatency = 0.1
    /// Jitter of the sample times, s: noise that grows with the rate.
    public var jitter = 0.008
    /// Noise of a sample and axis, µT.
    public var noise = 0.85
    /// Correlation time of the local disturbance at full activity, s: walking about a metre.
    public var disturbanceTime = 0.7
    /// The same at rest, s: there it does not average out.
    public var disturbanceTimeAtRest = 10.0

    /// The defaults.
    public init() {}
}
