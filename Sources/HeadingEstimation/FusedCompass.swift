import Geometry
import LocateMeModel

import func Glibc.exp

/// The heading from gyroscope, magnetometer and a vertical (accelerometer, or a level device): six-axis attitude, magnetic
/// filter, disturbance level with look-ahead, and a challenger for a moved hard iron. Times in seconds.
struct FusedCompass {
    /// Attitude, its history and everything read off it.
    private(set) var motion = MotionTracker()
    /// The magnetic filter; meaningful once started.
    private(set) var filter = MagneticFilter()
    /// True once the magnetic filter runs.
    private(set) var hasStarted = false
    /// Soft iron in force.
    private(set) var softIron = Matrix3.identity
    /// The challenger, if `challengerStart` is set.
    private(set) var challenger = MagneticFilter()
    /// When the challenger started, nil if none runs.
    private(set) var challengerStart: Double?
    /// How often a challenger won, and by how much the hard iron moved when the last one did, µT.
    private(set) var hardIronMoves = (count: 0, last: 0.0)
    private var suspicion = 0.0
    private var queue = LookAheadQueue()
    private var checkpoints = FilterCheckpoints()
    private var lastRollback = -Double.infinity
    /// Square of the level at the last rollback, fading, µT².
    private var answeredLevel = 0.0
    /// Share of the recent past that was among magnets, 0…1.
    private(set) var occupancy = 0.0
    /// Seconds of field since the start.
    private var watched = 0.0
    /// What is to be doubted of a direction that was just opened.
    private(set) var doubt = DirectionDoubt()
    private var usedAny = false
    private var biasUsed = Vector3.zero
    private var scaleUsed = Vector3.zero
    private var disturbanceMemory = 0.0
    private var lookAheadOrigin: Double?
    private var lastField: Double?
    private var nextFieldCheck = 0.0
    /// Last calibrated field, device frame, µT.
    private var lastCalibrated = Vector3.zero
    private(set) var isAttitudeLost = false

    // MARK: - Sensors

    /// Gyroscope bias now assumed, rad/s.
    func gyroBias(_ prior: FusedPrior) -> Vector3 { hasStarted ? filter.gyroBias : prior.gyroBias }

    /// Scale errors of the gyroscope's axes now assumed.
    func gyroScale(_ prior: FusedPrior) -> Vector3 { hasStarted ? filter.gyroScale : prior.gyroScale }

    /// Takes a rate in rad/s.
    mutating func update(rate: Vector3, time: Double, prior: FusedPrior, parameters: HeadingParameters) {
        lookAheadOrigin = lookAheadOrigin ?? time
        let outcome = motion.update(
            rate: rate, bias: gyroBias(prior), scale: gyroScale(prior), time: time, parameters: parameters)
        if outcome.lost { isAttitudeLost = true }
        guard hasStarted, let resting = outcome.restingBias, isCredible(resting.rate, parameters: parameters.bias)
        else { return }
        let sigma = parameters.bias.restSigma
        let variance = sigma * sigma / resting.interval
        for axis in 0..<3 {
            var row = Vector3.zero
            row[axis] = 1
            measureBias(row: row, value: resting.rate[axis], variance: variance, clip: .infinity)
        }
    }

    /// Whether a resting rate may be taken for the bias: a slow steady turn looks like rest to gyroscope and accelerometer, and
    /// for a while to the magnetometer.
    private func isCredible(_ rate: Vector3, parameters: GyroBiasParameters) -> Bool {
        let change = rate - filter.gyroBias
        guard change.length > parameters.creditedRate else { return true }
        let stillFor = motion.rest.fieldStillFor
        guard stillFor <= parameters.creditedTime else { return true }
        // With the hard iron unknown, the field's direction is too: two thirds of 45 µT are across the axis on average.
        let across =
            filter.sigma(of: MagneticFilter.Group.hardIron) < 10
            ? change.cross(lastCalibrated).length : 30 * change.length
        // The low-passed field lags by its time constant.
        return across * (stillFor - parameters.restTimeConstant) > parameters.creditedTravel
    }

