internal import Geometry
internal import Glibc
internal import LocateMeModel

/// Watches the size of field and acceleration for scales that are wrong by powers of ten, as AMD's sensor hubs have
/// them (magnetometer 10⁴, accelerometer 10 too small). Only tells: hard iron alone can be a hundred times the
/// earth's field, so a size proves nothing unless it is far too small.
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
            guard acceleration > 0 else { return nil }
            if abs(acceleration - 1) < 0.05 {
                return Finding(
                    code: "accel-unit-g", severity: .warning, sensor: sensor.id,
                    text:
                        "the acceleration at rest is \(AttributeText.decimal(acceleration)), so the driver counts in g",
                    remedy: "headings at rest are right; report the driver")
            }
            let power = Int(log10(9.80665 / acceleration).rounded())
            guard power != 0 else { return nil }
            return Finding(
                code: power > 0 ? "accel-scale-1e\(power)-too-small" : "accel-scale-1e\(-power)-too-large",
                severity: .warning, sensor: sensor.id,
                text: "the acceleration is \(AttributeText.decimal(acceleration)) m/s² where gravity alone is 9.81",
                remedy: "the driver's scale is wrong: headings at rest are right; report the driver")
        default: return nil
        }
    }

    private static func average(_ mean: inout Double, _ count: inout Int, _ value: Double) {
        count += 1
        mean += (value - mean) / Double(min(count, enough))
    }
}
