/// One thing of a device that is changed while it is in use, as the ledger names it.
struct DeviceSetting: Hashable, Sendable {
    /// The context's URI.
    var uri: String
    /// The device's id within the context.
    var device: String
    /// Its IIO name, by which it is known again.
    var name: String
    /// The attribute's file name below the device, such as `sampling_frequency`, `trigger/current_trigger` or
    /// `buffer/enable`.
    var attribute: String
}

extension DeviceSetting {
    /// The trigger in force.
    static let trigger = "trigger/current_trigger"
    /// Whether the buffer captures.
    static let bufferEnable = "buffer/enable"
}
