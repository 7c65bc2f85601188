import Geometry
import LocateMeModel

import func Glibc.atan2
import func Glibc.exp
import func Glibc.log

/// The Kalman filter on the magnetometer, with 16 states:
///
/// | states | meaning | frame, unit |
/// | --- | --- | --- |
/// | 0–2 | hard iron b | device, µT |
/// | 3–5 | north field e | levelled frame of the six-axis attitude, µT |
/// | 6–8 | local disturbance d, first-order Gauss-Markov | levelled frame, µT |
/// | 9–11 | gyroscope bias g | device, rad/s |
/// | 12 | latency τ of the magnetometer | s |
/// | 13–15 | scale errors s of the gyroscope's axes: rate = (1 + s)·(raw − g) | device, 1 |
///
/// Measurement, axis by axis, in the levelled frame: z = R·b + e + d + h·(τ − τ₀) + noise, with R the attitude at the
/// sample's time less τ₀ and h = ω × (e + d). The heading is the direction of e; its yaw drifts with the six-axis attitude, which
/// the prediction follows through g and s. Rows are sixteen lanes, so that a scalar update is sixteen vector operations.
struct MagneticFilter {
    /// Number of states.
    static let size = 16
    /// First states of the groups.
    enum Group {
        static let hardIron = 0
        static let north = 3
        static let disturbance = 6
        static let gyroBias = 9
        static let latency = 12
        static let gyroScale = 13
    }
    /// One lane a state.
    typealias Row = SIMD16<Double>

    /// The states.
    var state = Row.zero
    /// Their covariance, symmetric.
    var covariance = InlineArray<16, Row>(repeating: .zero)
    /// How strong the local disturbance is thought to be.
    var level = DisturbanceLevel()
    /// The model's field here, nil without a place.
    var earthField: EarthField?
    /// Log-likelihood of the samples since a challenger started, for correlated samples.
    var logLikelihood = 0.0

    /// µT, device frame, after the soft iron matrix.
    var hardIron: Vector3 { Vector3(state[0], state[1], state[2]) }
    /// µT, levelled frame.
    var north: Vector3 { Vector3(state[3], state[4], state[5]) }
    /// rad/s, device frame.
    var gyroBias: Vector3 { Vector3(state[9], state[10], state[11]) }
    /// s.
    var latency: Double { state[12] }
    /// Scale errors of the gyroscope's axes.
    var gyroScale: Vector3 { Vector3(state[13], state[14], state[15]) }
    /// Angle in rad by which the levelled frame must be turned counter-clockwise to bring north to +y.
    var yaw: Double { atan2(state[3], state[4]) }
    /// Horizontal part of the north field, µT.
    var horizontal: Double { (state[3] * state[3] + state[4] * state[4]).squareRoot() }

    /// Variance of the direction of the north field, rad²; 100 if it has none.
    var directionVariance: Double {
        let squared = state[3] * state[3] + state[4] * state[4]
        guard squared >= 1e-6 else { return 100 }
        let across =
            state[4] * state[4] * covariance[3][3] - 2 * state[4] * state[3] * covariance[3][4]
            + state[3] * state[3] * covariance[4][4]
        return max(0, across / (squared * squared))
    }

    /// Root mean square of the standard deviations of three states.
    func sigma(of group: Int) -> Double {
        ((covariance[group][group] + covariance[group + 1][group + 1] + covariance[group + 2][group + 2]) / 3)
            .squareRoot()
    }

    // MARK: - Prediction

    /// Follows the time between two samples.
    mutating func predict(_ sample: PendingField, parameters: MagneticParameters, bias: GyroBiasParameters) {
        predictNorth(sample, parameters: parameters)
        let hardIronWalk = parameters.hardIronWalk * parameters.hardIronWalk * sample.interval
        let biasWalk = bias.walk * bias.walk * sample.interval
        let scaleWalk = bias.scaleWalk * bias.scaleWalk * sample.interval
        for axis in 0..<3 {
            covariance[axis][axis] += hardIronWalk
            covariance[9 + axis][9 + axis] += biasWalk
            covariance[13 + axis][13 + axis] += scaleWalk
        }
        predictDisturbance(sample, parameters: parameters)
    }

