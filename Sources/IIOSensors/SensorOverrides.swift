public import Geometry

/// What the administrator knows better than the devices do.
public struct SensorOverrides: Hashable, Sendable {
    /// Mount matrices, chip to device, by sensor.
    public var mountMatrices: [String: MountMatrix]
    /// Sensors that are not to be used.
    public var ignored: Set<String>
    /// Sensors to use before others of their kind, if they exist and can be used.
    public var preferred: Set<String>

    /// Overrides of the given kinds, all empty by default. A sensor goes by its id (`local:/iio:device0/magn`), by IIO
    /// name and type (`ak8963/magn`), by its device's IIO name (`ak8963`), or by a path of sysfs at or above the device.
    public init(
        mountMatrices: [String: MountMatrix] = [:], ignored: Set<String> = [], preferred: Set<String> = []
    ) {
        self.mountMatrices = mountMatrices
        self.ignored = ignored
        self.preferred = preferred
    }

    /// The matrix for a sensor of a type such as `magn`; the most particular name counts.
    func matrix(device: DeviceDescription, type: String, sensor: String) -> MountMatrix? {
        mountMatrices[sensor] ?? mountMatrices["\(device.name)/\(type)"] ?? mountMatrices[device.name]
            ?? mountMatrices.first { Self.isAbove($0.key, device.path) }?.value
    }

    /// True if the sensor is to be left alone.
    func ignores(device: DeviceDescription, type: String, sensor: String) -> Bool {
        Self.names(device: device, type: type, sensor: sensor, in: ignored)
    }

    /// True if the sensor goes before others.
    func prefers(device: DeviceDescription, type: String, sensor: String) -> Bool {
        Self.names(device: device, type: type, sensor: sensor, in: preferred)
    }

    private static func names(device: DeviceDescription, type: String, sensor: String, in words: Set<String>) -> Bool {
        guard !words.isEmpty else { return false }
        return words.contains(sensor) || words.contains("\(device.name)/\(type)")
            || !device.name.isEmpty && words.contains(device.name)
            || words.contains { isAbove($0, device.path) }
    }

    private static func isAbove(_ folder: String, _ path: String) -> Bool {
        folder.hasPrefix("/sys/") && (path == folder || path.hasPrefix(folder.hasSuffix("/") ? folder : folder + "/"))
    }
}
