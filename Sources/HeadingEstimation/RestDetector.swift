import Geometry

import func Glibc.exp

/// Tells rest from motion by the deviation of rate, acceleration and field from their own low-passes (after VQF, section
/// 3.4, with the field added: a slow constant turn has a constant rate, but a turning field).
struct RestDetector {
    /// Seconds of stillness so far.
    private(set) var stillFor = 0.0
    /// Seconds for which the field has been watched and has not moved, in this stillness.
    private(set) var fieldStillFor = 0.0
    private var rate = LowPass()
    private var acceleration = LowPass()
    private var rateStep = LowPassStep()
    private var accelerationStep = LowPassStep()
    private var field: Vector3?
    private var anchor: Vector3?
    private var hasRate = false

    /// The low-passed rate in rad/s: at rest, the bias.
    var restingRate: Vector3 { rate.value }

    /// True if the device rests.
    func isResting(_ parameters: GyroBiasParameters) -> Bool { stillFor > parameters.restTime }

    /// Takes a raw rate in rad/s.
    mutating func update(rate raw: Vector3, interval: Double, parameters: GyroBiasParameters) {
        if !hasRate {
            rate.set(raw)
            hasRate = true
        }
        rateStep.prepare(interval: interval, timeConstant: parameters.restTimeConstant, tolerance: 1e-4)
        rate.update(raw, step: rateStep)
        if (raw - rate.value).length > parameters.restRate { interrupt() } else { stillFor += interval }
    }

    /// Takes a specific force in m/s²; returns its deviation from the low-pass.
    mutating func update(
        acceleration force: Vector3, isFirst: Bool, interval: Double, parameters: GyroBiasParameters
    ) -> Double {
        if isFirst { acceleration.set(force) }
        accelerationStep.prepare(interval: interval, timeConstant: parameters.restTimeConstant, tolerance: 1e-4)
        acceleration.update(force, step: accelerationStep)
        let deviation = (force - acceleration.value).length
        if deviation > parameters.restAcceleration { interrupt() }
        return deviation
    }

    /// Takes a raw field in µT. The low-pass matters: some magnetometers have 3 µT of noise.
    mutating func update(field raw: Vector3, interval: Double, parameters: GyroBiasParameters) {
        guard stillFor > 0, let previous = field else {
            field = raw
            return
        }
        let smooth = previous + (raw - previous) * (1 - exp(-interval / parameters.restTimeConstant))
        field = smooth
        guard let anchor else {
            self.anchor = smooth
            return
        }
        fieldStillFor += interval
        if (smooth - anchor).length > parameters.restField { interrupt() }
    }

    /// Ends a rest.
    mutating func interrupt() {
        stillFor = 0
        fieldStillFor = 0
        anchor = nil
    }
}