    /// The levelled frame has turned by the bias and the scale errors that were not known when it was integrated: e += θ·J e with
    /// θ = r·(g − g_used) − ρ·(s − s_used) and J e = (−e_y, e_x, 0); the covariance follows through
    /// u = P·(r in the bias rows, −ρ in the scale rows).
    private mutating func predictNorth(_ sample: PendingField, parameters: MagneticParameters) {
        let vertical = sample.verticalIntegral
        let scaled = sample.scaleIntegral
        let angle = vertical.dot(gyroBias - sample.biasUsed) - scaled.dot(gyroScale - sample.scaleUsed)
        let (east, north) = (state[3] - angle * state[4], state[4] + angle * state[3])
        state[3] = east
        state[4] = north
        let byBias = covariance[9] * vertical.x + covariance[10] * vertical.y + covariance[11] * vertical.z
        let byScale = covariance[13] * scaled.x + covariance[14] * scaled.y + covariance[15] * scaled.z
        let coupling = byBias - byScale
        let angleVariance =
            vertical.x * coupling[9] + vertical.y * coupling[10] + vertical.z * coupling[11]
            - scaled.x * coupling[13] - scaled.y * coupling[14] - scaled.z * coupling[15]
        let (a, b) = (-north, east)
        let (c33, c34, c44) = (covariance[3][3], covariance[3][4], covariance[4][4])
        covariance[3] += coupling * a
        covariance[4] += coupling * b
        for other in 0..<Self.size where other != 3 && other != 4 {
            covariance[other][3] = covariance[3][other]
            covariance[other][4] = covariance[4][other]
        }
        // The covariance inside the noise keeps it right while e is still unknown.
        let walk = parameters.northWalk * parameters.northWalk * sample.interval
        let yaw = sample.yawVariance
        covariance[3][3] =
            c33 + 2 * a * coupling[3] + (a * a + c44) * angleVariance + yaw * (a * a + c44) + walk
        covariance[4][4] =
            c44 + 2 * b * coupling[4] + (b * b + c33) * angleVariance + yaw * (b * b + c33) + walk
        let cross =
            c34 + a * coupling[4] + b * coupling[3] + (a * b - c34) * angleVariance + yaw * (a * b - c34)
        covariance[3][4] = cross
        covariance[4][3] = cross
        covariance[5][5] += walk
    }

    /// The disturbance forgets with e^(−dt·(activity/t_d + 1/t_rest)) towards the present level.
    private mutating func predictDisturbance(_ sample: PendingField, parameters: MagneticParameters) {
        let factor = exp(
            -sample.interval
                * (sample.activity / parameters.disturbanceTime + 1 / parameters.disturbanceTimeAtRest))
        var mask = Row(repeating: 1)
        for axis in Group.disturbance..<Group.gyroBias { mask[axis] = factor }
        let driven = level.variance * (1 - factor * factor)
        state *= mask
        mask *= factor
        for axis in Group.disturbance..<Group.gyroBias {
            covariance[axis] *= mask
            covariance[axis][axis] += driven
        }
        for other in 0..<Self.size where other < Group.disturbance || other >= Group.gyroBias {
            for axis in Group.disturbance..<Group.gyroBias { covariance[other][axis] = covariance[axis][other] }
        }
    }

    // MARK: - Measurement

    /// Uses a sample: three scalar updates. `comparing` counts their likelihood.
    mutating func measure(_ sample: PendingField, parameters: MagneticParameters, comparing: Bool) {
        let noise = noiseVariance(rate: sample.rate.length, parameters: parameters)
        let field = Vector3(state[3] + state[6], state[4] + state[7], state[5] + state[8])
        let byLatency = sample.rate.cross(field)
        for axis in 0..<3 {
            let row = sample.rotation[row: axis]
            let slope = byLatency[axis]
            let modelled =
                row.dot(hardIron) + state[Group.north + axis] + state[Group.disturbance + axis]
                + slope * (latency - sample.latency)
            let innovation = sample.field[axis] - modelled
            let gain =
                covariance[0] * row.x + covariance[1] * row.y + covariance[2] * row.z
                + covariance[Group.north + axis] + covariance[Group.disturbance + axis]
                + covariance[Group.latency] * slope
            let variance =
                noise + row.x * gain[0] + row.y * gain[1] + row.z * gain[2] + gain[Group.north + axis]
                + gain[Group.disturbance + axis] + slope * gain[Group.latency]
            correct(innovation: innovation, gain: gain, variance: variance)
            if comparing {
                // Samples closer together than the disturbance's correlation time are not independent.
                logLikelihood -=
                    sample.interval / parameters.disturbanceTime * 0.5
                    * (innovation * innovation / variance + log(variance))
            }
        }
        state[Group.latency] = min(parameters.greatestLatency, max(0, state[Group.latency]))
    }

