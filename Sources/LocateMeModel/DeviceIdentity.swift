/// What a stored calibration belongs to: the magnetometer as the machine knows it across reboots and renumbering.
/// Two devices with the same name on other buses, or the same chip in lid and base, differ.
public struct DeviceIdentity: Hashable, Sendable, CustomStringConvertible {
    /// Where the device hangs: the sysfs path of the IIO device's parent, or the URI of a remote context.
    public var busPath: String
    /// The IIO `name` attribute.
    public var name: String
    /// The `location` or `label` attribute, empty if there is none.
    public var location: String

    /// An identity.
    public init(busPath: String, name: String, location: String) {
        self.busPath = busPath
        self.name = name
        self.location = location
    }

    /// For messages to people.
    public var description: String {
        location.isEmpty ? "\(name) at \(busPath)" : "\(name) (\(location)) at \(busPath)"
    }
}
