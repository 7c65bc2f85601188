internal import LocateMeModel

extension RawFieldCheck.Verdict {
    /// Codes of findings that mean that nothing a magnetometer says is of use.
    static let uselessCodes: Set<String> = ["magn-dead", "magn-dead-until-accel-powered", "raw-byte-order-suspect"]

    /// What to tell of a magnetometer, or of a hub's attitude, whose readings are left out; nil for good ones.
    func finding(sensor: SensorCandidate) -> Finding? {
        let id = sensor.description.id
        let name = sensor.description.name
        switch self {
        case .good: return nil
        case .overflow:
            return Finding(
                code: Finding.overflowCode, severity: .warning, sensor: id,
                text: "\(name) says that the field is beyond its range: a strong magnet is near",
                remedy: "move away from magnets, loudspeakers, iron; choose a wider range if it stays")
        case .zero where sensor.channels == SensorType.attitude.axes:
            return Finding(
                code: "quaternion-invalid-zero", severity: .error, sensor: id,
                text: "\(name) gives an attitude of length 0, which is none",
                remedy: "some hubs measure only after a restart; report the driver if it stays")
        case .zero:
            return Finding(
                code: "magn-dead", severity: .error, sensor: id, text: "\(name) reads 0 on all axes",
                remedy: "the chip is not switched on, or its driver does not fetch what it measures")
        case .equalAxes:
            return Finding(
                code: "magn-dead-until-accel-powered", severity: .error, sensor: id,
                text: "\(name) reads the same on all three axes, whatever the attitude",
                remedy: "chips such as the MPU-9150 need their accelerometer to run: it is opened first and kept open")
        case .swapped:
            return Finding(
                code: "raw-byte-order-suspect", severity: .error, sensor: id,
                text: "raw values of \(name) are multiples of 256, so their bytes stand the wrong way round",
                remedy: "give the device a trigger, so that its buffer can be used, or update the kernel")
        case .saturated:
            return Finding(
                code: "magn-axis-saturated", severity: .warning, sensor: id,
                text: "an axis of \(name) has flipped its sign at a field that no turn can bring about",
                remedy: "move away from magnets; choose a wider range if it stays")
        }
    }
}
