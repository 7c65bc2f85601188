import Geometry
import LocateMeModel

import func Glibc.exp

/// How strong the local disturbance is, on four time scales. It is read off what no rotation about the vertical can
/// explain: the horizontal and the vertical strength.
struct DisturbanceLevel {
    /// µT², what the filter believes now.
    private(set) var variance = 0.0
    /// µT², slow: the place.
    private(set) var slow = 0.0
    /// µT², the part of `variance` that a tilt error and the surroundings make.
    private var tilt = 0.0
    private var fast = 0.0
    private var middle = 0.0

    /// Nothing seen yet.
    init() {}

    /// A start at the prior of the place plus tilt, all in µT².
    init(slow: Double, tilt: Double) {
        self.slow = slow
        self.tilt = tilt
        variance = slow + tilt
    }

    /// The level of a challenger, which starts in what the filter has just seen: the middle level stays, the others are
    /// new. µT².
    func challenged(initial: Double) -> DisturbanceLevel {
        var level = DisturbanceLevel(slow: initial, tilt: 0)
        level.middle = middle
        return level
    }

    /// The expected square of a disturbance of which a part `deviation` was seen with variance `uncertainty`: → s² when
    /// nothing is known, → deviation² when all is.
    private func expectedSquare(deviation: Double, uncertainty: Double) -> Double {
        // What a tilt error explains is no disturbance: counted as one it would feed itself while nothing else is known.
        let own = variance - tilt
        let share = own / (own + uncertainty + tilt)
        return share * (uncertainty + tilt) + share * share * deviation * deviation
    }

    /// Takes the deviations of a sample's horizontal and vertical strength from what the filter expects and their
    /// variances; `model` adds those from the magnetic model.
    func observed(
        horizontal: (deviation: Double, variance: Double), vertical: (deviation: Double, variance: Double)
    ) -> Double {
        0.5
            * (expectedSquare(deviation: horizontal.deviation, uncertainty: horizontal.variance)
                + expectedSquare(deviation: vertical.deviation, uncertainty: vertical.variance))
    }

    /// Moves all time scales to an observed square in µT²; returns by how much the variance rose, 0 if it fell.
    mutating func update(
        observed: Double, tilt: Double, interval: Double, parameters: DisturbanceParameters
    ) -> Double {
        slow += (1 - exp(-interval / parameters.slowTime)) * (min(observed, 4 * slow) - slow)
        slow = min(max(slow, parameters.least * parameters.least), parameters.greatest * parameters.greatest)
        fast *= exp(-2 * interval / parameters.releaseTime)
        if observed > parameters.attack * slow { fast = max(fast, parameters.attackGain * observed) }
        middle += (1 - exp(-interval / parameters.middleTime)) * (min(observed, 100 * slow) - middle)
        let previous = variance
        self.tilt = tilt
        variance = max(slow, fast, parameters.middleGain * middle) + tilt
        return max(0, variance - previous)
    }
}

extension MagneticFilter {
    /// Moves the disturbance level to what a sample shows, before the sample is used. `tilt`: square of the field that the
    /// tilt error at a start makes, µT².
    mutating func updateLevel(
        _ sample: PendingField, tilt: Double, parameters: MagneticParameters, disturbance: DisturbanceParameters
    ) {
        let noise = noiseVariance(rate: sample.rate.length, parameters: parameters)
        let field = sample.field - sample.rotation * hardIron
        let strength = horizontal
        let measured = (field.x * field.x + field.y * field.y).squareRoot()
        let direction = strength > 1e-6 ? (x: state[3] / strength, y: state[4] / strength) : (x: 1, y: 0)

        let turned = sample.rotation.row0 * direction.x + sample.rotation.row1 * direction.y
        let alongGain =
            covariance[0] * turned.x + covariance[1] * turned.y + covariance[2] * turned.z
            + covariance[3] * direction.x + covariance[4] * direction.y
        var horizontalVariance =
            noise + turned.x * alongGain[0] + turned.y * alongGain[1] + turned.z * alongGain[2]
            + direction.x * alongGain[3] + direction.y * alongGain[4]
        let open = directionVariance
        // With the direction unknown, |v_h| − |e_h| says little: the mean of an open direction is near zero.
        if open > 0.1 { horizontalVariance += strength * strength * open }

        let up = sample.rotation.row2
        let upGain = covariance[0] * up.x + covariance[1] * up.y + covariance[2] * up.z + covariance[5]
        let verticalVariance = noise + up.x * upGain[0] + up.y * upGain[1] + up.z * upGain[2] + upGain[5]

        var observed = level.observed(
            horizontal: (measured - strength, horizontalVariance), vertical: (field.z - state[5], verticalVariance))
        if let check = modelCheck(
            horizontal: measured, vertical: field.z, noise: noise, open: open, parameters: parameters,
            disturbance: disturbance)
        {
            observed = max(observed, disturbance.modelGain * check)
        }
        let risen = level.update(
            observed: observed, tilt: tilt, interval: sample.interval, parameters: disturbance)
        if risen > 0 { addDisturbanceVariance(risen) }
    }

    /// The square of the disturbance that the magnetic model sees, nil without a place or within its gate: a start inside a
    /// magnet's field is known by nothing else.
    private func modelCheck(
        horizontal measured: Double, vertical: Double, noise: Double, open: Double, parameters: MagneticParameters,
        disturbance: DisturbanceParameters
    ) -> Double? {
        guard let earthField else { return nil }
        let hardIronVariance = max(covariance[0][0], covariance[1][1], covariance[2][2])
        let horizontalSigma = parameters.horizontalSigma * earthField.horizontal
        let verticalSigma = parameters.verticalSigma * earthField.total
        let missed = (horizontal: measured - earthField.horizontal, vertical: vertical + earthField.down)
        let variances = (
            horizontal: horizontalSigma * horizontalSigma + hardIronVariance + noise,
            vertical: verticalSigma * verticalSigma + hardIronVariance + noise
        )
        let squares = (missed.horizontal * missed.horizontal, missed.vertical * missed.vertical)
        guard
            squares.0 / variances.horizontal + squares.1 / variances.vertical
                > disturbance.modelGate * disturbance.modelGate
        else { return nil }
        if open > disturbance.modelOpenDirection * disturbance.modelOpenDirection {
            return 0.5 * (squares.0 + squares.1)
        }
        return level.observed(
            horizontal: (missed.horizontal, variances.horizontal), vertical: (missed.vertical, variances.vertical))
    }
}
