internal import LocateMeModel

/// The channel of a light or proximity sensor, found among the devices of a scan
/// (Documentation/ABI/testing/sysfs-bus-iio of Linux: in_illuminance, in_intensity, in_proximity).
struct AmbientChannel: Hashable, Sendable {
    /// What it measures.
    var kind: AmbientReading.Kind
    /// The device's id, such as `iio:device3`.
    var device: String
    /// The device's IIO name.
    var name: String
    /// The sysfs file that is read, nil if there is only a buffer.
    var fileName: String?
    /// The channel's id if it can be captured through the buffer, else nil.
    var scanElement: String?
    /// Triggers to try for the buffer, best first.
    var triggers: [String] = []
    /// Lux per count; 1 for processed values and unknown units.
    var scale = 1.0
    /// Counts added before scaling.
    var offset = 0.0
    /// True if the result is in lux.
    var isLux = true
    /// At or above this raw value something is near, as udev says; nil: as the driver does.
    var nearLevel: Double?

    /// Channels in the order in which they are preferred, with the ending of the file: processed lux, raw lux, light of
    /// unknown unit.
    private static let lightChannels = [
        ("illuminance", "input"), ("illuminance0", "input"), ("illuminance", "raw"), ("illuminance0", "raw"),
        ("intensity_both", "raw"), ("intensity_both", "input"),
    ]
    private static let proximityChannels = [("proximity", "raw"), ("proximity", "input"), ("proximity0", "raw")]

    /// The best channel of a kind, nil if no device has one.
    static func best(_ kind: AmbientReading.Kind, of devices: [DeviceDescription]) -> Self? {
        let channels = kind == .light ? lightChannels : proximityChannels
        for (channel, ending) in channels {
            // A lux sensor of a camera or of a keyboard says nothing of the screen's surroundings.
            let having = devices.filter { !$0.isTrigger && has($0, channel, ending) }
            guard let device = having.first(where: { !isElsewhere($0) }) ?? having.first else { continue }
            return Self(kind: kind, device: device, channel: channel, ending: ending, among: devices)
        }
        return nil
    }

    private init(
        kind: AmbientReading.Kind, device: DeviceDescription, channel: String, ending: String,
        among devices: [DeviceDescription]
    ) {
        self.kind = kind
        self.device = device.id
        name = device.name
        let file = "in_\(channel)_\(ending)"
        fileName = device.attributeNames.contains(file) ? file : nil
        isLux = channel.hasPrefix("illuminance")
        nearLevel = device.udev["PROXIMITY_NEAR_LEVEL"].flatMap { AttributeText.number($0) }
        guard ending == "raw" else { return }
        // The buffer of a device that feeds the heading is the heading's.
        let isShared = ["magn_x", "accel_x", "anglvel_x"].contains { device.channel($0) != nil }
        if !isShared, device.channel(channel)?.isScanElement == true {
            scanElement = channel
            triggers = TriggerChoice(for: device, among: devices).names
        }
        guard isLux else { return }
        let plain = channel.hasSuffix("0") ? String(channel.dropLast()) : channel
        scale = device.number(in: ["in_\(channel)_scale", "in_\(plain)_scale"]) ?? 1
        offset = device.number(in: ["in_\(channel)_offset", "in_\(plain)_offset"]) ?? 0
    }

    private static func has(_ device: DeviceDescription, _ channel: String, _ ending: String) -> Bool {
        device.attributeNames.contains("in_\(channel)_\(ending)")
            || ending == "raw" && device.channel(channel)?.isScanElement == true
    }

    private static func isElsewhere(_ device: DeviceDescription) -> Bool {
        ["keyboard", "base", "camera"].contains { device.label.contains($0) || device.location.contains($0) }
    }
}
