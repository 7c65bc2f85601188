internal import CLibDBus
internal import EventLoop

/// The descriptors that libdbus wants watched, on an `EventLoop`. libdbus keeps separate watches for reading and
/// writing on one descriptor; epoll knows a descriptor only once, so they are merged here.
final class WatchSet {
    private final class Entry {
        var watches: [OpaquePointer] = []
        var registration: Watch?
    }

    private let loop: EventLoop
    private var entries: [Int32: Entry] = [:]

    init(loop: EventLoop) { self.loop = loop }

    /// Makes libdbus report its watches here. False if that failed.
    func attach(to connection: OpaquePointer) -> Bool {
        dbus_connection_set_watch_functions(
            connection,
            { watch, context in
                guard let watch, let context else { return 0 }
                return WatchSet.of(context).add(watch) ? 1 : 0
            },
            { watch, context in
                guard let watch, let context else { return }
                WatchSet.of(context).remove(watch)
            },
            { watch, context in
                guard let watch, let context else { return }
                // Enabling cannot fail on a descriptor that epoll has accepted before.
                _ = WatchSet.of(context).update(dbus_watch_get_unix_fd(watch))
            },
            Unmanaged.passRetained(self).toOpaque(),
            { context in
                guard let context else { return }
                Unmanaged<WatchSet>.fromOpaque(context).release()
            }) != 0
    }

    /// Takes everything off; libdbus calls `remove` for each watch.
    static func detach(from connection: OpaquePointer) {
        // Removing functions cannot run out of memory.
        _ = dbus_connection_set_watch_functions(connection, nil, nil, nil, nil, nil)
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> WatchSet {
        Unmanaged<WatchSet>.fromOpaque(context).takeUnretainedValue()
    }

    private func add(_ watch: OpaquePointer) -> Bool {
        let descriptor = dbus_watch_get_unix_fd(watch)
        let entry = entries[descriptor] ?? Entry()
        entries[descriptor] = entry
        entry.watches.append(watch)
        return update(descriptor)
    }

    private func remove(_ watch: OpaquePointer) {
        // The descriptor may be gone from the watch, so look for the watch itself.
        for (descriptor, entry) in entries where entry.watches.contains(watch) {
            entry.watches.removeAll { $0 == watch }
            // Waiting for less cannot fail on a descriptor that epoll has accepted before.
            _ = update(descriptor)
        }
    }

    /// Brings the registration of a descriptor in line with its enabled watches. With none it is taken off, since
    /// epoll reports a hang-up even to those who wait for nothing.
    private func update(_ descriptor: Int32) -> Bool {
        guard let entry = entries[descriptor] else { return true }
        var interest: Readiness = []
        for watch in entry.watches where dbus_watch_get_enabled(watch) != 0 {
            let flags = dbus_watch_get_flags(watch)
            if flags & DBUS_WATCH_READABLE.rawValue != 0 { interest.insert(.readable) }
            if flags & DBUS_WATCH_WRITABLE.rawValue != 0 { interest.insert(.writable) }
        }
        if entry.watches.isEmpty { entries[descriptor] = nil }
        if interest.isEmpty {
            entry.registration?.cancel()
            entry.registration = nil
            return true
        }
        do throws(Errno) {
            if let registration = entry.registration {
                try registration.setInterest(interest)
            } else {
                entry.registration = try loop.watch(descriptor, for: interest) { [weak self] readiness in
                    self?.handle(descriptor, readiness)
                }
            }
            return true
        } catch {
            return false
        }
    }

    private func handle(_ descriptor: Int32, _ readiness: Readiness) {
        guard let entry = entries[descriptor] else { return }
        var common: UInt32 = 0
        if readiness.contains(.hangUp) { common |= DBUS_WATCH_HANGUP.rawValue }
        if readiness.contains(.failed) { common |= DBUS_WATCH_ERROR.rawValue }
        for watch in entry.watches {
            // The one before may have removed or disabled this one.
            guard entry.watches.contains(watch), dbus_watch_get_enabled(watch) != 0 else { continue }
            let wanted = dbus_watch_get_flags(watch)
            var flags = common
            if readiness.contains(.readable) { flags |= wanted & DBUS_WATCH_READABLE.rawValue }
            if readiness.contains(.writable) { flags |= wanted & DBUS_WATCH_WRITABLE.rawValue }
            // False means out of memory: the descriptor stays ready and is tried again.
            if flags != 0 { _ = dbus_watch_handle(watch, flags) }
        }
    }
}