    /// Noise of a sample and axis in µT²: a constant and the jitter of its time.
    func noiseVariance(rate: Double, parameters: MagneticParameters) -> Double {
        let jitter = rate * parameters.jitter * max(north.length, 30)
        return parameters.noise * parameters.noise + jitter * jitter
    }

    /// A scalar measurement of the gyroscope's bias: row · g = value.
    mutating func measureBias(row: Vector3, value: Double, variance: Double, clip: Double) {
        let innovation = min(clip, max(-clip, value - row.dot(gyroBias)))
        let gain = covariance[9] * row.x + covariance[10] * row.y + covariance[11] * row.z
        correct(
            innovation: innovation, gain: gain,
            variance: variance + row.x * gain[9] + row.y * gain[10] + row.z * gain[11])
    }

    /// Uses the model's horizontal and vertical strength where the filter needs them: once the direction is known, and only
    /// if the filter knows less or strays.
    mutating func useEarthField(_ parameters: MagneticParameters) {
        guard let earthField else { return }
        let strength = horizontal
        guard strength >= 1,
            directionVariance <= parameters.strengthBelowDirection * parameters.strengthBelowDirection
        else { return }
        let direction = (x: state[3] / strength, y: state[4] / strength)
        let gain = covariance[3] * direction.x + covariance[4] * direction.y
        let variance = direction.x * gain[3] + direction.y * gain[4]
        let sigma = parameters.horizontalSigma * earthField.horizontal
        let miss = earthField.horizontal - strength
        if variance > sigma * sigma || abs(miss) > parameters.strengthGate * sigma {
            correct(innovation: miss, gain: gain, variance: sigma * sigma + variance)
        }
        let verticalSigma = parameters.verticalSigma * earthField.total
        let verticalMiss = -earthField.down - state[5]
        if abs(verticalMiss) > parameters.strengthGate * verticalSigma {
            correct(
                innovation: verticalMiss, gain: covariance[5],
                variance: verticalSigma * verticalSigma + covariance[5][5])
        }
    }

    /// The rank-one update of a scalar measurement: `gain` = P·h, `variance` = hᵀP·h + noise.
    private mutating func correct(innovation: Double, gain: Row, variance: Double) {
        let scaled = gain * (1 / variance)
        state += scaled * innovation
        for row in 0..<Self.size { covariance[row] -= gain * scaled[row] }
    }

    // MARK: - Priors

    /// Replaces a state's knowledge: its correlations are cut.
    mutating func reset(_ index: Int, to value: Double, variance: Double) {
        state[index] = value
        covariance[index] = .zero
        for other in 0..<Self.size { covariance[other][index] = 0 }
        covariance[index][index] = variance
    }

    /// Replaces three states' knowledge with a joint covariance.
    mutating func reset(_ group: Int, to value: Vector3, covariance joint: Matrix3) {
        for axis in 0..<3 { reset(group + axis, to: value[axis], variance: joint[axis, axis]) }
        for row in 0..<3 {
            for column in 0..<3 where row != column { covariance[group + row][group + column] = joint[row, column] }
        }
    }

    /// Opens the direction and the disturbance after a silence in which the device may have turned any way. The second
    /// moment of an unknown direction is H²/2 an axis; adding yaw variance instead would be wrong, the update being linear
    /// in e.
    mutating func reopenDirection(_ parameters: MagneticParameters) {
        let variance = Self.openDirectionVariance(earthField, parameters: parameters)
        for axis in 0..<2 { reset(Group.north + axis, to: 0, variance: variance) }
        for axis in 0..<3 { reset(Group.disturbance + axis, to: 0, variance: level.variance) }
    }

    /// Prior variance of each horizontal component of an unknown north field, µT².
    static func openDirectionVariance(_ earthField: EarthField?, parameters: MagneticParameters) -> Double {
        if let earthField { return earthField.horizontal * earthField.horizontal / 2 }
        return parameters.unplacedHorizontal * parameters.unplacedHorizontal
    }

    /// Sets the vertical field to what the model says, or to unknown.
    mutating func resetVertical(_ parameters: MagneticParameters) {
        if let earthField {
            let sigma = parameters.verticalSigma * earthField.total
            reset(Group.north + 2, to: -earthField.down, variance: sigma * sigma)
        } else {
            reset(Group.north + 2, to: 0, variance: parameters.unplacedVertical * parameters.unplacedVertical)
        }
    }

    /// Adds disturbance variance at once, when the level rises.
    mutating func addDisturbanceVariance(_ variance: Double) {
        for axis in Group.disturbance..<Group.gyroBias { covariance[axis][axis] += variance }
    }
}
