public import Geometry

/// Tells from use alone whether magnetometer and accelerometer agree on the axes of the device.
///
/// The earth's field keeps its angle to the vertical however the device is held: with up the direction of the specific
/// force, m the raw field, c the hard iron, up·(m − c) is the same at every attitude. So the model up·m = up·c + v is
/// linear in the unknowns c and v, and needs no calibration. If the magnetometer's axes lie otherwise, P·m obeys it for
/// the right signed permutation P and for no other; the remainder tells how well. −P fits as well as P (with −c, −v): which
/// of the two it is, the dip at the place tells, v < 0 where the field points down.
///
/// This is the test of "dot product invariance" of magnetometer alignment: M. Kok, T. Schön, "Magnetometer calibration
/// using inertial sensors", IEEE Sensors Journal 16(14), 2016, equation 6.
public struct AxisAgreement: Sendable {
    /// Tuning.
    public struct Parameters: Hashable, Sendable {
        /// Most pairs kept; the oldest go first.
        public var capacity = 240
        /// Least pairs for a judgement.
        public var least = 40
        /// Least distance of two kept pairs: of the unit vectors up, and of the fields relative to their extent.
        public var spacing = 0.12
        /// Largest remainder of the right axes, relative to the scatter of the field. Soft iron and shaking make up to
        /// a tenth.
        public var agreement = 0.14
        /// Least ratio of the next best axes' remainder to the best's.
        public var separation = 2.2
        /// Least scatter of up in the direction in which it scatters least: the smallest eigenvalue of the covariance of the
        /// unit vectors up, 1/3 if all directions were seen alike. While they lie near a plane, what is unknown of the hard
        /// iron across it takes up what wrong axes leave, and several fit. Chosen with a recorded phone of 400 µT hard iron:
        /// wrong axes fitted it by chance up to 0.006, the right ones at every start from 0.043 on.
        public var breadth = 0.03
        /// Newest pairs that tell of the field.
        public var surveyed = 200
        /// Largest deviation of the specific force from gravity, relative: beyond it the device is accelerated.
        public var stillness = 0.05

        /// The defaults, found with the recordings of phones and of laboratory devices.
        public init() {}
    }

    /// What the pairs say.
    public struct Judgement: Hashable, Sendable {
        /// What the magnetometer's field must be multiplied by: a turn, or its negative if the dip says so.
        public var matrix: Matrix3
        /// Remainder of these axes relative to the scatter of the field.
        public var remainder: Double
        /// Remainder of the axes as they are.
        public var presentRemainder: Double
        /// Remainder of the best of the other turns.
        public var nextRemainder: Double
        /// Upward part of the earth's field in the unit of the field: negative north of the magnetic equator.
        public var vertical: Double
        /// Pairs that were used.
        public var pairs: Int

        /// True if the axes as they are fit.
        public var agrees: Bool { matrix == .identity }
    }

    private struct Pair {
        var up: Vector3
        var field: Vector3
    }

    private let parameters: Parameters
    private var pairs: [Pair] = []
    private var oldest = 0
    private var low = Vector3(.infinity, .infinity, .infinity)
    private var high = Vector3(-.infinity, -.infinity, -.infinity)

    /// A test that has seen nothing.
    public init(parameters: Parameters = Parameters()) {
        self.parameters = parameters
        pairs.reserveCapacity(parameters.capacity)
    }

    /// Number of pairs kept.
    public var count: Int { pairs.count }

    /// Forgets everything; the storage stays reserved.
    public mutating func reset() {
        pairs.removeAll(keepingCapacity: true)
        oldest = 0
        low = Vector3(.infinity, .infinity, .infinity)
        high = Vector3(-.infinity, -.infinity, -.infinity)
    }

    /// Takes a specific force in m/s² and the raw field of the same moment in any unit. Kept if the device is not
    /// accelerated and the pair says something new. `gravity`: what the accelerometer shows at rest.
    public mutating func update(force: Vector3, field: Vector3, gravity: Double = 9.80665) {
        guard field.isFinite, let up = force.normalized,
            abs(force.length / gravity - 1) < parameters.stillness
        else { return }
        low = Vector3(min(low.x, field.x), min(low.y, field.y), min(low.z, field.z))
        high = Vector3(max(high.x, field.x), max(high.y, field.y), max(high.z, field.z))
        let extent = max((high - low).length / 2, 1e-9)
        let least = parameters.spacing * parameters.spacing
        for pair in pairs {
            let apart = (pair.up - up).squaredLength + ((pair.field - field) * (1 / extent)).squaredLength
            if apart < least { return }
        }
        let pair = Pair(up: up, field: field)
        if pairs.count < parameters.capacity {
            pairs.append(pair)
        } else {
            pairs[oldest] = pair
            oldest = (oldest + 1) % parameters.capacity
        }
    }

