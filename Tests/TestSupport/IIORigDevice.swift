/// One fake IIO device as a value: what its sysfs folder shows and how its buffer is laid out.
public struct IIORigDevice: Sendable {
    /// One element of a scan.
    public struct Channel: Sendable {
        /// `magn_x`, `timestamp`.
        public var id: String
        /// The kernel's text: `le:s16/16>>0`, `be:s24/32>>8`.
        public var type: String
        /// Place in the scan.
        public var index: Int

        /// An element of that id, type and place.
        public init(_ id: String, _ type: String, index: Int) {
            self.id = id
            self.type = type
            self.index = index
        }
    }

    /// The `name` attribute.
    public var name: String
    /// File name to text. A newline is added if none is there.
    public var attributes: [String: String]
    /// Scan elements; none for a device without a buffer.
    public var channels: [Channel]
    /// The trigger set at first, empty for none; nil for a device without `trigger/`.
    public var trigger: String?
    /// Triggers that make data arrive; nil if data come with any or none.
    public var firingTriggers: Set<String>?
    /// The folder below /sys/devices, such as `i2c-1/1-000d`; tells which devices are near each other.
    public var parent: String

    /// What udev knows of it: property to value.
    public var udev: [String: String] = [:]

    /// A device; without channels it has no buffer.
    public init(
        name: String, attributes: [String: String], channels: [Channel] = [], trigger: String? = "",
        firingTriggers: Set<String>? = nil, parent: String = "platform/rig"
    ) {
        self.name = name
        self.attributes = attributes
        self.channels = channels
        self.trigger = trigger
        self.firingTriggers = firingTriggers
        self.parent = parent
    }

    /// One scan as a driver lays it out: enabled channels in scan order, each aligned to its own size, the whole to the
    /// largest.
    func pack(_ scan: [String: Int64], time: Int64, isEnabled: (String) -> Bool) -> [UInt8] {
        var bytes: [UInt8] = []
        var largest = 1
        for channel in channels.sorted(by: { $0.index < $1.index }) {
            guard isEnabled(channel.id), let format = IIORigScanFormat(channel.type) else { continue }
            while bytes.count % format.storageBytes != 0 { bytes.append(0xa5) }
            bytes += format.bytes(scan[channel.id] ?? (channel.id == "timestamp" ? time : 0))
            largest = max(largest, format.storageBytes)
        }
        while bytes.count % largest != 0 { bytes.append(0xa5) }
        return bytes
    }

    /// A three-axis sensor of a type such as `magn` with shared scale and, unless `type` is nil, a buffer with
    /// timestamps.
    ///
    /// - Parameters:
    ///   - type: format of the three axes.
    ///   - order: axes in the order of the scan.
    ///   - attributes: added to, or in place of, the usual ones.
    public static func threeAxis(
        _ kind: String, name: String, scale: String, type: String? = "le:s16/16>>0", order: String = "xyz",
        trigger: String? = "", attributes: [String: String] = [:], parent: String = "platform/rig"
    ) -> IIORigDevice {
        var all = [
            "in_\(kind)_scale": scale, "sampling_frequency": "50",
            "sampling_frequency_available": "10 25 50 100 200", "current_timestamp_clock": "realtime\n",
        ]
        for axis in "xyz" { all["in_\(kind)_\(axis)_raw"] = "0" }
        all.merge(attributes) { _, new in new }
        var channels: [Channel] = []
        if let type {
            for (index, axis) in order.enumerated() { channels.append(Channel("\(kind)_\(axis)", type, index: index)) }
            channels.append(Channel("timestamp", "le:s64/64>>0", index: 3))
        }
        return IIORigDevice(
            name: name, attributes: all.filter { $0.value != "-" }, channels: channels, trigger: trigger, parent: parent
        )
    }
}
