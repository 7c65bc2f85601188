internal import Geometry
internal import LocateMeModel

/// What the table, udev and the configuration know of one device, brought together.
struct DeviceQuirks: Sendable {
    /// Rows of the table that are for it.
    let rows: [SensorQuirk]
    private let udev: [String: String]

    /// Of a device, from the program's table unless another is given.
    init(of device: DeviceDescription, table: QuirkTable = .builtIn) {
        rows = table.rows(for: device)
        udev = device.udev
    }

    /// udev properties that matter: ours, and those that systemd's hwdb and udev rules give accelerometers and proximity
    /// sensors.
    static func isWanted(_ property: String) -> Bool {
        property.hasPrefix("LOCATEME_")
            || ["ACCEL_MOUNT_MATRIX", "ACCEL_LOCATION", "PROXIMITY_NEAR_LEVEL"].contains(property)
    }

    /// −1 if the accelerometer reads gravity's pull, else 1; without what a matrix of systemd's hwdb implies.
    var accelerometerSign: Double {
        switch udev["LOCATEME_ACCEL_SIGN"] {
        case "down": -1
        case "up": 1
        default: rows.last { $0.accelerometerSign != nil }?.accelerometerSign ?? 1
        }
    }

    /// The factor for a scale in the IIO unit.
    func scaleFactor(_ type: String, _ scale: Double) -> Double {
        guard let repair = rows.last(where: { $0.scales[type] != nil })?.scales[type], abs(scale) < repair.below else {
            return 1
        }
        return repair.factor
    }

    /// A scale in the IIO unit that replaces the attributes, nil if none is set.
    func scale(_ type: String) -> Double? {
        udev["LOCATEME_\(type.uppercased())_SCALE"].flatMap { AttributeText.number($0) }
    }

    /// The matrix of the table, for devices that declare none, with the row's name.
    func matrix(_ type: String) -> (matrix: MountMatrix, row: String)? {
        rows.last { $0.matrices[type] != nil }.flatMap { row in row.matrices[type].map { ($0, row.id) } }
    }

    /// The udev property that holds our matrix for a type, with its text; nil if there is none.
    func udevMatrix(_ type: String) -> (property: String, text: String)? {
        for name in ["LOCATEME_\(type.uppercased())_MOUNT_MATRIX", "LOCATEME_MOUNT_MATRIX"] {
            if let text = udev[name] { return (name, text) }
        }
        return nil
    }

    /// The accelerometer's matrix of systemd's hwdb; nil if there is none or it is not to be used.
    var hwdbMatrix: String? {
        rows.contains(where: \.ignoresHwdbMatrix) ? nil : udev["ACCEL_MOUNT_MATRIX"]
    }

    /// Rates in Hz, nil if the table has none.
    var rates: String? { rows.last { $0.rates != nil }?.rates }

    /// The raw count that means overflow.
    var overflowCount: Double? { rows.last { $0.overflowCount != nil }?.overflowCount }

    /// The driver is known to swap the bytes of raw values.
    var doubtsBytes: Bool { rows.contains(where: \.doubtsBytes) }

    /// The accelerometer must be opened first.
    var opensAccelerometerFirst: Bool { rows.contains(where: \.opensAccelerometerFirst) }

    /// Why the device is not to be used, nil if it may.
    var ignored: String? {
        switch udev["LOCATEME_IGNORE"] {
        case nil, "", "0": break
        case "1"?: return "a udev property (LOCATEME_IGNORE) says to ignore it"
        case let text?: return "a udev property says to ignore it: \(text)"
        }
        return rows.last { $0.ignored != nil }?.ignored
    }

    /// Tells of each row of the table that is about a type such as `magn`.
    func findings(type: String, sensor: String) -> [Finding] {
        rows.filter { $0.concerns(type) }.map { row in
            Finding(
                code: "quirk-applied", severity: .info, sensor: sensor, text: "\(row.id): \(row.why)",
                remedy: "nothing to do; the table is shown by headingctl sensors --quirks")
        }
    }
}
