internal import Geometry
internal import Glibc
internal import LocateMeModel

/// Watches whether a gyroscope counts in radians per second: drivers that count degrees, or are off by powers of ten as AMD's
/// sensor hubs are, are recognised by the turn of gravity's direction, and mended. Pure: time is in the samples.
///
/// A direction u that stands still on the earth changes by Δu ≈ u × θ in the device's frame, θ being the sum of rate · time
/// (J. Kuipers, "Quaternions and Rotation Sequences", 1999, section 11.5); what Δu is of u × θ on the mean is the factor.
struct GyroscopeUnitCheck: Sendable {
    /// What rates must be multiplied by; 1 while nothing is known or nothing is wrong.
    private(set) var factor = 1.0

    private var gravity = 0.0
    private var forces = 0
    private var anchor: (up: Vector3, time: Int64)?
    private var turn = Vector3.zero
    private var lastRate: Int64 = 0
    private var projected = 0.0
    private var predicted = 0.0
    private var seen = 0.0
    private var turns = 0

    private static let leastChange = 0.2
    /// Beyond it a turn is no small one any more.
    private static let greatestChange = 0.7
    private static let longest: Int64 = 1_500_000
    private static let leastTurns = 8
    /// Share of the changes that the rates must explain: turns about other axes, or a gyroscope that does not fit at all.
    private static let explained = 0.7
    private static let degrees = Double.pi / 180

    /// Takes an acceleration in any unit at a time in µs. True if the factor has changed.
    mutating func update(acceleration: Vector3, time: Int64) -> Bool {
        let size = acceleration.length
        guard size.isFinite, size > 0 else { return false }
        forces += 1
        gravity += (size - gravity) / Double(min(forces, 100))
        guard forces >= 20, abs(size / gravity - 1) < 0.05 else { return false }
        let up = acceleration * (1 / size)
        guard let anchor, time > anchor.time, time - anchor.time < Self.longest, abs(time - lastRate) < 100_000 else {
            begin(up, time)
            return false
        }
        let change = up - anchor.up
        guard change.length > Self.leastChange else { return false }
        defer { begin(up, time) }
        guard change.length < Self.greatestChange else { return false }
        return take(change, ((up + anchor.up) * 0.5).cross(turn))
    }

    /// Takes a rate as the device gives it, at a time in µs.
    mutating func update(rate: Vector3, time: Int64) {
        let step = time - lastRate
        lastRate = time
        guard rate.isFinite, step > 0, step < 100_000 else {
            anchor = nil
            return
        }
        turn += rate * (Double(step) * 1e-6)
    }

    private mutating func begin(_ up: Vector3, _ time: Int64) {
        anchor = (up, time)
        turn = .zero
    }

    private mutating func take(_ change: Vector3, _ prediction: Vector3) -> Bool {
        // What is long ago fades.
        projected = projected * 0.95 + change.dot(prediction)
        predicted = predicted * 0.95 + prediction.squaredLength
        seen = seen * 0.95 + change.squaredLength
        turns += 1
        guard turns >= Self.leastTurns, predicted > 0, projected > 0,
            projected * projected > Self.explained * predicted * seen
        else { return false }
        let ratio = projected / predicted
        let factors = [1, Self.degrees, 1 / Self.degrees, 0.001, 0.01, 0.1, 10, 100, 1000]
        guard let found = factors.first(where: { abs(ratio / $0 - 1) < 0.25 }), found != factor else { return false }
        factor = found
        return true
    }

    /// What is wrong with the gyroscope's scale, nil if nothing is.
    func finding(_ sensor: SensorDescription) -> Finding? {
        guard sensor.kind == .gyroscope, factor != 1 else { return nil }
        let power = Int(log10(factor).rounded())
        let code =
            factor == Self.degrees
            ? "gyro-unit-degrees"
            : "gyro-scale-\(abs(power) == 1 ? "10" : "1e\(abs(power))")-too-\(power > 0 ? "small" : "large")"
        return Finding(
            code: code, severity: .warning, sensor: sensor.id,
            text:
                "\(sensor.name) counts rates other than in radians per second; they are multiplied by \(AttributeText.decimal(factor))",
            remedy: "nothing to do here; report the driver")
    }
}
