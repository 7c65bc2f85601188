import Geometry
import LocateMeModel

import func Glibc.atan2
import func Glibc.exp

/// The heading from a calibrated magnetometer and gravity: east = field × up, north = up × east. Any attitude is fine; motion
/// is not, so the tilt's uncertainty grows with the acceleration that is not gravity's.
struct TiltCompass {
    /// One heading, before it is judged.
    struct Reading {
        /// Device to earth: x east, y magnetic north, z up.
        var attitude: Quaternion
        /// Calibrated field, device frame, µT.
        var field: Vector3
        /// Horizontal and vertical (up positive) part of the field, µT.
        var horizontal: Double
        /// µT, up positive.
        var vertical: Double
        /// Variance of the direction, rad²: calibration, disturbance, noise and tilt.
        var variance: Double
        /// Disturbance level squared, µT².
        var disturbance: Double
        /// rad/s, clockwise positive.
        var turnRate: Double
    }

    private var gravity = Vector3.zero
    private var field: Vector3?
    private var settled = 0.0
    private var deviation = 0.0
    /// rad/s, low-passed.
    private var rotation = 0.0
    private var lastAccelerationTime: Double?
    /// When the force was last about as large as gravity.
    private var lastGravityTime = -Double.infinity
    private var lastFieldTime: Double?
    private var lastHeading: Double?
    private var turnRate = 0.0
    private var reference: (horizontal: Double, vertical: Double)?
    private var disturbance = 0.0

    /// True if gravity is known at a time.
    func isReady(at time: Double, parameters: TiltParameters) -> Bool {
        guard let lastAccelerationTime else { return false }
        return settled >= parameters.settlingTime && time - lastAccelerationTime <= parameters.staleAfter
            && time - lastGravityTime <= Self.longestWithoutGravity
    }

    /// Seconds for which the force may be far from gravity's: a run has none of 0.3 s. What stays there, such as zeros, is no
    /// force, and the last vertical is stale.
    private static let longestWithoutGravity = 1.0

    /// What was learned of the field here with another calibration means nothing any more.
    mutating func calibrationChanged() {
        reference = nil
        field = nil
        disturbance = 0
        turnRate = 0
        lastHeading = nil
    }

    /// Takes a specific force in m/s² at a time in seconds.
    mutating func update(acceleration: Vector3, time: Double, parameters: TiltParameters) {
        let interval = lastAccelerationTime.map { time - $0 } ?? 0
        guard interval >= 0 else { return }
        lastAccelerationTime = time
        if abs(acceleration.length / 9.80665 - 1) < 0.5 { lastGravityTime = time }
        if interval > parameters.staleAfter || settled == 0 && gravity == .zero {
            gravity = acceleration
            settled = 0
            deviation = 0
            return
        }
        settled += interval
        let excess = (acceleration.length - 9.80665) / parameters.gate
        let weight = 1 / (1 + excess * excess)
        // Until the low-pass is full, the mean: a start in mid-motion must not hang on its first sample.
        let constant = min(parameters.gravityTimeConstant, max(settled, interval))
        gravity += (acceleration - gravity) * ((1 - exp(-interval / constant)) * weight)
        let share = 1 - exp(-interval / parameters.motionTimeConstant)
        deviation += ((acceleration - gravity).length - deviation) * share
    }

