import Geometry

/// Everything that gyroscope and accelerometer say without the magnetometer: the six-axis attitude and its history, activity,
/// rest, what inclination says of the gyroscope's bias, and the integrals that carry a bias error into the yaw.
struct MotionTracker {
    /// What a gyroscope sample brought.
    struct RateOutcome {
        /// True if the silence before it lost the attitude.
        var lost = false
        /// At rest, now and then: the low-passed rate, which is the bias, and the interval that it stands for.
        var restingBias: (rate: Vector3, interval: Double)?
    }

    /// Attitude.
    private(set) var attitude = SixAxisAttitude()
    /// Strapdown attitudes of the last samples.
    private(set) var history = AttitudeHistory()
    /// Activity.
    private(set) var activity = MotionActivity()
    /// Rest detector.
    var rest = RestDetector()
    /// Last raw rate, rad/s.
    private(set) var lastRate = Vector3.zero
    /// Time of the last gyroscope sample, nil before the first.
    private(set) var lastRateTime: Double?
    private var lastAccelerationTime: Double?
    private var usualInterval = 0.0
    private var observer = InclinationBiasObserver()
    private var verticalIntegral = Vector3.zero
    private var scaleIntegral = Vector3.zero
    private var turned = 0.0
    private var gapVariance = 0.0
    private var restedSinceMeasurement = 0.0
    /// Change of the rate over the interval before, rad/s, and that interval.
    private var lastChange = Vector3.zero
    private var lastInterval = 0.0
    /// Angle that a clipped gyroscope may have missed since it began to clip, rad.
    private var clippedAngle = 0.0

    /// True if the gyroscope is not silent.
    func isFresh(at time: Double, parameters: AttitudeParameters) -> Bool {
        guard let lastRateTime else { return false }
        return time - lastRateTime <= max(parameters.staleAfter, 1.5 * usualInterval)
    }

    /// Takes a raw rate in rad/s; `bias` and `scale` are what is known of its errors.
    mutating func update(
        rate: Vector3, bias: Vector3, scale: Vector3, time: Double, parameters: HeadingParameters
    ) -> RateOutcome {
        var outcome = RateOutcome()
        guard let previous = lastRateTime else {
            lastRateTime = time
            lastRate = rate
            return outcome
        }
        var interval = time - previous
        guard interval > 0 else { return outcome }
        lastRateTime = time
        outcome.lost = noteGap(interval, rate: (rate - bias).length, parameters: parameters.attitude)
        interval = min(interval, 0.5)
        noteIntegrationError(of: rate, interval: interval, parameters: parameters.attitude)
        let first = Self.corrected(lastRate, bias: bias, scale: scale)
        let second = Self.corrected(rate, bias: bias, scale: scale)
        lastRate = rate
        attitude.integrate(from: first, to: second, interval: interval)
        history.append(time: time, attitude: attitude.strapdown)
        let vertical = attitude.attitude.matrix.row2
        verticalIntegral += vertical * interval
        scaleIntegral += Vector3(vertical.x * second.x, vertical.y * second.y, vertical.z * second.z) * interval
        turned += vertical.dot(second) * interval
        activity.update(rate: second.length, interval: interval, parameters: parameters.attitude)
        rest.update(rate: rate, interval: interval, parameters: parameters.bias)
        if rest.isResting(parameters.bias) {
            restedSinceMeasurement += interval
            if restedSinceMeasurement >= parameters.bias.measurementInterval {
                outcome.restingBias = (rest.restingRate, restedSinceMeasurement)
                restedSinceMeasurement = 0
            }
        }
        return outcome
    }

