internal import Geometry
internal import Glibc
internal import LocateMeModel

/// Watches the size of field and acceleration for scales that are wrong by powers of ten, as AMD's sensor hubs have
/// them (magnetometer 10⁴, accelerometer 10 too small), or for g in place of m/s². Of a field it only tells: hard iron
/// alone can be a hundred times the earth's field, so a size proves nothing unless it is far too small.
struct ScaleCheck: Hashable, Sendable {
    /// Readings before anything is said.
    static let enough = 50

    private var field = 0.0
    private var fieldCount = 0
    private var acceleration = 0.0
    private var accelerationCount = 0

    /// Takes a reading into account: mean over the last 50 or so.
    mutating func update(_ reading: SensorSample.Reading) {
        switch reading {
        case .magneticField(let field): Self.average(&self.field, &fieldCount, field.length)
        case .acceleration(let acceleration):
            Self.average(&self.acceleration, &accelerationCount, acceleration.length)
        default: break
        }
    }

    /// What accelerations must be multiplied by, 1 if their scale is right or nothing is known yet. Gravity is nearly all
    /// that a device feels on the mean, so the unit is the one of m/s², g, and their powers of ten that comes within 15 %.
    var accelerationFactor: Double {
        guard accelerationCount >= Self.enough, acceleration > 0 else { return 1 }
        for factor in Self.factors where abs(acceleration * factor / Self.gravity - 1) < 0.15 { return factor }
        return 1
    }

    /// A constant, since one is asked for with each sample.
    private static let factors = [gravity, 0.001, 0.01, 0.1, 1, 10, 100, 1000]

    /// Standard gravity in m/s².
    private static let gravity = 9.80665

    /// What is wrong with a sensor's scale, nil if nothing is.
    func finding(_ sensor: SensorDescription) -> Finding? {
        switch sensor.kind {
        case .magnetometer where fieldCount >= Self.enough:
            // The earth's field is 22 to 67 µT (World Magnetic Model 2025); iron can cancel it now and then, but
            // not to a twentieth on the mean.
            guard field > 0, field < 2 else { return nil }
            let power = Int(log10(48 / field).rounded())
            return Finding(
                code: "magn-scale-1e\(power)-too-small", severity: .warning, sensor: sensor.id,
                text: "the field is \(AttributeText.decimal(field)) µT, some 10^\(power) times less than the earth's",
                remedy: "the driver's scale is wrong: headings are right, field strength is not")
        case .accelerometer where accelerationCount >= Self.enough:
            let factor = accelerationFactor
            guard factor != 1 else { return nil }
            let power = Int(log10(factor).rounded())
            let code =
                factor == Self.gravity
                ? "accel-unit-g"
                : "accel-scale-\(Self.word(abs(power)))-too-\(power > 0 ? "small" : "large")"
            return Finding(
                code: code, severity: .warning, sensor: sensor.id,
                text:
                    "the acceleration at rest is \(AttributeText.decimal(acceleration)) where gravity is 9.81 m/s²; it is multiplied by \(AttributeText.decimal(factor))",
                remedy: "nothing to do here; report the driver")
        default: return nil
        }
    }

    private static func word(_ power: Int) -> String { power == 1 ? "10" : "1e\(power)" }

    private static func average(_ mean: inout Double, _ count: inout Int, _ value: Double) {
        count += 1
        mean += (value - mean) / Double(min(count, enough))
    }
}
