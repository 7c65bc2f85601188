import Geometry

import func Glibc.cos
import func Glibc.exp
import func Glibc.sin

/// One step of a second-order Butterworth low-pass with cut-off ω_c = √2/τ, exact for any interval.
///
/// With x the distance from the input and v its derivative, s = ω_c/√2, E = e^(−s·dt), C = cos(s·dt), S = sin(s·dt):
/// x' = E(C+S)·x + E·S/s·v and v' = −2s·E·S·x + E(C−S)·v.
struct LowPassStep {
    /// The interval that the coefficients are for, s; negative: none.
    private(set) var interval = -1.0
    private var offsetByOffset = 0.0
    private var offsetBySlope = 0.0
    private var slopeByOffset = 0.0
    private var slopeBySlope = 0.0

    /// Makes the coefficients fit an interval unless they are for one within `tolerance` seconds of it.
    mutating func prepare(interval: Double, timeConstant: Double, tolerance: Double) {
        guard abs(self.interval - interval) > tolerance else { return }
        self.interval = interval
        let rate = 1 / timeConstant
        let decay = exp(-rate * interval)
        let cosine = cos(rate * interval)
        let sine = sin(rate * interval)
        offsetByOffset = decay * (cosine + sine)
        offsetBySlope = decay * sine / rate
        slopeByOffset = -2 * rate * decay * sine
        slopeBySlope = decay * (cosine - sine)
    }

    /// One step of a filter towards an input.
    func apply(_ input: Vector3, value: inout Vector3, slope: inout Vector3) {
        let offset = value - input
        value = offset * offsetByOffset + slope * offsetBySlope + input
        slope = offset * slopeByOffset + slope * slopeBySlope
    }
}

/// A low-passed vector.
struct LowPass {
    /// The low-passed value.
    var value = Vector3.zero
    private var slope = Vector3.zero

    /// At rest at zero.
    init() {}

    /// One step towards an input.
    mutating func update(_ input: Vector3, step: LowPassStep) { step.apply(input, value: &value, slope: &slope) }

    /// Sets the value and stops.
    mutating func set(_ value: Vector3) {
        self.value = value
        slope = .zero
    }
}
