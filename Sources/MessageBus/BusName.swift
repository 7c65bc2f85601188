internal import CLibDBus

/// Rules for bus names.
public enum BusName {
    /// True for a valid name that a service can own, such as `org.locateme`; false for unique names.
    public static func isWellKnown(_ name: String) -> Bool {
        !name.utf8.contains(0) && !name.hasPrefix(":") && dbus_validate_bus_name(name, nil) != 0
    }
}
