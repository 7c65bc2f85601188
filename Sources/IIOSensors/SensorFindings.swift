internal import EventLoop
internal import LocateMeModel

/// The findings of sensors at work: what happened and what to do.
extension Finding {
    static let overflowCode = "magn-overflow"
    static let rateCode = "rate-not-set"
    static let busyCode = "device-busy"
    static let permissionCode = "no-permission"

    /// A reading beyond the chip's range.
    static func overflow(sensor: String, error: Errno) -> Finding {
        Finding(
            code: overflowCode, severity: .warning, sensor: sensor,
            text: "the reading is beyond the chip's range (\(error)): a strong magnet is near",
            remedy: "move away from magnets, loudspeakers, iron; choose a wider range if it stays")
    }

    /// Another process has the device.
    static func busy(sensor: String, name: String) -> Finding {
        Finding(
            code: busyCode, severity: .error, sensor: sensor,
            text: "another process holds \(name); it is tried again",
            remedy:
                "see who has /dev/iio:device* open (fuser -v /dev/iio:device*); iio-sensor-proxy holds hubs while a client has claimed it"
        )
    }

    /// Access is denied.
    static func noPermission(sensor: String, what: String) -> Finding {
        Finding(
            code: permissionCode, severity: .error, sensor: sensor,
            text: "no permission to use \(what)",
            remedy:
                "install the udev rules, which give /dev/iio:device* to the group locateme, and run the service in that group"
        )
    }

    /// The rate could not be set.
    static func rate(sensor: String, attribute: String, wanted: String, now: Double?, error: Errno) -> Finding {
        let inForce = now.map { "; \(AttributeText.decimal($0)) Hz stays in force" } ?? ""
        return Finding(
            code: rateCode, severity: .warning, sensor: sensor,
            text: "\(attribute) cannot be set to \(wanted) Hz: \(error)\(inForce)",
            remedy: error == .accessDenied
                ? "install the udev rules, which let the group locateme write it"
                : "nothing to do unless the rate is too low")
    }

    /// A device was given up.
    static func lost(sensor: String, reason: String) -> Finding {
        Finding(
            code: "sensor-lost", severity: .error, sensor: sensor, text: reason,
            remedy: "it is tried again by itself; check the connection and the kernel log if it does not return")
    }

    /// Buffer does not work.
    static func polled(sensor: String, because: String) -> Finding {
        Finding(
            code: "buffer-silent", severity: .warning, sensor: sensor,
            text: "the buffer does not work (\(because)); values are read one by one",
            remedy: "check interrupt line and trigger of the device, or create an hrtimer trigger")
    }

    /// A call does not return.
    static func hangs(sensor: String, text: String) -> Finding {
        Finding(
            code: "device-hangs", severity: .error, sensor: sensor, text: text,
            remedy: "the driver or the chip is stuck: see the kernel log, reload the driver or restart the machine")
    }

    /// A context that cannot be opened.
    static func context(uri: String, error: Errno) -> Finding {
        if uri.hasPrefix("local:") {
            if error == .accessDenied { return noPermission(sensor: "", what: "the IIO devices of this machine") }
            return Finding(
                code: "no-iio", severity: .error, text: "the kernel shows no IIO devices: \(error)",
                remedy: "check that the sensors' drivers are loaded and /sys/bus/iio/devices has entries")
        }
        return Finding(
            code: "context-unreachable", severity: .error, text: "\(uri) cannot be opened: \(error)",
            remedy: "check the address and that iiod runs there; it is tried again while headings are wanted")
    }
}

extension Errno {
    /// EACCES.
    static let accessDenied = Errno(rawValue: 13)
}