    /// Takes a specific force in m/s².
    mutating func update(acceleration: Vector3, time: Double, prior: FusedPrior, parameters: HeadingParameters) {
        lookAheadOrigin = lookAheadOrigin ?? time
        let measurement = motion.update(
            acceleration: acceleration, bias: gyroBias(prior), time: time, parameters: parameters)
        guard hasStarted, let measurement, motion.attitude.settled > parameters.bias.motionDelay,
            !motion.rest.isResting(parameters.bias)
        else { return }
        let growth = 1 + parameters.bias.motionSigmaPerAcceleration * motion.activity.dynamicAcceleration
        let sigma = parameters.bias.motionSigma * growth * measurement.gain
        let variance = sigma * sigma / measurement.interval
        let clip = parameters.bias.motionClip
        measureBias(row: measurement.rows.x, value: measurement.values.x, variance: variance, clip: clip)
        measureBias(row: measurement.rows.y, value: measurement.values.y, variance: variance, clip: clip)
    }

    private mutating func measureBias(row: Vector3, value: Double, variance: Double, clip: Double) {
        filter.measureBias(row: row, value: value, variance: variance, clip: clip)
        if challengerStart != nil {
            challenger.measureBias(row: row, value: value, variance: variance, clip: clip)
        }
    }

    /// True if a magnetometer sample at this time can be used: the tilt has settled and the gyroscope is not silent.
    func isReady(at time: Double, parameters: HeadingParameters) -> Bool {
        motion.attitude.samples >= 2 && motion.history.count >= 1
            && motion.attitude.settled >= parameters.attitude.settlingTime
            && motion.isFresh(at: time, parameters: parameters.attitude)
    }

    /// Takes a raw field in µT; false if no heading can come of it now.
    mutating func update(field raw: Vector3, time: Double, prior: FusedPrior, parameters: HeadingParameters) -> Bool {
        guard isReady(at: time, parameters: parameters) else { return false }
        if !hasStarted { start(prior: prior, time: time, parameters: parameters) }
        if isAttitudeLost { recover(at: time, parameters: parameters) }
        let interval = min(0.5, max(1e-4, time - (lastField ?? time)))
        lastField = time
        let sample = pendingField(raw, time: time, interval: interval, parameters: parameters)
        let surroundings = parameters.disturbance.surroundings * occupancy
        let tilt = tiltVariance(parameters.disturbance) + surroundings * surroundings
        filter.updateLevel(
            sample, tilt: tilt, parameters: parameters.magnetic, disturbance: parameters.disturbance)
        if challengerStart != nil {
            challenger.updateLevel(
                sample, tilt: tilt, parameters: parameters.magnetic, disturbance: parameters.disturbance)
        }
        followDisturbance(at: time, interval: interval, parameters: parameters)
        if queue.isFull { useOldest(parameters) }
        queue.append(sample)
        let lag = lookAhead(at: time, interval: interval, parameters: parameters.disturbance)
        while let oldest = queue.oldestTime, oldest <= time - lag || !usedAny { useOldest(parameters) }
        if time >= nextFieldCheck {
            nextFieldCheck = time + 1
            filter.useEarthField(parameters.magnetic)
            if challengerStart != nil { challenger.useEarthField(parameters.magnetic) }
        }
        judgeChallenger(at: time, interval: interval, parameters: parameters)
        biasUsed = filter.gyroBias
        scaleUsed = filter.gyroScale
        lastCalibrated = softIron * raw - filter.hardIron
        motion.rest.update(field: raw, interval: interval, parameters: parameters.bias)
        return true
    }

    /// Follows the attitude through a time in which the vertical is unknown: nothing magnetic is learned.
    mutating func coast(to time: Double, parameters: HeadingParameters) {
        guard hasStarted else { return }
        let interval = min(0.5, max(1e-4, time - (lastField ?? time)))
        lastField = time
        while queue.count > 0 { useOldest(parameters) }
        forgetPast()
        let sample = pendingField(.zero, time: time, interval: interval, parameters: parameters)
        filter.predict(sample, parameters: parameters.magnetic, bias: parameters.bias)
        challengerStart = nil
        biasUsed = filter.gyroBias
        scaleUsed = filter.gyroScale
    }

