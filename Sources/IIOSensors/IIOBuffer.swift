internal import CLibIIO
internal import EventLoop
internal import Glibc

/// A running capture of a device's enabled channels, one scan per block. Unique owner; ending it disables the
/// device's buffer.
struct IIOBuffer: ~Copyable {
    /// For `cancel(_:)` from another thread, which must make sure that the buffer still exists.
    let pointer: OpaquePointer
    /// Scans that the kernel keeps until they are read; 0 if it does not say.
    let keptScans: Int

    private static let wantedScans = 32

    /// Starts capturing. libiio: `iio_device_set_kernel_buffers_count`, `iio_device_create_buffer`.
    init(device: IIODevice) throws(Errno) {
        // Scans the kernel may hold back while the thread is late. ENOSYS where a backend has no say in it.
        _ = iio_device_set_kernel_buffers_count(device.pointer, UInt32(Self.wantedScans))
        errno = 0
        guard let pointer = iio_device_create_buffer(device.pointer, 1, false) else {
            let error = Errno.current
            throw error.rawValue == 0 ? Errno(rawValue: EIO) : error
        }
        self.pointer = pointer
        var length: Int64 = 0
        let answer = iio_device_buffer_attr_read_longlong(device.pointer, "length", &length)
        keptScans = answer >= 0 ? Int(clamping: max(length, 0)) : 0
    }

    deinit { iio_buffer_destroy(pointer) }

    /// The scans, for a thread that reads them while another one keeps the buffer.
    var scans: IIOScans { IIOScans(pointer: pointer) }

    /// Makes a `refill()` on another thread return. libiio: `iio_buffer_cancel`, which may be called from anywhere.
    static func cancel(_ pointer: OpaquePointer) { iio_buffer_cancel(pointer) }
}

/// What an `IIOBuffer` captures; valid as long as that one. Belongs to one thread at a time.
struct IIOScans {
    fileprivate let pointer: OpaquePointer

    /// What poll(2) waits with; negative if the backend has no such thing.
    var descriptor: Int32 { iio_buffer_get_poll_fd(pointer) }

    /// Whether `refill()` waits for a scan, as it does at first, or throws EAGAIN. False if the backend cannot do that.
    func setWaits(_ waits: Bool) -> Bool { iio_buffer_set_blocking_mode(pointer, waits) == 0 }

    /// Waits for the next scan. ETIMEDOUT when the context's time-out passes, EBADF once cancelled.
    /// libiio: `iio_buffer_refill`.
    func refill() throws(Errno) {
        let length = iio_buffer_refill(pointer)
        guard length >= 0 else { throw Errno(rawValue: Int32(clamping: -length)) }
        guard length > 0 else { throw Errno(rawValue: ENODATA) }
    }

    /// Bytes from one scan to the next.
    var step: Int { max(iio_buffer_step(pointer), 1) }

    /// True if the block holds a whole scan at that offset in bytes.
    func hasScan(at offset: Int) -> Bool {
        guard let start = iio_buffer_start(pointer), let end = iio_buffer_end(pointer) else { return false }
        return offset + step <= end - start
    }

    /// A channel's value in the scan at that offset; nil if the channel is not captured.
    func value(of channel: IIOChannel, scanOffset: Int) -> Int64? {
        guard let first = iio_buffer_first(pointer, channel.pointer), let end = iio_buffer_end(pointer),
            first + scanOffset < end
        else { return nil }
        return channel.value(at: first + scanOffset)
    }

    /// The four values of a channel that repeats, in the scan at that offset; nil if the channel has not four.
    func attitude(of channel: IIOChannel, scanOffset: Int) -> SIMD4<Double>? {
        guard let first = iio_buffer_first(pointer, channel.pointer), let end = iio_buffer_end(pointer),
            first + scanOffset < end
        else { return nil }
        return channel.fourValues(at: first + scanOffset)
    }
}