    /// Takes a raw field in µT; nil if gravity is unknown or the field vertical.
    mutating func update(
        field raw: Vector3, time: Double, calibration: FieldCalibration, earthField: EarthField?,
        isLevel: Bool, parameters: HeadingParameters
    ) -> Reading? {
        let interval = min(1, max(0, time - (lastFieldTime ?? time)))
        lastFieldTime = time
        let calibrated = calibration.calibrated(raw)
        let share = interval > 0 && interval < 0.5 ? 1 - exp(-interval / parameters.tilt.fieldTimeConstant) : 1
        let smooth = field.map { $0 + (calibrated - $0) * share } ?? calibrated
        noteRotation(to: smooth, interval: interval, parameters: parameters.tilt)
        field = smooth
        guard isLevel || isReady(at: time, parameters: parameters.tilt),
            let up = isLevel ? Vector3(0, 0, 1) : gravity.normalized,
            let east = smooth.cross(up).normalized
        else { return nil }
        let north = up.cross(east)
        let horizontal = smooth.dot(north)
        let vertical = smooth.dot(up)
        updateDisturbance(
            horizontal: horizontal, vertical: vertical, earthField: earthField, calibration: calibration,
            interval: interval, parameters: parameters)
        let heading = atan2(east.y, north.y)
        updateTurnRate(heading: heading, interval: interval, parameters: parameters.tilt)
        let byAcceleration =
            parameters.tilt.tiltAtRest + parameters.tilt.tiltPerAcceleration * deviation / 9.80665
        let byRotation = parameters.tilt.tiltPerRate * rotation
        let tiltVariance = byAcceleration * byAcceleration + byRotation * byRotation
        // The direction of a horizontal field that is uncertain along itself: E[1/(H + δ)²] ≈ (1 + 3·σ²/H²)/H². A flat turn leaves
        // so much open that a tilted device would else seem well known at some headings.
        let along = north.dot(calibration.covariance * north)
        let across = east.dot(calibration.covariance * east)
        let noise = parameters.magnetic.noise * parameters.magnetic.noise
        let field2 = horizontal * horizontal / (1 + 3 * along / max(horizontal * horizontal, 1))
        let tiltError = isLevel ? 0 : tiltVariance * vertical * vertical
        return Reading(
            attitude: Quaternion(rotation: Matrix3(east, north, up)), field: calibrated, horizontal: horizontal,
            vertical: vertical, variance: (across + disturbance + noise + tiltError) / field2,
            disturbance: disturbance, turnRate: turnRate)
    }

    /// How fast the field turns in the device: gravity's low-pass lags behind a swinging device, and nothing else shows it
    /// without a gyroscope.
    private mutating func noteRotation(to next: Vector3, interval: Double, parameters: TiltParameters) {
        guard let field, interval > 0, interval < 0.5 else { return }
        let rate = field.cross(next).length / max(field.squaredLength, 1) / interval
        let share = 1 - exp(-interval / parameters.motionTimeConstant)
        rotation += (rate - rotation) * share
    }

    private mutating func updateDisturbance(
        horizontal: Double, vertical: Double, earthField: EarthField?, calibration: FieldCalibration,
        interval: Double, parameters: HeadingParameters
    ) {
        let expected = earthField.map { (horizontal: $0.horizontal, vertical: -$0.down) } ?? reference
        let initial = parameters.disturbance.initial * parameters.disturbance.initial
        var observed = initial
        if let expected {
            let missed = (horizontal: horizontal - expected.horizontal, vertical: vertical - expected.vertical)
            let known = max(
                calibration.covariance[0, 0], calibration.covariance[1, 1], calibration.covariance[2, 2])
            // A room's own deviation is no disturbance where only the model says so.
            let tolerated = earthField.map { $0.total * parameters.magnetic.verticalSigma } ?? 0
            let square = 0.5 * (missed.horizontal * missed.horizontal + missed.vertical * missed.vertical)
            observed = max(initial, square - known - tolerated * tolerated)
        }
        disturbance *= exp(-2 * interval / parameters.disturbance.releaseTime)
        disturbance = max(disturbance, observed, initial)
        let share = 1 - exp(-interval / parameters.tilt.referenceTimeConstant)
        let known = reference ?? (horizontal, vertical)
        reference = (
            known.horizontal + (horizontal - known.horizontal) * share,
            known.vertical + (vertical - known.vertical) * share
        )
    }

    private mutating func updateTurnRate(heading: Double, interval: Double, parameters: TiltParameters) {
        defer { lastHeading = heading }
        guard let lastHeading, interval > 0, interval < 0.5 else {
            turnRate = 0
            return
        }
        let turned =
            Angle.wrap180((heading - lastHeading) * Angle.degreesPerRadian) * Angle.radiansPerDegree
        turnRate += (turned / interval - turnRate) * (1 - exp(-interval / parameters.rateTimeConstant))
    }
}
