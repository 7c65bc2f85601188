internal import EventLoop
internal import Glibc
internal import UdevDevices

/// Reads what discovery needs of a context: names, channels, and the attributes that say how to read them.
enum ContextScan {
    /// Describes the devices of a URI one by one; may block anywhere, for ever.
    ///
    /// - Parameters:
    ///   - skipped: ids of devices not to be touched, because an earlier scan is stuck in them.
    ///   - progress: hears what is going to be read, for the message if that never returns.
    ///   - found: hears of each device when it is done.
    static func run(
        uri: String, skipping skipped: Set<String>, ledger: SettingsLedger,
        progress: (_ device: String, _ attribute: String) -> Void,
        found: (DeviceDescription) -> Void
    ) throws(Errno) {
        progress("", "")
        let context = try IIOContext(uri: uri)
        context.setTimeout(milliseconds: 5000)
        let machine = uri.hasPrefix("local:") ? Machine.names() : []
        for (setting, original) in ledger.unrestored(in: uri) where !skipped.contains(setting.device) {
            progress(setting.device, setting.attribute)
            putBack(setting, original, in: context)
            ledger.restored(setting)
        }
        for device in context.devices where !skipped.contains(device.id) {
            var description = describe(device, uri: uri, progress: progress)
            description.machine = machine
            found(description)
        }
    }

    /// Undoes what a process that was killed has left changed. What cannot be undone, because the device has gone or
    /// refuses, is let be.
    private static func putBack(_ setting: DeviceSetting, _ original: String, in context: borrowing IIOContext) {
        guard let device = context.device(id: setting.device), device.name == setting.name else { return }
        switch setting.attribute {
        case DeviceSetting.trigger:
            _ = try? device.setTrigger(original.isEmpty ? nil : context.trigger(name: original))
        case DeviceSetting.bufferEnable: _ = try? device.disableBuffer()
        default: _ = try? device.attribute(fileName: setting.attribute)?.write(original)
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
        description.udev = UdevProperties.read(systemPath: description.path, where: DeviceQuirks.isWanted)
        guard let driver = realpath("\(description.path)/../driver", nil) else { return }
        defer { free(driver) }
        let parts = String(cString: driver).split(separator: "/")
        if parts.count > 2, parts[parts.count - 2] == "drivers" { description.driver = String(parts[parts.count - 1]) }
    }
}