    private mutating func pendingField(
        _ raw: Vector3, time: Double, interval: Double, parameters: HeadingParameters
    ) -> PendingField {
        let latency = filter.latency
        let bias = filter.gyroBias
        let rotation = motion.attitude(at: time - latency, bias: bias, scale: filter.gyroScale).matrix
        let rate = MotionTracker.corrected(motion.lastRate, bias: bias, scale: filter.gyroScale)
        let yaw = motion.takeYawIntegrals()
        let magnetic = parameters.magnetic
        return PendingField(
            time: time, interval: interval, rotation: rotation, field: rotation * (softIron * raw),
            rate: rotation * rate, latency: latency,
            yawVariance: magnetic.yawWalk * magnetic.yawWalk * interval
                + magnetic.yawPerTurn * magnetic.yawPerTurn * abs(yaw.turned) + yaw.gapVariance,
            activity: motion.activity.level, verticalIntegral: yaw.vertical, biasUsed: biasUsed,
            scaleIntegral: yaw.scale, scaleUsed: scaleUsed)
    }

    /// Remembers how much of the recent past was among magnets, and goes back when one was just met: its approach was used
    /// before it could be known.
    private mutating func followDisturbance(at time: Double, interval: Double, parameters: HeadingParameters) {
        let disturbance = parameters.disturbance
        let surroundings = disturbance.surroundings * occupancy
        let own = filter.level.variance - surroundings * surroundings
        let isAmong = own > disturbance.occupiedLevel * disturbance.occupiedLevel
        doubt.update(
            isClean: own < disturbance.disturbed * disturbance.disturbed, activity: motion.activity.level,
            interval: interval)
        // Until that time is over, the share since the start: a start among magnets must not count as one in a clean place.
        watched += interval
        let memory = min(disturbance.occupancyTime, max(disturbance.leastOccupancyTime, watched))
        occupancy += (1 - exp(-interval / memory)) * ((isAmong ? 1 : 0) - occupancy)
        answeredLevel *= exp(-interval)
        guard filter.level.variance > disturbance.rollbackLevel * disturbance.rollbackLevel,
            filter.level.variance > disturbance.rollbackGain * answeredLevel,
            time - lastRollback > disturbance.rollbackPause, challengerStart == nil
        else { return }
        lastRollback = time
        answeredLevel = filter.level.variance
        rollBack(to: time - disturbance.rollback, parameters: parameters)
    }

    /// Uses the samples since a time once more, with the disturbance level that is known only now. What the gyroscope's bias
    /// learned from rest and motion since then is lost with it: a second or two of many.
    private mutating func rollBack(to time: Double, parameters: HeadingParameters) {
        guard let checkpoint = checkpoints.goBack(to: time), checkpoint.number < queue.taken,
            queue.reaches(back: checkpoint.number)
        else { return }
        var earlier = checkpoint.filter
        let rise = filter.level.variance - earlier.level.variance
        earlier.level = filter.level
        earlier.earthField = filter.earthField
        earlier.logLikelihood = filter.logLikelihood
        if rise > 0 { earlier.addDisturbanceVariance(rise) }
        filter = earlier
        for number in checkpoint.number..<queue.taken {
            let sample = queue[number]
            keepCheckpoint(before: sample, number: number, parameters: parameters.disturbance)
            filter.predict(sample, parameters: parameters.magnetic, bias: parameters.bias)
            filter.measure(sample, parameters: parameters.magnetic, comparing: false)
        }
    }

    private mutating func keepCheckpoint(
        before sample: PendingField, number: Int, parameters: DisturbanceParameters
    ) {
        if let newest = checkpoints.newestTime, sample.time - newest < parameters.checkpointInterval { return }
        checkpoints.append(.init(time: sample.time, number: number, filter: filter))
    }

    /// What was used so far cannot be used again: another attitude, calibration or filter is in force.
    private mutating func forgetPast() {
        checkpoints.removeAll()
        queue.forgetTaken()
    }

    private mutating func useOldest(_ parameters: HeadingParameters) {
        let number = queue.taken
        guard let sample = queue.takeOldest() else { return }
        usedAny = true
        keepCheckpoint(before: sample, number: number, parameters: parameters.disturbance)
        let comparing = challengerStart != nil
        filter.predict(sample, parameters: parameters.magnetic, bias: parameters.bias)
        filter.measure(sample, parameters: parameters.magnetic, comparing: comparing)
        guard comparing else { return }
        challenger.predict(sample, parameters: parameters.magnetic, bias: parameters.bias)
        challenger.measure(sample, parameters: parameters.magnetic, comparing: true)
    }

