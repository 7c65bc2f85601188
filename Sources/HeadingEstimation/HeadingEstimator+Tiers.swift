import Geometry
public import LocateMeModel
import MagnetometerCalibration

import func Glibc.atan2

extension HeadingEstimator {
    /// True if the accelerometer is not silent.
    func accelerometerDelivers(at time: Double) -> Bool {
        guard let last = clock.lastTime(of: .accelerometer) else { return false }
        return time - last <= parameters.attitude.lostAfter
    }

    private func gyroscopeDelivers(at time: Double) -> Bool {
        guard let last = clock.lastTime(of: .gyroscope) else { return false }
        return time - last <= parameters.attitude.lostAfter
    }

    /// The estimate of the best tier that delivers now.
    mutating func estimate(field: Vector3, time: Double, bootMicroseconds: Int64) -> HeadingEstimate {
        if !fieldIsCalibrated { calibrationPoints.add(field) }
        let hasVertical = accelerometerDelivers(at: time)
        let hasGyroscope =
            gyroscopeDelivers(at: time) && fused.motion.isFresh(at: time, parameters: parameters.attitude)
        let estimate =
            hasGyroscope
            ? fusedEstimate(field: field, time: time, hasVertical: hasVertical, bootMicroseconds: bootMicroseconds)
            : tiltEstimate(field: field, time: time, hasVertical: hasVertical, bootMicroseconds: bootMicroseconds)
        fitIfDue(at: time)
        return estimate
    }

    /// The calibration now in force.
    var calibration: FieldCalibration {
        guard fused.hasStarted else { return prior.calibration }
        var covariance = Matrix3.zero
        for row in 0..<3 {
            for column in 0..<3 { covariance[row, column] = fused.filter.covariance[row][column] }
        }
        return FieldCalibration(
            softIron: fused.softIron, hardIron: fused.filter.hardIron, covariance: covariance)
    }

    /// The quality that the uncertainty of the hard iron amounts to: 3 µT are 9° in a 20 µT horizontal field.
    public var quality: CalibrationQuality {
        let covariance = calibration.covariance
        let sigma = ((covariance[0, 0] + covariance[1, 1] + covariance[2, 2]) / 3).squareRoot()
        if sigma < 1.6 { return .veryGood }
        if sigma < 3 { return .good }
        if sigma < 10 { return .coarse }
        return .uncalibrated
    }

    /// A reading with the calibration in force, in µT: what is told before there is a heading.
    private func calibrated(_ field: Vector3) -> Vector3 {
        let known = calibration
        return known.softIron * field - known.hardIron
    }

    // MARK: - With gyroscope

    private mutating func fusedEstimate(
        field: Vector3, time: Double, hasVertical: Bool, bootMicroseconds: Int64
    ) -> HeadingEstimate {
        let source: HeadingSource = hasVertical ? .fused9 : .fused6
        var estimate = HeadingEstimate(bootMicroseconds: bootMicroseconds, field: calibrated(field), source: source)
        estimate.calibration = quality
        if hasVertical || parameters.assumesLevel {
            guard fused.update(field: field, time: time, prior: prior, parameters: parameters) else { return estimate }
        } else {
            guard fused.hasStarted, !fused.isAttitudeLost else { return estimate }
            fused.coast(to: time, parameters: parameters)
        }
        describe(&estimate, field: field, time: time)
        let doubt = fused.doubt.bound(parameters.accuracy)
        var accuracy = statedAccuracy(
            variance: fused.filter.directionVariance, horizontal: fused.filter.horizontal, doubt: doubt)
        if !hasVertical, accuracy >= 0 {
            accuracy = statedAccuracy(
                variance: fused.filter.directionVariance + coastingVariance(at: time),
                horizontal: fused.filter.horizontal, doubt: doubt, least: parameters.accuracy.levelAssumed)
        }
        estimate.accuracyDegrees = accuracy
        return estimate
    }

