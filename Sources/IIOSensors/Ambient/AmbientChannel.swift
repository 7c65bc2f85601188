internal import LocateMeModel

/// The channel of a light or proximity sensor, found among the devices of a scan
/// (Documentation/ABI/testing/sysfs-bus-iio of Linux: in_illuminance, in_intensity, in_proximity).
struct AmbientChannel: Hashable, Sendable {
    /// What it measures.
    var kind: AmbientReading.Kind
    /// The device's id, such as `iio:device3`.
    var device: String
    /// The sysfs file that is read.
    var fileName: String
    /// Lux per count; 1 for processed values and unknown units.
    var scale = 1.0
    /// Counts added before scaling.
    var offset = 0.0
    /// True if the result is in lux.
    var isLux = true

    /// Files in the order in which they are preferred: processed lux, raw lux, light of unknown unit.
    private static let lightFiles = [
        "in_illuminance_input", "in_illuminance0_input", "in_illuminance_raw", "in_illuminance0_raw",
        "in_intensity_both_raw", "in_intensity_both_input",
    ]
    private static let proximityFiles = ["in_proximity_raw", "in_proximity_input", "in_proximity0_raw"]

    /// The best channel of a kind, nil if no device has one.
    static func best(_ kind: AmbientReading.Kind, of devices: [DeviceDescription]) -> Self? {
        let files = kind == .light ? lightFiles : proximityFiles
        for file in files {
            // A lux sensor of a camera or of a keyboard says nothing of the screen's surroundings.
            let having = devices.filter { !$0.isTrigger && $0.attributeNames.contains(file) }
            guard let device = having.first(where: { !isElsewhere($0) }) ?? having.first else { continue }
            return Self(kind: kind, device: device, fileName: file)
        }
        return nil
    }

    private init(kind: AmbientReading.Kind, device: DeviceDescription, fileName: String) {
        self.kind = kind
        self.device = device.id
        self.fileName = fileName
        let isRaw = fileName.hasSuffix("_raw")
        let stem = isRaw ? String(fileName.dropLast(4)) : fileName
        isLux = fileName.hasPrefix("in_illuminance")
        guard isRaw, isLux else { return }
        let name = stem.hasSuffix("0") ? String(stem.dropLast()) : stem
        scale = device.number(in: ["\(stem)_scale", "\(name)_scale"]) ?? 1
        offset = device.number(in: ["\(stem)_offset", "\(name)_offset"]) ?? 0
    }

    private static func isElsewhere(_ device: DeviceDescription) -> Bool {
        ["keyboard", "base", "camera"].contains { device.label.contains($0) || device.location.contains($0) }
    }
}