    /// What the pairs say; nil while they do not single one set of axes out, or lie too near a plane to tell. `inclination`: the dip at the place in
    /// degrees, down positive, NaN unknown: then the axes are taken for right-handed.
    public func judgement(inclination: Double = .nan) -> Judgement? {
        guard pairs.count >= parameters.least else { return nil }
        // A sample in a moving hand or beside a magnet would decide alone: the worst tenth of the best axes goes.
        var used = [Bool](repeating: true, count: pairs.count)
        guard let rough = best(used) else { return nil }
        let errors = pairs.map { abs($0.up.dot(rough.turn * $0.field) - $0.up.dot(rough.offset) - rough.vertical) }
        let limit = errors.sorted()[errors.count * 9 / 10]
        for index in errors.indices { used[index] = errors[index] <= limit }
        guard let found = best(used), found.isBroad, found.remainder < parameters.agreement,
            found.next > parameters.separation * max(found.remainder, 0.02)
        else { return nil }
        var judgement = Judgement(
            matrix: found.turn, remainder: found.remainder, presentRemainder: found.present,
            nextRemainder: found.next, vertical: found.vertical, pairs: used.count { $0 })
        // Near the magnetic equator the sign of the dip says nothing.
        if inclination.isFinite, abs(inclination) > 15, abs(found.vertical) > 0.2 * found.scatter,
            (found.vertical < 0) != (inclination > 0)
        {
            judgement.matrix = found.turn * -1
            judgement.vertical = -found.vertical
        }
        return judgement
    }

    /// What the newest pairs say about the field by themselves; nil if that is nothing.
    public var survey: FieldSurvey? {
        // In the order of time; older ones may be of another device's field, as before a cover was put on.
        let ordered = pairs[oldest...] + pairs[..<oldest]
        return FieldSurvey(ordered.suffix(parameters.surveyed).map { (up: $0.up, field: $0.field) })
    }

    /// The small turn in radians, as a rotation vector, by which the axes `turn` are still askew; nil if the pairs do not tell
    /// it, or are explained without it nearly as well: noise, delays and the field's own changes look like a small turn.
    /// Linear: a turn δ changes up·m by δ·(m × up), with the constant part of the field in the unknowns c and v.
    public func skew(of turn: Matrix3) -> Vector3? {
        var equations = PlainEquations(size: 7)
        var straight = PlainEquations(size: 4)
        for pair in pairs {
            let field = turn * pair.field
            let lever = field.cross(pair.up)
            let constant = [-pair.up.x, -pair.up.y, -pair.up.z, -1]
            equations.add([lever.x, lever.y, lever.z] + constant, value: -pair.up.dot(field))
            straight.add(constant, value: -pair.up.dot(field))
        }
        guard let solution = equations.solution, let without = straight.solution,
            equations.squares(of: solution) < 0.4 * straight.squares(of: without)
        else { return nil }
        let skew = Vector3(solution[0], solution[1], solution[2])
        // Beyond that it is no small turn.
        return skew.isFinite && skew.length < 0.5 ? skew : nil
    }

    private struct Fit {
        var turn: Matrix3
        var remainder: Double
        var next: Double
        var present: Double
        var offset: Vector3
        var vertical: Double
        var scatter: Double
        var isBroad: Bool
    }

    private func best(_ used: [Bool]) -> Fit? {
        let count = Double(used.count { $0 })
        var meanUp = Vector3.zero
        var meanField = Vector3.zero
        for index in pairs.indices where used[index] {
            meanUp += pairs[index].up * (1 / count)
            meanField += pairs[index].field * (1 / count)
        }
        var ups = Matrix3.zero
        var scatter = 0.0
        for index in pairs.indices where used[index] {
            let up = pairs[index].up - meanUp
            ups = ups + outer(up, up)
            scatter += (pairs[index].field - meanField).squaredLength
        }
        guard scatter > 0 else { return nil }
        var fits: [(turn: Matrix3, remainder: Double, offset: Vector3, vertical: Double)] = []
        for turn in AxisTurn.proper {
            var mean = 0.0
            for index in pairs.indices where used[index] {
                mean += pairs[index].up.dot(turn * pairs[index].field) / count
            }
            var square = 0.0
            var right = Vector3.zero
            for index in pairs.indices where used[index] {
                let value = pairs[index].up.dot(turn * pairs[index].field) - mean
                square += value * value
                right += (pairs[index].up - meanUp) * value
            }
            guard let offset = solve(ups, right) else { return nil }
            let rest = max(0, square - offset.dot(right))
            fits.append((turn, (rest / scatter).squareRoot(), offset, mean - offset.dot(meanUp)))
        }
        let present = fits[0].remainder
        fits.sort { $0.remainder < $1.remainder }
        return Fit(
            turn: fits[0].turn, remainder: fits[0].remainder, next: fits[1].remainder, present: present,
            offset: fits[0].offset, vertical: fits[0].vertical, scatter: (scatter / count).squareRoot(),
            isBroad: isBroad(ups * (1 / count)))
    }

    /// True if no eigenvalue of a symmetric matrix is below `breadth`: without it the matrix is still positive definite
    /// (Sylvester's criterion).
    private func isBroad(_ covariance: Matrix3) -> Bool {
        let rest = covariance + Matrix3.identity * -parameters.breadth
        let minor = rest[0, 0] * rest[1, 1] - rest[0, 1] * rest[1, 0]
        return rest[0, 0] > 0 && minor > 0 && rest.determinant > 0
    }
}
