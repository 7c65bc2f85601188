internal import EventLoop
internal import Glibc

/// Reads what discovery needs of a context: names, channels, and the attributes that say how to read them.
enum ContextScan {
    /// Describes the devices of a URI one by one; may block anywhere, for ever.
    ///
    /// - Parameters:
    ///   - skipped: ids of devices not to be touched, because an earlier scan is stuck in them.
    ///   - progress: hears what is going to be read, for the message if that never returns.
    ///   - found: hears of each device when it is done.
    static func run(
        uri: String, skipping skipped: Set<String>, progress: (_ device: String, _ attribute: String) -> Void,
        found: (DeviceDescription) -> Void
    ) throws(Errno) {
        progress("", "")
        let context = try IIOContext(uri: uri)
        context.setTimeout(milliseconds: 5000)
        for device in context.devices where !skipped.contains(device.id) {
            found(describe(device, uri: uri, progress: progress))
        }
    }

    private static func describe(
        _ device: IIODevice, uri: String, progress: (String, String) -> Void
    ) -> DeviceDescription {
        var description = DeviceDescription(uri: uri, id: device.id, name: device.name)
        progress(description.id, "")
        description.isTrigger = device.isTrigger
        for channel in device.channels {
            description.channels.append(
                DeviceDescription.Channel(
                    id: channel.id, isOutput: channel.isOutput, isScanElement: channel.isScanElement))
        }
        for attribute in device.attributes {
            description.attributeNames.insert(attribute.fileName)
            guard DeviceDescription.isWorthReading(attribute.fileName) else { continue }
            progress(description.id, attribute.fileName)
            do throws(Errno) {
                description.attributes[attribute.fileName] = try attribute.read()
            } catch {
                description.unreadable[attribute.fileName] = error.rawValue
            }
        }
        let label = device.label
        if !label.isEmpty { description.attributes["label"] = label }
        if !device.isTrigger, description.channels.contains(where: \.isScanElement) {
            progress(description.id, "trigger/current_trigger")
            // A device without a trigger answers with an error, and so do other backends.
            description.currentTrigger = (try? device.currentTrigger()) ?? ""
        }
        if uri.hasPrefix("local:") { locate(&description) }
        return description
    }

    /// Path and driver in sysfs, for devices of this machine.
    private static func locate(_ description: inout DeviceDescription) {
        guard let path = realpath("/sys/bus/iio/devices/\(description.id)", nil) else { return }
        defer { free(path) }
        description.path = String(cString: path)
        guard let driver = realpath("\(description.path)/../driver", nil) else { return }
        defer { free(driver) }
        let parts = String(cString: driver).split(separator: "/")
        if parts.count > 2, parts[parts.count - 2] == "drivers" { description.driver = String(parts[parts.count - 1]) }
    }
}
