public import Geometry

/// Tells from turns whether a sensor's axes agree with the gyroscope's.
///
/// A vector that stands still on the earth turns against the device: v₂ = Rᵀ·v₁ where R is the device's turn between two
/// moments, from the gyroscope. For a field with hard iron c it is P·v₂ − Rᵀ·P·v₁ = (1 − Rᵀ)·c, linear in c. As with
/// `AxisAgreement` the sign stays open.
public struct RateAgreement: Sendable {
    /// A turn and what was seen before and after it.
    private struct Turn {
        var before: Vector3
        var after: Vector3
        /// From the device before to the device after: Rᵀ.
        var back: Matrix3
    }

    /// True if the vector has an unknown constant part, as a field has hard iron.
    public let hasOffset: Bool
    private var turns: [Turn] = []
    private var oldest = 0
    private var anchor: Vector3?
    private var anchorTime = 0.0
    private var rotation = Quaternion.identity
    private var lastRateTime = -Double.infinity

    private static let capacity = 96
    private static let least = 16
    /// Radians of a turn that counts.
    private static let leastAngle = 0.4
    /// Seconds a turn may take: the gyroscope's bias of 0.01 rad/s makes 0.015 rad meanwhile.
    private static let longest = 1.5
    /// Largest remainder of the right axes, relative to the change of the vector.
    private static let agreement = 0.25
    private static let separation = 2.0

    /// A test that has seen nothing.
    public init(hasOffset: Bool) {
        self.hasOffset = hasOffset
        turns.reserveCapacity(Self.capacity)
    }

    /// Forgets everything; the storage stays reserved.
    public mutating func reset() {
        turns.removeAll(keepingCapacity: true)
        oldest = 0
        anchor = nil
    }

    /// Takes an angular rate in rad/s at a time in seconds.
    public mutating func update(rate: Vector3, time: Double) {
        let step = time - lastRateTime
        lastRateTime = time
        guard rate.isFinite, step > 0, step < 0.1 else {
            anchor = nil
            return
        }
        rotation = (rotation * Quaternion(rotationVector: rate * step)).normalized
    }

    /// Takes the vector at a time in seconds; nil: it cannot be trusted now.
    public mutating func update(vector: Vector3?, time: Double) {
        guard let vector, vector.isFinite, time - lastRateTime < 0.05 else {
            anchor = nil
            return
        }
        guard let before = anchor, time - anchorTime < Self.longest else { return begin(vector, time) }
        guard 2 * arcCosine(abs(rotation.w)) > Self.leastAngle else { return }
        let turn = Turn(before: before, after: vector, back: rotation.conjugate.matrix)
        if turns.count < Self.capacity {
            turns.append(turn)
        } else {
            turns[oldest] = turn
            oldest = (oldest + 1) % Self.capacity
        }
        begin(vector, time)
    }

    private mutating func begin(_ vector: Vector3, _ time: Double) {
        anchor = vector
        anchorTime = time
        rotation = .identity
    }

    /// What the vector must be multiplied by to fit the gyroscope, up to the sign; nil while the turns do not tell.
    public var turn: Matrix3? {
        guard turns.count >= Self.least else { return nil }
        var change = 0.0
        for turn in turns { change += (turn.after - turn.before).squaredLength }
        guard change > 0 else { return nil }
        var best: (turn: Matrix3, remainder: Double)?
        var next = Double.infinity
        for candidate in AxisTurn.proper {
            let remainder = (remainder(candidate) / change).squareRoot()
            if remainder < best?.remainder ?? .infinity {
                next = best?.remainder ?? .infinity
                best = (candidate, remainder)
            } else {
                next = min(next, remainder)
            }
        }
        guard let best, best.remainder < Self.agreement, next > Self.separation * max(best.remainder, 0.05) else {
            return nil
        }
        return best.turn
    }

    private func remainder(_ candidate: Matrix3) -> Double {
        var square = 0.0
        var normal = Matrix3.zero
        var right = Vector3.zero
        for turn in turns {
            let error = candidate * turn.after - turn.back * (candidate * turn.before)
            square += error.squaredLength
            guard hasOffset else { continue }
            let design = Matrix3.identity + turn.back * -1
            normal = normal + design.transposed * design
            right += design.transposed * error
        }
        guard hasOffset, let offset = solve(normal, right) else { return square }
        return max(0, square - offset.dot(right))
    }
}
