internal import CLibIIO
internal import EventLoop
internal import Glibc

/// One sysfs attribute, reached through its device or channel; valid as long as the context.
struct IIOAttribute {
    /// The file's name, such as `in_magn_scale`.
    let fileName: String
    /// libiio's name, such as `scale`.
    let name: String
    let device: IIODevice
    var channel: IIOChannel?

    /// The trimmed text. May block as long as the driver likes.
    /// libiio: `iio_device_attr_read`, `iio_channel_attr_read`.
    func read() throws(Errno) -> String {
        let result = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer -> Result<String, Errno> in
            let length =
                if let channel {
                    iio_channel_attr_read(channel.pointer, name, buffer.baseAddress, buffer.count)
                } else {
                    iio_device_attr_read(device.pointer, name, buffer.baseAddress, buffer.count)
                }
            guard length >= 0 else { return .failure(Errno(rawValue: Int32(clamping: -length))) }
            let bytes = buffer.prefix(min(Int(length), buffer.count)).prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
            return .success(AttributeText.trimmed(String(decoding: bytes, as: UTF8.self)))
        }
        return try result.get()
    }

    /// The attribute as a finite number. EBADMSG if it holds something else.
    ///
    /// No allocation: this is the path of polled samples.
    func readNumber() throws(Errno) -> Double {
        let result = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer -> Result<Double, Errno> in
            let length =
                if let channel {
                    iio_channel_attr_read(channel.pointer, name, buffer.baseAddress, buffer.count)
                } else {
                    iio_device_attr_read(device.pointer, name, buffer.baseAddress, buffer.count)
                }
            guard length >= 0 else { return .failure(Errno(rawValue: Int32(clamping: -length))) }
            guard let number = Self.number(buffer.prefix(min(Int(length), buffer.count))) else {
                return .failure(Errno(rawValue: EBADMSG))
            }
            return .success(number)
        }
        return try result.get()
    }

    /// Writes a value. libiio: `iio_device_attr_write`, `iio_channel_attr_write`.
    func write(_ text: String) throws(Errno) {
        let status =
            if let channel {
                iio_channel_attr_write(channel.pointer, name, text)
            } else {
                iio_device_attr_write(device.pointer, name, text)
            }
        guard status >= 0 else { throw Errno(rawValue: Int32(clamping: -status)) }
    }

    /// Whole numbers, which nearly all raw values are, without a detour through text; the rest as any attribute.
    private static func number(_ bytes: Slice<UnsafeMutableBufferPointer<CChar>>) -> Double? {
        let text = bytes.prefix { $0 != 0 }
        var value: Int64 = 0
        var digits = 0
        var negative = false
        var ended = false
        for byte in text {
            switch UInt8(bitPattern: byte) {
            case UInt8(ascii: "0")...UInt8(ascii: "9") where !ended && digits < 18:
                value = value * 10 + Int64(byte - 48)
                digits += 1
            case UInt8(ascii: "-") where digits == 0 && !negative: negative = true
            case UInt8(ascii: " "), UInt8(ascii: "\n"): ended = digits > 0
            default: return AttributeText.number(String(decoding: text.map(UInt8.init(bitPattern:)), as: UTF8.self))
            }
        }
        return digits > 0 ? Double(negative ? -value : value) : nil
    }
}
