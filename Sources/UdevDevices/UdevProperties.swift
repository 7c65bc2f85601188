internal import CLibUdev
internal import Glibc

/// What udev knows of a device beyond sysfs: the properties that rules and hwdb files gave it.
public enum UdevProperties {
    /// The properties of a device whose names are accepted, by name; empty if udev does not know the device or does
    /// not run. Reads files of sysfs and `/run/udev/data`, so it belongs on a thread that may wait.
    ///
    /// libudev: `udev_device_new_from_syspath`, `udev_device_get_properties_list_entry`.
    /// - Parameters:
    ///   - systemPath: the device's folder, such as `/sys/devices/…/iio:device0`.
    ///   - isWanted: says which names to keep.
    public static func read(systemPath: String, where isWanted: (String) -> Bool) -> [String: String] {
        guard let library = udev_new() else { return [:] }
        // Both drop a reference and return nil.
        defer { _ = udev_unref(library) }
        guard let device = udev_device_new_from_syspath(library, systemPath) else { return [:] }
        defer { _ = udev_device_unref(device) }
        var properties: [String: String] = [:]
        var entry = udev_device_get_properties_list_entry(device)
        while let current = entry {
            if let name = udev_list_entry_get_name(current), let value = udev_list_entry_get_value(current) {
                let text = String(cString: name)
                if isWanted(text) { properties[text] = String(cString: value) }
            }
            entry = udev_list_entry_get_next(current)
        }
        return properties
    }
}
