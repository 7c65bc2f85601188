public import Geometry
public import LocateMeModel
public import MagnetometerCalibration

extension HeadingEstimator {
    /// A batch fit that is due, to be run anywhere and given back to `apply`; nil if none waits. Only where
    /// `parameters.fitsInline` is false.
    public mutating func takeFitJob() -> CalibrationFitJob? {
        // Asked for with each sample: to move an empty one about costs, too.
        guard fits.pending != nil else { return nil }
        defer { fits.pending = nil }
        return fits.pending
    }

    /// Uses a batch fit if it is good and says more than is known; returns whether it came into force.
    @discardableResult
    public mutating func apply(_ fit: CalibrationFit) -> Bool {
        guard fit.rejection(expectedField: earthField?.total, parameters: parameters.fit) == nil else { return false }
        if fit.model == .planar { return applyPlanar(fit) }
        let sigma = fit.hardIronSigma
        guard sigma <= parameters.fitSigma else { return false }
        if let accepted = acceptedFit, accepted.model == .planar { acceptedFit = nil }
        if let accepted = acceptedFit {
            let moved = (fit.hardIron - calibration.hardIron).length
            if moved < 3 * sigma, sigma > accepted.hardIronSigma / 1.5 { return false }
        }
        let prior = max(1.5, 3 * sigma)
        use(
            FieldCalibration(
                softIron: fit.softIron, hardIron: fit.hardIron,
                covariance: Matrix3(diagonal: Vector3(1, 1, 1)) * (prior * prior)))
        acceptedFit = fit
        return true
    }

    /// A flat spin serves the compass without gyroscope, until something better is known; the fused compass learns the same by
    /// itself. What the spin cannot see stays open, so that a tilt shows in the accuracy.
    private mutating func applyPlanar(_ fit: CalibrationFit) -> Bool {
        let sigma = fit.determinedSigma
        guard !fused.hasStarted, sigma <= parameters.fitSigma else { return false }
        if let accepted = acceptedFit, accepted.model != .planar || sigma > accepted.determinedSigma / 1.5 {
            return false
        }
        let floor = 1.5 * 1.5
        use(
            FieldCalibration(
                softIron: .identity, hardIron: fit.hardIron,
                covariance: fit.covariance + Matrix3(diagonal: Vector3(floor, floor, floor))))
        acceptedFit = fit
        return true
    }

    /// Hard iron now in force in µT, device frame: calibrated = soft iron · raw − hard iron.
    public var hardIron: Vector3 { calibration.hardIron }

    /// Standard deviation of each component of the hard iron in µT.
    public var hardIronSigma: Vector3 {
        let covariance = calibration.covariance
        return Vector3(
            covariance[0, 0].squareRoot(), covariance[1, 1].squareRoot(), covariance[2, 2].squareRoot())
    }

    /// Disturbance level in µT that the fused compass works with, 0 before its start: 2 is a clean room, 7 and more counts as
    /// disturbed.
    public var disturbanceLevel: Double {
        fused.hasStarted ? max(0, fused.filter.level.variance).squareRoot() : 0
    }

    /// How often the hard iron was found to have moved (a case, a dock, a magnet cover), and by how much the last time, µT. What
    /// batch fits and calibrations from outside change does not count.
    public var hardIronMoves: (count: Int, last: Double) { fused.hardIronMoves }

    /// True if the field here is not the earth's, now or for much of the last half minute: turning the device would teach the
    /// wrong hard iron.
    public var isPlaceDisturbed: Bool {
        let limit = parameters.disturbance.disturbed
        return disturbanceLevel > limit || fused.occupancy > parameters.disturbance.disturbedShare
    }

    /// Gyroscope bias now assumed, rad/s.
    public var gyroBias: Vector3 { fused.gyroBias(prior) }

    /// Scale errors of the gyroscope's axes now assumed: rate = (1 + error)·(raw − bias).
    public var gyroScale: Vector3 { fused.gyroScale(prior) }

    /// How long the device has been at rest, s: 0 in motion.
    public var stillSeconds: Double { fused.motion.rest.stillFor }

    /// Samples dropped because they came twice, late, or out of order.
    public var lateSamples: Int { clock.dropped }

