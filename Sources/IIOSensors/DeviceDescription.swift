/// What discovery has read of one IIO device: a plain value on which all choices are made. Attributes go by their
/// sysfs file names, whichever way libiio files them.
struct DeviceDescription: Hashable, Sendable {
    /// One channel, without its attributes.
    struct Channel: Hashable, Sendable {
        /// libiio's id, such as `magn_x`, `rot_from_north_magnetic_tilt_comp`, `timestamp`.
        var id: String
        /// True for a channel that is written to; no measurement.
        var isOutput = false
        /// True if the channel can be captured through the buffer.
        var isScanElement = false
    }

    /// The context's URI, such as `local:` or `ip:phone.lan`.
    var uri: String
    /// The id within the context, such as `iio:device0` or `trigger1`.
    var id: String
    /// The `name` attribute, empty if there is none.
    var name = ""
    /// The device's sysfs path, empty in contexts other than `local:`.
    var path = ""
    /// The kernel driver, empty if unknown.
    var driver = ""
    /// True for a trigger.
    var isTrigger = false
    /// Channels in libiio's order, which is not x, y, z for every chip.
    var channels: [Channel] = []
    /// File name to trimmed text of the attributes that matter; raw values are not among them.
    var attributes: [String: String] = [:]
    /// File names of attributes that exist, read or not.
    var attributeNames: Set<String> = []
    /// Attributes that could not be read, by errno.
    var unreadable: [String: Int32] = [:]
    /// Names of the trigger that is set, empty if none.
    var currentTrigger = ""
    /// udev properties that matter, see `DeviceQuirks.isWanted`.
    var udev: [String: String] = [:]
    /// What machine it is in: entries of the devicetree's `compatible`, or the DMI modalias; empty in contexts other
    /// than `local:`.
    var machine: [String] = []

    /// The `label` attribute, empty if there is none.
    var label: String { attributes["label"] ?? "" }
    /// Where it sits: by our udev property, the `location` attribute, or systemd's udev property; empty if unknown.
    var location: String {
        udev["LOCATEME_LOCATION"] ?? attributes["location"] ?? udev["ACCEL_LOCATION"] ?? ""
    }

    /// The device's number: 3 for `iio:device3`; nil if the id ends in none.
    var number: Int? {
        let digits = id.reversed().prefix { $0.isASCII && $0.isNumber }
        return Int(String(digits.reversed()))
    }

    /// An input channel by id, nil if absent.
    func channel(_ id: String) -> Channel? { channels.first { $0.id == id && !$0.isOutput } }

    /// Where the device hangs: the path of its parent.
    var parentPath: Substring { path[..<(path.lastIndex(of: "/") ?? path.startIndex)] }

    /// The number in the first of the named attributes that holds one.
    func number(in names: [String]) -> Double? {
        for name in names {
            if let text = attributes[name], let value = AttributeText.number(text) { return value }
        }
        return nil
    }

    /// Attributes that discovery reads. Everything else may wake the chip, block for seconds, or matters to nobody.
    static func isWorthReading(_ attribute: String) -> Bool {
        switch attribute {
        case "label", "location", "current_timestamp_clock": true
        default:
            attribute.hasSuffix("scale") && !attribute.hasSuffix("calibscale") || attribute.hasSuffix("_offset")
                || attribute.hasSuffix("sampling_frequency") || attribute.hasSuffix("sampling_frequency_available")
                || attribute.hasSuffix("mount_matrix")
        }
    }
}
