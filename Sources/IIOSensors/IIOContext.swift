internal import CLibIIO
internal import EventLoop
internal import Glibc

/// A libiio context: a snapshot of the devices behind a URI. Unique owner; `IIODevice`s, channels and buffers
/// taken from it must not outlive it. Belongs to one thread.
struct IIOContext: ~Copyable {
    private let pointer: OpaquePointer

    /// Opens a context; may block for seconds (name service, network) or for ever (an attribute that hangs).
    /// libiio: `iio_create_context_from_uri`.
    init(uri: String) throws(Errno) {
        errno = 0
        guard let pointer = iio_create_context_from_uri(uri) else {
            let error = Errno.current
            throw error.rawValue == 0 ? Errno(rawValue: EIO) : error
        }
        self.pointer = pointer
    }

    deinit { iio_context_destroy(pointer) }

    /// How long libiio waits for data or an answer, in ms. Backends without time-outs ignore it.
    func setTimeout(milliseconds: Int) {
        // ENOSYS where there are none: then the call itself is as patient as the backend.
        _ = iio_context_set_timeout(pointer, UInt32(clamping: milliseconds))
    }

    /// All devices and triggers.
    var devices: [IIODevice] {
        (0..<iio_context_get_devices_count(pointer)).compactMap { index in
            iio_context_get_device(pointer, index).map(IIODevice.init)
        }
    }

    /// The device of that id, nil if it is gone.
    func device(id: String) -> IIODevice? { devices.first { $0.id == id } }

    /// The trigger of that name, nil if there is none.
    func trigger(name: String) -> IIODevice? { devices.first { $0.isTrigger && $0.name == name } }
}
