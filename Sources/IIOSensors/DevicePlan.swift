internal import LocateMeModel

/// What a worker is to do with one device.
struct DevicePlan: Sendable {
    /// The context's URI.
    var uri: String
    /// The device's id within the context.
    var deviceID: String
    /// The IIO name, for messages.
    var name: String
    /// The sensors to deliver.
    var sensors: [SensorCandidate]
    /// Names of triggers to try, best first; if empty the buffer is tried without setting one.
    var triggers: [String]
    /// The device has a timestamp channel.
    var hasTimestamp: Bool
    /// Its path in sysfs: a device of another path is another device, even under the same id.
    var path = ""

    /// True if the device is of this machine, so that its clocks are ours.
    var isLocal: Bool { uri.hasPrefix("local:") }
    /// All sensors can be captured through the buffer.
    var canBuffer: Bool { sensors.allSatisfy(\.canBuffer) }
    /// All sensors can be polled.
    var canPoll: Bool { sensors.allSatisfy(\.canPoll) }
    /// URI and device: what makes two plans be of one device.
    var key: String { "\(uri)/\(deviceID)" }

    /// One plan per device of the sensors that are to deliver.
    static func all(for sensors: [SensorCandidate], devices: [DeviceDescription]) -> [DevicePlan] {
        var plans: [DevicePlan] = []
        for sensor in sensors {
            if let index = plans.firstIndex(where: { $0.uri == sensor.uri && $0.deviceID == sensor.deviceID }) {
                plans[index].sensors.append(sensor)
                continue
            }
            guard let device = devices.first(where: { $0.uri == sensor.uri && $0.id == sensor.deviceID }) else {
                continue
            }
            plans.append(
                DevicePlan(
                    uri: device.uri, deviceID: device.id, name: sensor.description.name, sensors: [sensor],
                    triggers: TriggerChoice(for: device, among: devices).names,
                    hasTimestamp: device.channel("timestamp")?.isScanElement == true, path: device.path))
        }
        for index in plans.indices where plans[index].sensors.contains(where: \.quirks.opensAccelerometerFirst) {
            let sensors = plans[index].sensors
            plans[index].sensors =
                sensors.filter { $0.description.kind == .accelerometer }
                + sensors.filter { $0.description.kind != .accelerometer }
        }
        return plans
    }
}