    /// Counts what samples too far apart for the motion, and a clipped axis, leave uncertain of the yaw.
    ///
    /// The trapezoid's local error is h³/12·ω″ (Euler-Maclaurin), with h²·ω″ from the second difference; a clipped axis repeats one
    /// number while the device turns faster.
    private mutating func noteIntegrationError(of rate: Vector3, interval: Double, parameters: AttitudeParameters) {
        let change = rate - lastRate
        if abs(interval - lastInterval) < 0.3 * interval {
            let error = (change - lastChange).dot(attitude.attitude.matrix.row2) * interval / 12
            gapVariance += parameters.curvatureYaw * parameters.curvatureYaw * error * error
        }
        lastChange = change
        lastInterval = interval
        var clipped = 0.0
        for axis in 0..<3 where change[axis] == 0 && abs(rate[axis]) > parameters.clippedRate {
            clipped += abs(rate[axis]) * interval
        }
        guard clipped > 0 else {
            clippedAngle = 0
            return
        }
        let missed = parameters.clippedShare * clipped
        gapVariance += missed * (missed + 2 * clippedAngle)
        clippedAngle += missed
    }

    /// Counts a silence of the gyroscope; true if it lost the attitude.
    private mutating func noteGap(_ interval: Double, rate: Double, parameters: AttitudeParameters) -> Bool {
        if interval > max(parameters.gapThreshold, 2.5 * usualInterval) {
            let angle = parameters.gapYaw * interval * (rate + 0.2)
            gapVariance += angle * angle
        }
        let lost = interval > parameters.lostAfter
        if lost {
            attitude.lose()
            history.removeAll()
            observer.lose()
            rest.interrupt()
        } else {
            usualInterval += (usualInterval == 0 ? 1 : 0.05) * (interval - usualInterval)
        }
        return lost
    }

    /// Takes a specific force in m/s²; now and then what it says of the gyroscope's bias.
    mutating func update(
        acceleration: Vector3, bias: Vector3, time: Double, parameters: HeadingParameters
    ) -> InclinationBiasObserver.Measurement? {
        var interval = 0.005
        if let previous = lastAccelerationTime {
            guard time > previous else { return nil }
            interval = min(0.5, time - previous)
        }
        lastAccelerationTime = time
        let deviation = rest.update(
            acceleration: acceleration, isFirst: attitude.samples == 0, interval: interval, parameters: parameters.bias)
        activity.update(deviation: deviation, interval: interval, parameters: parameters.attitude)
        guard
            let up = attitude.correct(
                by: acceleration, interval: interval, timeConstant: parameters.attitude.accelerometerTimeConstant)
        else { return nil }
        return observer.update(
            tiltError: up, attitude: attitude.attitude.matrix, bias: bias, interval: interval,
            timeConstant: parameters.attitude.accelerometerTimeConstant,
            measurementInterval: parameters.bias.measurementInterval,
            isRunningMean: attitude.settled < parameters.attitude.accelerometerTimeConstant)
    }

    /// Device to levelled frame at a time; up to 30 ms after the newest sample are extrapolated.
    func attitude(at time: Double, bias: Vector3, scale: Vector3) -> Quaternion {
        if let past = history.attitude(at: time) { return attitude.inclination * past }
        guard history.count > 0, let lastRateTime else { return attitude.attitude }
        let ahead = min(0.03, time - lastRateTime)
        return attitude.attitude
            * Quaternion(rotationVector: Self.corrected(lastRate, bias: bias, scale: scale) * ahead)
    }

    /// The integrals since the last call; they start anew.
    mutating func takeYawIntegrals() -> (
        vertical: Vector3, scale: Vector3, turned: Double, gapVariance: Double
    ) {
        defer {
            scaleIntegral = .zero
            verticalIntegral = .zero
            turned = 0
            gapVariance = 0
        }
        return (verticalIntegral, scaleIntegral, turned, gapVariance)
    }

    /// A raw rate without what is known of its errors, rad/s.
    static func corrected(_ raw: Vector3, bias: Vector3, scale: Vector3) -> Vector3 {
        let rate = raw - bias
        return Vector3(rate.x * (1 + scale.x), rate.y * (1 + scale.y), rate.z * (1 + scale.z))
    }

    /// Forgets the yaw uncertainty of gaps: the direction is open anyway.
    mutating func clearGap() { gapVariance = 0 }
}
