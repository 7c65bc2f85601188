internal import CLibIIO

/// A channel of an `IIODevice`; valid as long as the context.
struct IIOChannel {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { self.pointer = pointer }

    /// `magn_x`, `timestamp`.
    var id: String { IIODevice.string(iio_channel_get_id(pointer)) }
    /// True for a channel that is written to.
    var isOutput: Bool { iio_channel_is_output(pointer) }
    /// True if the buffer can capture it.
    var isScanElement: Bool { iio_channel_is_scan_element(pointer) }

    /// Names of the channel's attributes, such as `scale`.
    var attributeNames: [String] {
        (0..<iio_channel_get_attrs_count(pointer)).map { IIODevice.string(iio_channel_get_attr(pointer, $0)) }
    }

    /// The sysfs file of an attribute: `in_magn_scale` for `scale`.
    func fileName(of attribute: String) -> String {
        IIODevice.string(iio_channel_attr_get_filename(pointer, attribute))
    }

    /// Bytes that the channel takes in a scan, at least 1.
    var storageBytes: Int {
        guard let format = iio_channel_get_data_format(pointer)?.pointee else { return 1 }
        return max(Int(format.length / 8 * max(format.repeat, 1)), 1)
    }

    /// Wants the channel in the next buffer.
    func enable() { iio_channel_enable(pointer) }
    /// Does not want it.
    func disable() { iio_channel_disable(pointer) }

    /// Four values at `source` of a channel that repeats four times, such as a quaternion; nil for another.
    func fourValues(at source: UnsafeRawPointer) -> SIMD4<Double>? {
        guard let format = iio_channel_get_data_format(pointer)?.pointee, format.repeat == 4 else { return nil }
        var storage: (Int64, Int64, Int64, Int64) = (0, 0, 0, 0)
        return withUnsafeMutableBytes(of: &storage) { bytes -> SIMD4<Double>? in
            guard let base = bytes.baseAddress else { return nil }
            // Converts each of the values.
            iio_channel_convert(pointer, base, source)
            var values = SIMD4<Double>()
            for index in 0..<4 {
                switch (format.length, format.is_signed) {
                case (16, true): values[index] = Double(bytes.load(fromByteOffset: 2 * index, as: Int16.self))
                case (32, true): values[index] = Double(bytes.load(fromByteOffset: 4 * index, as: Int32.self))
                default: return nil
                }
            }
            return values
        }
    }

    /// One sample at `source`, brought to host order, shifted, masked and sign-extended by
    /// `iio_channel_convert`; nil if the storage is not 8, 16, 32 or 64 bits.
    func value(at source: UnsafeRawPointer) -> Int64? {
        guard let format = iio_channel_get_data_format(pointer)?.pointee else { return nil }
        var storage: UInt64 = 0
        return withUnsafeMutableBytes(of: &storage) { bytes -> Int64? in
            guard let base = bytes.baseAddress, format.length <= 64 else { return nil }
            iio_channel_convert(pointer, base, source)
            switch (format.length, format.is_signed) {
            case (8, true): return Int64(bytes.load(as: Int8.self))
            case (8, false): return Int64(bytes.load(as: UInt8.self))
            case (16, true): return Int64(bytes.load(as: Int16.self))
            case (16, false): return Int64(bytes.load(as: UInt16.self))
            case (32, true): return Int64(bytes.load(as: Int32.self))
            case (32, false): return Int64(bytes.load(as: UInt32.self))
            case (64, _): return bytes.load(as: Int64.self)
            default: return nil
            }
        }
    }
}
