internal import CLibIIO
internal import EventLoop
internal import Glibc

/// A device or trigger of an `IIOContext`; valid as long as the context.
struct IIODevice {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// `iio:device0`, `trigger0`.
    var id: String { Self.string(iio_device_get_id(pointer)) }
    /// The `name` attribute, empty if there is none.
    var name: String { Self.string(iio_device_get_name(pointer)) }
    /// The `label` attribute, empty if there is none.
    var label: String { Self.string(iio_device_get_label(pointer)) }
    /// True for a trigger.
    var isTrigger: Bool { iio_device_is_trigger(pointer) }

    /// All channels, in libiio's order.
    var channels: [IIOChannel] {
        (0..<iio_device_get_channels_count(pointer)).compactMap { index in
            iio_device_get_channel(pointer, index).map(IIOChannel.init)
        }
    }

    /// An input channel by id.
    func channel(id: String) -> IIOChannel? { channels.first { $0.id == id && !$0.isOutput } }

    /// Every attribute of the device and its channels, once per sysfs file.
    var attributes: [IIOAttribute] {
        var seen: Set<String> = []
        var attributes: [IIOAttribute] = []
        for index in 0..<iio_device_get_attrs_count(pointer) {
            let name = Self.string(iio_device_get_attr(pointer, index))
            if seen.insert(name).inserted { attributes.append(IIOAttribute(fileName: name, name: name, device: self)) }
        }
        for channel in channels {
            for name in channel.attributeNames {
                let file = channel.fileName(of: name)
                guard seen.insert(file).inserted else { continue }
                attributes.append(IIOAttribute(fileName: file, name: name, device: self, channel: channel))
            }
        }
        return attributes
    }

    /// The attribute with that sysfs file name.
    func attribute(fileName: String) -> IIOAttribute? { attributes.first { $0.fileName == fileName } }

    /// Name of the trigger in force, empty if none. libiio: `iio_device_get_trigger`.
    func currentTrigger() throws(Errno) -> String {
        var trigger: OpaquePointer?
        let status = iio_device_get_trigger(pointer, &trigger)
        guard status >= 0 else { throw Errno(rawValue: -status) }
        return trigger.map { IIODevice($0).name } ?? ""
    }

    /// Sets the trigger, none for nil. libiio: `iio_device_set_trigger`.
    func setTrigger(_ trigger: IIODevice?) throws(Errno) {
        let status = iio_device_set_trigger(pointer, trigger?.pointer)
        guard status >= 0 else { throw Errno(rawValue: -status) }
    }

    /// True if scans of the enabled channels are as long for libiio as for the kernel, which pads them to a multiple of
    /// the largest element; libiio 0.24 does not. libiio: `iio_device_get_sample_size`.
    var scansAreAligned: Bool {
        let size = iio_device_get_sample_size(pointer)
        let largest = channels.filter { iio_channel_is_enabled($0.pointer) }.map(\.storageBytes).max() ?? 1
        return size > 0 && size % largest == 0
    }

    /// Switches a buffer off that nobody reads. libiio: `iio_device_buffer_attr_write`.
    func disableBuffer() throws(Errno) {
        let status = iio_device_buffer_attr_write(pointer, "enable", "0")
        guard status >= 0 else { throw Errno(rawValue: Int32(clamping: -status)) }
    }

    static func string(_ text: UnsafePointer<CChar>?) -> String { text.map { String(cString: $0) } ?? "" }
}
