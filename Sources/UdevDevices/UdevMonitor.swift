internal import CLibUdev
internal import Glibc

/// Hears of devices of one subsystem that come, go or change, through a netlink socket.
///
/// Where udev runs, its own events are heard, which come when rules have been applied and rights given; elsewhere the
/// kernel's. Belongs to one thread.
public final class UdevMonitor {
    /// Something that happened to a device.
    public struct Event: Hashable, Sendable {
        /// `add`, `remove`, `change`, `bind`, `unbind`, `move`; `overflow` if events were lost because there were too
        /// many of them.
        public var action: String
        /// The device's name, such as `iio:device0`; empty for an overflow.
        public var name: String
        /// Its folder in sysfs; empty for an overflow.
        public var path: String
    }

    /// Readable while events wait. Not to be closed.
    public let descriptor: Int32
    private let library: OpaquePointer
    private let monitor: OpaquePointer

    /// Listens from now on; nil if the system lets nobody listen.
    ///
    /// libudev: `udev_monitor_new_from_netlink`, `udev_monitor_filter_add_match_subsystem_devtype`, which lets the
    /// kernel drop what is of other subsystems, so that it wakes nobody.
    public init?(subsystem: String) {
        guard let library = udev_new() else { return nil }
        let isRunning = access("/run/udev/control", F_OK) == 0
        guard let monitor = udev_monitor_new_from_netlink(library, isRunning ? "udev" : "kernel") else {
            _ = udev_unref(library)
            return nil
        }
        guard udev_monitor_filter_add_match_subsystem_devtype(monitor, subsystem, nil) >= 0,
            udev_monitor_enable_receiving(monitor) >= 0, udev_monitor_get_fd(monitor) >= 0
        else {
            _ = udev_monitor_unref(monitor)
            _ = udev_unref(library)
            return nil
        }
        self.library = library
        self.monitor = monitor
        descriptor = udev_monitor_get_fd(monitor)
    }

    deinit {
        _ = udev_monitor_unref(monitor)
        _ = udev_unref(library)
    }

    /// The next event, nil if none waits. Never blocks: libudev's socket is non-blocking.
    public func next() -> Event? {
        errno = 0
        guard let device = udev_monitor_receive_device(monitor) else {
            return errno == ENOBUFS ? Event(action: "overflow", name: "", path: "") : nil
        }
        defer { _ = udev_device_unref(device) }
        return Event(
            action: Self.text(udev_device_get_action(device)), name: Self.text(udev_device_get_sysname(device)),
            path: Self.text(udev_device_get_syspath(device)))
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String { pointer.map { String(cString: $0) } ?? "" }
}