    /// Puts a calibration from outside in force at once: a guided, imported or reset one. Nil forgets what is known.
    public mutating func setCalibration(_ magnetometer: StoredHeadingState.Magnetometer?) {
        var state = stored ?? StoredHeadingState()
        state.magnetometer = magnetometer
        stored = state
        var fresh = FusedPrior(stored: state, fieldIsCalibrated: fieldIsCalibrated, parameters: parameters)
        fresh.earthField = earthField
        calibratedTemperature = magnetometer == nil ? .nan : temperature
        acceptedFit = nil
        calibrationPoints.removeAll()
        fits = FitSchedule()
        use(fresh.calibration)
    }

    private mutating func use(_ calibration: FieldCalibration) {
        prior.calibration = calibration
        tilt.calibrationChanged()
        fused.replaceCalibration(calibration, parameters: parameters)
    }

    /// Runs or queues a batch fit where the field is uncalibrated and the samples have grown enough to say something new.
    mutating func fitIfDue(at time: Double) {
        guard !fieldIsCalibrated, stored?.magnetometer == nil,
            fits.isDue(at: time, delay: parameters.fitDelay, interval: parameters.fitInterval),
            calibrationPoints.added >= fits.pointsFitted + max(8, fits.pointsFitted / 20)
        else { return }
        fits.pointsFitted = calibrationPoints.added
        if parameters.fitsInline {
            guard let fit = currentFit() else { return }
            apply(fit)
        } else {
            fits.pending = CalibrationFitJob(
                points: calibrationPoints.sampled(atMost: parameters.fit.samplesUsed),
                expectedField: earthField?.total, parameters: parameters.fit)
        }
    }

    /// A fit of all points now, good or not.
    private func currentFit() -> CalibrationFit? {
        try? CalibrationFitJob.fit(
            calibrationPoints.points, expectedField: earthField?.total, parameters: parameters.fit)
    }

    /// What is worth remembering of this device: each part only if it is known well. Where a batch fit is in force, all points
    /// are fitted once more (a few milliseconds).
    public var storedState: StoredHeadingState {
        var state = stored ?? StoredHeadingState()
        state.temperature = temperature.isFinite ? temperature : state.temperature
        if !fieldIsCalibrated, let magnetometer = magnetometerToStore { state.magnetometer = magnetometer }
        guard fused.hasStarted else { return state }
        let filter = fused.filter
        let biasSigma = (0..<3).map { filter.covariance[9 + $0][9 + $0] }.max().map { $0.squareRoot() } ?? .infinity
        if biasSigma < 1 * Angle.radiansPerDegree, filter.gyroBias.length <= 1 {
            state.gyroscope = StoredHeadingState.Gyroscope(bias: filter.gyroBias, sigma: biasSigma)
            let scale = StoredHeadingState.Gyroscope.Scale(
                error: filter.gyroScale, sigma: filter.sigma(of: MagneticFilter.Group.gyroScale))
            if scale.isPlausible { state.gyroscope?.scale = scale }
        }
        let latencySigma = filter.covariance[12][12].squareRoot()
        // Jittery stamps can make it come out slightly negative, which no store takes; the rest is worth keeping all the same.
        if latencySigma < 0.015, (0...0.5).contains(filter.latency) {
            state.latency = StoredHeadingState.Latency(seconds: filter.latency, sigma: latencySigma)
        }
        return state
    }

    /// The calibration worth remembering: a batch fit of all points where one is in force or says more than the filter, else
    /// the filter's hard iron if it is known to 4 µT; nil if neither is.
    private var magnetometerToStore: StoredHeadingState.Magnetometer? {
        let known = fused.hasStarted ? fused.filter.sigma(of: MagneticFilter.Group.hardIron) : .infinity
        if stored?.magnetometer == nil, let fit = currentFit(),
            fit.rejection(expectedField: earthField?.total, parameters: parameters.fit) == nil,
            acceptedFit != nil || fit.hardIronSigma <= min(parameters.storedFitSigma, known)
        {
            var magnetometer = fit.stored
            if fit.model != .planar {
                magnetometer.hardIronSigma = max(1, fit.hardIronSigma)
                magnetometer.hardIronCovariance = nil
            }
            return magnetometer
        }
        guard known < 4 else { return nil }
        var magnetometer =
            stored?.magnetometer
            ?? StoredHeadingState.Magnetometer(
                softIron: fused.softIron, hardIron: fused.filter.hardIron, hardIronSigma: known)
        magnetometer.softIron = fused.softIron
        magnetometer.hardIron = fused.filter.hardIron
        magnetometer.hardIronSigma = known
        magnetometer.hardIronCovariance = nil
        return magnetometer
    }
}