    /// Fills in what the fused compass knows at a time.
    private func describe(_ estimate: inout HeadingEstimate, field raw: Vector3, time: Double) {
        let filter = fused.filter
        let levelled = fused.motion.attitude(
            at: time, bias: filter.gyroBias, scale: filter.gyroScale)
        estimate.attitude = (Quaternion(aboutZ: filter.yaw) * levelled).normalized
        estimate.hasTilt = true
        estimate.field = fused.softIron * raw - filter.hardIron
        estimate.fieldStrength = estimate.field.length
        let vertical = levelled.matrix.row2
        let up = vertical.dot(estimate.field)
        let horizontal = max(0, estimate.field.squaredLength - up * up).squareRoot()
        estimate.inclination = atan2(-up, horizontal) * Angle.degreesPerRadian
        estimate.turnRate =
            -vertical.dot(fused.motion.lastRate - filter.gyroBias) * Angle.degreesPerRadian
        let limit = parameters.disturbance.disturbed
        estimate.isDisturbed = filter.level.variance > limit * limit
        estimate.calibration = quality
    }

    /// Variance of the heading from a tilt that only the gyroscope holds since the accelerometer fell silent, or that is
    /// assumed level: rad².
    private func coastingVariance(at time: Double) -> Double {
        let filter = fused.filter
        guard !parameters.assumesLevel, let last = clock.lastTime(of: .accelerometer) else { return 0 }
        let rate = filter.sigma(of: MagneticFilter.Group.gyroBias) + 0.1 * Angle.radiansPerDegree
        let tilt = rate * (time - last)
        let slope = filter.north.z / max(filter.horizontal, 1)
        return tilt * tilt * (1 + slope * slope)
    }

    // MARK: - Without gyroscope

    private mutating func tiltEstimate(
        field: Vector3, time: Double, hasVertical: Bool, bootMicroseconds: Int64
    ) -> HeadingEstimate {
        let isLevel = !hasVertical && parameters.assumesLevel
        var estimate = HeadingEstimate(
            bootMicroseconds: bootMicroseconds, field: calibrated(field), source: hasVertical ? .tilt : .flat)
        estimate.calibration = quality
        guard
            let reading = tilt.update(
                field: field, time: time, calibration: calibration, earthField: earthField, isLevel: isLevel,
                parameters: parameters)
        else { return estimate }
        estimate.attitude = reading.attitude
        estimate.hasTilt = !isLevel
        estimate.field = reading.field
        estimate.fieldStrength = reading.field.length
        estimate.inclination = atan2(-reading.vertical, reading.horizontal) * Angle.degreesPerRadian
        estimate.turnRate = reading.turnRate * Angle.degreesPerRadian
        let limit = parameters.disturbance.disturbed
        estimate.isDisturbed = reading.disturbance > limit * limit
        estimate.accuracyDegrees = statedAccuracy(
            variance: reading.variance, horizontal: reading.horizontal,
            least: isLevel ? parameters.accuracy.levelAssumed : 0,
            greatestSigma: parameters.accuracy.greatestSigmaTilt)
        return estimate
    }

    // MARK: - Accuracy

    /// The 95 % bound in degrees for a variance in rad² and a doubt in degrees that is independent of it; −1 if nothing can be said.
    private func statedAccuracy(
        variance: Double, horizontal: Double, doubt: Double = 0, least: Double = 0, greatestSigma: Double? = nil
    ) -> Double {
        let accuracy = parameters.accuracy
        guard horizontal >= accuracy.leastHorizontal, variance.isFinite, variance >= 0 else { return -1 }
        let sigma = variance.squareRoot() * Angle.degreesPerRadian
        guard sigma <= greatestSigma ?? accuracy.greatestSigma else { return -1 }
        let own = accuracy.factor * sigma
        let squares = own * own + accuracy.place * accuracy.place + doubt * doubt
        let bound = squares.squareRoot() + accuracy.constant
        return min(accuracy.clip, max(least, bound * (1 + accuracy.magnets * fused.occupancy)))
    }
}

extension HeadingEstimate {
    /// A heading that a hub computed: the device counts as level, its attitude being unknown. Without a stated accuracy it
    /// gets the bound of a compass that cannot be checked.
    init(hubHeading degrees: Double, accuracyDegrees: Double, bootMicroseconds: Int64, greatestAccuracy: Double) {
        self.init(bootMicroseconds: bootMicroseconds, field: .zero, source: .hub)
        fieldStrength = .nan
        let heading = Angle.wrap360(degrees)
        guard heading.isFinite else { return }
        attitude = Quaternion(aboutZ: -heading * Angle.radiansPerDegree)
        let bound = accuracyDegrees.isNaN ? 25 : accuracyDegrees
        self.accuracyDegrees = bound >= 0 && bound <= greatestAccuracy ? bound : -1
    }
}
