internal import Geometry
internal import LocateMeModel

/// One row of the table of quirks; see `QuirkText` for what the keys mean.
struct SensorQuirk: Hashable, Sendable {
    /// A factor for scales that are smaller than a limit, both in the IIO unit.
    struct ScaleRepair: Hashable, Sendable {
        var factor: Double
        var below: Double
    }

    /// What stands in brackets.
    var id = ""
    /// Patterns by what they are compared with: `name`, `driver`, `path`, `label`, `machine`. All must fit.
    var matches: [String: [String]] = [:]
    /// −1 if the accelerometer points down, 1 if it follows the IIO sign.
    var accelerometerSign: Double?
    /// By type: `magn`, `accel`, `anglvel`.
    var scales: [String: ScaleRepair] = [:]
    /// By type: chip to device where none is declared.
    var matrices: [String: MountMatrix] = [:]
    /// The matrix of systemd's hwdb is not to be used.
    var ignoresHwdbMatrix = false
    /// Rates in Hz as text.
    var rates: String?
    /// The raw count that means overflow.
    var overflowCount: Double?
    /// Raw values may have their bytes swapped.
    var doubtsBytes = false
    /// The accelerometer must be opened before, and stay open.
    var opensAccelerometerFirst = false
    /// Why a device is of no use.
    var ignored: String?
    /// What is wrong.
    var why = ""
    /// Who says so.
    var source = ""

    /// True if the row is for that device.
    func isFor(_ device: DeviceDescription) -> Bool {
        matches.allSatisfy { key, patterns in
            let values =
                switch key {
                case "name": [device.name]
                case "driver": [device.driver]
                case "path": [device.path]
                case "label": [device.label]
                default: device.machine
                }
            return values.contains { value in patterns.contains { Self.fits(value, $0) } }
        }
    }

    /// True if the row says something of sensors of a type such as `magn`.
    func concerns(_ type: String) -> Bool {
        scales[type] != nil || matrices[type] != nil
            || type == "accel" && (accelerometerSign != nil || ignoresHwdbMatrix)
            || type == "magn" && (rates != nil || overflowCount != nil || doubtsBytes || opensAccelerometerFirst)
    }

    /// True if the text fits a pattern in which `*` stands for any run of characters.
    static func fits(_ text: String, _ pattern: String) -> Bool {
        let parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return text == pattern }
        guard text.hasPrefix(first), text.hasSuffix(last), text.count >= first.count + last.count else { return false }
        var rest = text.dropFirst(first.count).dropLast(last.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let found = rest.firstRange(of: part) else { return false }
            rest = rest[found.upperBound...]
        }
        return true
    }
}
