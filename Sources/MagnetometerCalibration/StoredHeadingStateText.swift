import Geometry
public import LocateMeModel

/// The text form of a stored heading state: one item a line, a word and its numbers, in the package's units.
///
/// ```
/// locateme-state 1
/// device i2c-0/af8133j
/// soft-iron 1 0 0 0 1 0 0 0 1          row-major
/// hard-iron 46.1 -64.4 418.4 1.0       µT, standard deviation of each component
/// hard-iron-covariance 1 0 0 0 1 0 0 0 1   µT², optional
/// fit 47.3 0.9 0.98 400                field µT, residual µT, coverage 0…1, samples; optional
/// gyro-bias 0.0117 -0.0003 0.0749 0.0005   rad/s, standard deviation
/// gyro-scale 0.031 0.028 0.027 0.004   scale errors of its axes: rate = (1 + error)·(raw − bias), standard deviation
/// latency 0.029 0.002                  s, standard deviation
/// mount-matrix 0 1 0 -1 0 0 0 0 1       the magnetometer's when this was learned, row-major
/// field-scale 100                      power of ten to multiply the raw field by; left out if 1
/// created 1764504001000000             µs since the Unix epoch
/// temperature 31.5                     °C
/// place 47.4 8.5                       degrees
/// source online
/// ```
///
/// Every line but the first is optional. Unknown words are an error: a state that is only half understood is not used.
public enum StoredHeadingStateText {
    /// The version that is written and read.
    public static let version = 1

    /// The text of a state; `device` is the identity that a reader may check.
    public static func text(of state: StoredHeadingState, device: String = "") -> String {
        var lines = ["locateme-state \(version)"]
        func add(_ word: String, _ numbers: [Double]) {
            lines.append(word + numbers.map { " \($0)" }.joined())
        }
        if !device.isEmpty { lines.append("device \(device.filter { !$0.isNewline })") }
        if let magnetometer = state.magnetometer {
            add("soft-iron", magnetometer.softIron.rowMajor)
            let iron = magnetometer.hardIron
            add("hard-iron", [iron.x, iron.y, iron.z, magnetometer.hardIronSigma])
            if let covariance = magnetometer.hardIronCovariance { add("hard-iron-covariance", covariance.rowMajor) }
            let statistics = [magnetometer.fieldMicrotesla, magnetometer.residualMicrotesla, magnetometer.coverage]
            if statistics.allSatisfy(\.isFinite), magnetometer.samples > 0 {
                lines.append("fit" + statistics.map { " \($0)" }.joined() + " \(magnetometer.samples)")
            }
        }
        if let gyroscope = state.gyroscope {
            add("gyro-bias", [gyroscope.bias.x, gyroscope.bias.y, gyroscope.bias.z, gyroscope.sigma])
        }
        if let scale = state.gyroscope?.scale {
            add("gyro-scale", [scale.error.x, scale.error.y, scale.error.z, scale.sigma])
        }
        if let latency = state.latency { add("latency", [latency.seconds, latency.sigma]) }
        if let matrix = state.mountMatrix { add("mount-matrix", matrix.rowMajor) }
        if state.fieldScale != 1 { add("field-scale", [state.fieldScale]) }
        if state.createdRealMicroseconds != 0 { lines.append("created \(state.createdRealMicroseconds)") }
        if state.temperature.isFinite { add("temperature", [state.temperature]) }
        if state.latitude.isFinite, state.longitude.isFinite { add("place", [state.latitude, state.longitude]) }
        lines.append("source \(state.source)")
        return lines.joined(separator: "\n") + "\n"
    }

    /// The state of a text. `device`, if given, must be the one in the text, where the text names one.
    public static func state(of text: String, device: String? = nil) throws(StoredStateError) -> StoredHeadingState {
        var parser = StoredStateParser(device: device)
        var number = 0
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            try parser.take(line, number: number)
        }
        return try parser.finish()
    }
}
