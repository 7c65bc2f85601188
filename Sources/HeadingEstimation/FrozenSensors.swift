import Geometry

/// Finds sensors that answer for ever with the same numbers while the device moves: a driver that repeats its last sample, a chip
/// that has hung. Their samples are dropped, so that the estimator treats them as silent.
///
/// At rest a coarse or filtered sensor may well repeat itself, and so does a noiseless one in a steady turn; what tells a frozen
/// one is that the others moved in a way that it does not explain.
struct FrozenSensors {
    /// One sensor's stretch of equal samples.
    private struct Stretch {
        var value = Vector3(.nan, .nan, .nan)
        var since = 0.0
        /// `turned`, or `tilted`, when it began.
        var turned = 0.0
        /// True once the others have shown that it is frozen: until it changes.
        var isFrozen = false

        /// True if the value is the same as before; begins a new stretch if not.
        mutating func continues(_ value: Vector3, at time: Double, turned: Double) -> Bool {
            guard value != self.value else { return true }
            self = Stretch(value: value, since: time, turned: turned)
            return false
        }
    }
    /// What another sensor read a little earlier.
    private struct Window {
        let length: Double
        var start = Vector3.zero
        var since = -Double.infinity
        /// Change from the window's start to a reading; a new window begins when this one is over or where it is told to.
        mutating func change(to reading: Vector3, at time: Double) -> Vector3 {
            let change = reading - start
            if time - since > length {
                start = reading
                since = time
                return .zero
            }
            return change
        }
    }

    /// Samples dropped.
    private(set) var dropped = 0
    private var magnetometer = Stretch()
    private var accelerometer = Stretch()
    private var gyroscope = Stretch()
    private var force = Window(length: 0.2)
    private var field = Window(length: 1)
    /// How the device has turned since that window began, by the gyroscope's account. The sum, not the last rate: where a turn
    /// ends within the window, a gyroscope without noise says zero and is right.
    private var fieldTurn = Quaternion.identity
    /// Angle turned by the gyroscope's account beyond any bias, rad, ever growing: about any axis, and across what the
    /// accelerometer shows, since a turn about the vertical leaves gravity where it is.
    private var turned = 0.0
    private var tilted = 0.0
    private var lastRateTime: Double?
    /// The vertical when the magnetometer's stretch began.
    private var upAtField: Vector3?
    private var contradictedSince: Double?

    /// Seconds of equal samples before a sensor can count as frozen.
    private static let patience = 0.5
    /// Turn that a magnetometer or an accelerometer cannot miss, rad.
    private static let turn = 0.6
    /// Largest deviation of a force from gravity, relative, for its direction to be the vertical's.
    private static let stillness = 0.2
    /// Rate that may be a bias, rad/s: phones had up to 5.9°/s.
    private static let bias = 0.12

    /// Takes a rate in rad/s; true if the gyroscope is frozen.
    mutating func isFrozen(rate: Vector3, at time: Double) -> Bool {
        let interval = min(0.2, max(0, time - (lastRateTime ?? time)))
        lastRateTime = time
        fieldTurn = (fieldTurn * Quaternion(rotationVector: rate * interval)).normalized
        if gyroscope.continues(rate, at: time, turned: turned), gyroscope.isFrozen { return drop() }
        turned += max(0, rate.length - Self.bias) * interval
        let about = accelerometer.value.normalized.map { rate.dot($0) } ?? 0
        tilted += max(0, max(0, rate.squaredLength - about * about).squareRoot() - Self.bias) * interval
        return false
    }

    /// Takes a specific force in m/s²; true if the accelerometer is frozen.
    mutating func isFrozen(force reading: Vector3, at time: Double) -> Bool {
        let change = force.change(to: reading, at: time).length
        let rate = gyroscope.value.length
        // A shaken device turns, too; a rate that may be a bias alone could be a noiseless gyroscope in translation.
        if rate > Self.bias, change > 3 + rate * force.length * 12 { suspectGyroscope(at: time) }
        guard accelerometer.continues(reading, at: time, turned: tilted) else { return false }
        if isMissing(accelerometer, at: time, turned: tilted) { accelerometer.isFrozen = true }
        return accelerometer.isFrozen && drop()
    }

    /// Takes a raw field in µT and the same calibrated, or nil if the hard iron is not known; true if the magnetometer is frozen.
    mutating func isFrozen(field raw: Vector3, calibrated: Vector3?, at time: Double) -> Bool {
        if let calibrated { compareTurn(with: calibrated, at: time) }
        guard magnetometer.continues(raw, at: time, turned: turned) else {
            upAtField = nil
            return false
        }
        if isMissing(magnetometer, at: time, turned: turned) || isTiltMissing(at: time) { magnetometer.isFrozen = true }
        return magnetometer.isFrozen && drop()
    }

    /// Whether equal fields have lasted through a tilt that the accelerometer shows, which tells it where no gyroscope does.
    private mutating func isTiltMissing(at time: Double) -> Bool {
        let force = accelerometer.value
        guard abs(force.length / 9.80665 - 1) < Self.stillness, let up = force.normalized else { return false }
        guard let upAtField else {
            self.upAtField = up
            return false
        }
        return time - magnetometer.since > Self.patience && up.cross(upAtField).length > Self.turn
    }

    /// Whether the field turned as the gyroscope says that the device did.
    private mutating func compareTurn(with calibrated: Vector3, at time: Double) {
        let elapsed = time - field.since
        let change = field.change(to: calibrated, at: time)
        guard elapsed <= field.length else {
            fieldTurn = .identity
            return
        }
        guard change != .zero else { return }
        let expected = fieldTurn.conjugate.rotate(field.start)
        // A turn keeps the strength, a magnet does not, or for a moment only.
        guard abs(calibrated.length - field.start.length) < 2, (calibrated - expected).length > 8 else {
            contradictedSince = nil
            return
        }
        let since = contradictedSince ?? time
        contradictedSince = since
        if time - since > 0.15 { suspectGyroscope(at: time) }
    }

    private mutating func suspectGyroscope(at time: Double) {
        if let lastRateTime, time - lastRateTime < 0.5, time - gyroscope.since > Self.patience {
            gyroscope.isFrozen = true
        }
    }

    /// Whether a stretch of equal samples has lasted through a turn.
    private func isMissing(_ stretch: Stretch, at time: Double, turned: Double) -> Bool {
        !gyroscope.isFrozen && time - stretch.since > Self.patience && turned - stretch.turned > Self.turn
    }

    private mutating func drop() -> Bool {
        dropped += 1
        return true
    }
}