    /// How late the filter runs: not at all in clean places and at the start, up to a second where magnets are.
    private mutating func lookAhead(at time: Double, interval: Double, parameters: DisturbanceParameters) -> Double {
        disturbanceMemory *= exp(-interval / parameters.lookAheadMemory)
        if filter.level.variance > parameters.lookAheadLevel * parameters.lookAheadLevel { disturbanceMemory = 1 }
        let grown = min(1, (time - (lookAheadOrigin ?? time)) / parameters.lookAheadGrowth)
        return parameters.lookAhead * min(1, 2 * disturbanceMemory) * grown
    }

    /// Right after a start in motion the tilt is wrong; the field of a tilt error, squared, µT².
    private func tiltVariance(_ parameters: DisturbanceParameters) -> Double {
        let ratio = motion.activity.dynamicAcceleration / 9.8
        let tilt = ratio * parameters.tilt / (1 + motion.attitude.settled / parameters.tiltTime)
        return tilt * tilt * parameters.tiltField * parameters.tiltField
    }

    // MARK: - Start and silence

    private mutating func start(prior: FusedPrior, time: Double, parameters: HeadingParameters) {
        let magnetic = parameters.magnetic
        filter = MagneticFilter()
        filter.earthField = prior.earthField
        softIron = prior.calibration.softIron
        filter.reset(
            MagneticFilter.Group.hardIron, to: prior.calibration.hardIron, covariance: prior.calibration.covariance)
        let direction = MagneticFilter.openDirectionVariance(prior.earthField, parameters: magnetic)
        for axis in 0..<2 { filter.reset(MagneticFilter.Group.north + axis, to: 0, variance: direction) }
        filter.resetVertical(magnetic)
        filter.level = DisturbanceLevel(
            slow: parameters.disturbance.initial * parameters.disturbance.initial,
            tilt: tiltVariance(parameters.disturbance))
        filter.addDisturbanceVariance(filter.level.variance)
        for axis in 0..<3 {
            filter.reset(
                MagneticFilter.Group.gyroBias + axis, to: prior.gyroBias[axis],
                variance: prior.gyroBiasSigma * prior.gyroBiasSigma)
        }
        filter.reset(
            MagneticFilter.Group.latency, to: prior.latency, variance: prior.latencySigma * prior.latencySigma)
        for axis in 0..<3 {
            filter.reset(
                MagneticFilter.Group.gyroScale + axis, to: prior.gyroScale[axis],
                variance: prior.gyroScaleSigma * prior.gyroScaleSigma)
        }
        hasStarted = true
        doubt = DirectionDoubt()
        isAttitudeLost = false
        biasUsed = filter.gyroBias
        scaleUsed = filter.gyroScale
        _ = motion.takeYawIntegrals()
        motion.clearGap()
        lastField = time
        nextFieldCheck = time + 1
    }

    /// After a silence: what waits is used, the direction and the disturbance are opened, the rest stays.
    private mutating func recover(at time: Double, parameters: HeadingParameters) {
        isAttitudeLost = false
        challengerStart = nil
        while queue.count > 0 { useOldest(parameters) }
        filter.reopenDirection(parameters.magnetic)
        doubt = DirectionDoubt()
        forgetPast()
        suspicion = 0
        _ = motion.takeYawIntegrals()
        motion.clearGap()
        lookAheadOrigin = time
        lastField = time
    }

    /// A jump of time: attitude and direction are open again; hard iron, bias and latency stay. Times start anew.
    mutating func restart(parameters: HeadingParameters) {
        motion = MotionTracker()
        while queue.count > 0 { useOldest(parameters) }
        forgetPast()
        lastRollback = -.infinity
        answeredLevel = 0
        challengerStart = nil
        suspicion = 0
        disturbanceMemory = 0
        lookAheadOrigin = nil
        lastField = nil
        nextFieldCheck = 0
        guard hasStarted else { return }
        isAttitudeLost = true
        let sigma = parameters.bias.storedSigma
        for axis in 9..<12 {
            filter.reset(
                axis, to: filter.state[axis], variance: max(filter.covariance[axis][axis], sigma * sigma))
        }
    }

    // MARK: - Knowledge from outside

    /// A place became known, changed or was lost.
    mutating func setEarthField(_ field: EarthField?, parameters: MagneticParameters) {
        guard hasStarted, field != filter.earthField else { return }
        let moved = abs((field?.total ?? 0) - (filter.earthField?.total ?? 0)) > 1
        filter.earthField = field
        challenger.earthField = field
        if moved, field != nil { filter.useEarthField(parameters) }
    }

    /// A batch fit or an imported calibration replaces hard and soft iron. What waits in the look-ahead was made with the old soft iron
    /// and is used first. Where the field turns out to be another one, the direction learned from the old one means nothing, nor
    /// does the disturbance seen in it: both are open again.
    mutating func replaceCalibration(_ calibration: FieldCalibration, parameters: HeadingParameters) {
        guard hasStarted else { return }
        let raw = (softIron.inverse ?? .identity) * (lastCalibrated + filter.hardIron)
        let moved = (calibration.calibrated(raw) - lastCalibrated).length
        softIron = calibration.softIron
        lastCalibrated = calibration.calibrated(raw)
        forgetPast()
        challengerStart = nil
        suspicion = 0
        filter.reset(
            MagneticFilter.Group.hardIron, to: calibration.hardIron, covariance: calibration.covariance)
        guard moved > parameters.disturbance.reopeningMove else { return }
        filter.level = DisturbanceLevel(
            slow: parameters.disturbance.initial * parameters.disturbance.initial,
            tilt: tiltVariance(parameters.disturbance))
        filter.resetVertical(parameters.magnetic)
        filter.reopenDirection(parameters.magnetic)
        doubt = DirectionDoubt()
        occupancy = 0
        disturbanceMemory = 0
    }

    /// Adds a variance in µT² to each component of the hard iron: what is outside of the filter's model.
    mutating func widenHardIron(by variance: Double) {
        guard hasStarted else { return }
        for axis in 0..<3 { filter.covariance[axis][axis] += variance }
    }

    // MARK: - Challenger

    /// A copy of the filter with its hard iron opened runs beside it while the field misfits for long, and replaces it if it
    /// explains the samples better: the hard iron has moved.
    private mutating func judgeChallenger(at time: Double, interval: Double, parameters: HeadingParameters) {
        let disturbance = parameters.disturbance
        let misfits = filter.level.variance > 4 * filter.level.slow
        suspicion = misfits ? suspicion + interval : max(0, suspicion - interval)
        if challengerStart == nil, suspicion > disturbance.challengeAfter { startChallenger(at: time, parameters) }
        guard let start = challengerStart else { return }
        let lead = challenger.logLikelihood - filter.logLikelihood
        let age = time - start
        let limit = disturbance.challengerLevel
        if lead > disturbance.challengerLead, age > disturbance.challengerAge,
            challenger.sigma(of: MagneticFilter.Group.hardIron) < disturbance.challengerSigma,
            challenger.level.variance < limit * limit
        {
            hardIronMoves = (hardIronMoves.count + 1, (challenger.hardIron - filter.hardIron).length)
            filter = challenger
            forgetPast()
            challengerStart = nil
            suspicion = 0
        } else if lead < -disturbance.challengerDeficit || age > disturbance.challengerGreatestAge {
            challengerStart = nil
            suspicion = 0
        }
    }

    private mutating func startChallenger(at time: Double, _ parameters: HeadingParameters) {
        let initial = parameters.disturbance.initial * parameters.disturbance.initial
        let open = parameters.disturbance.challengerHardIron * parameters.disturbance.challengerHardIron
        filter.logLikelihood = 0
        challenger = filter
        for axis in 0..<3 {
            challenger.reset(
                MagneticFilter.Group.hardIron + axis, to: challenger.state[axis], variance: open)
            challenger.reset(MagneticFilter.Group.disturbance + axis, to: 0, variance: initial)
        }
        challenger.level = challenger.level.challenged(initial: initial)
        challengerStart = time
    }
}
