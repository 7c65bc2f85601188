internal import CLibDBus
internal import EventLoop

/// The timeouts that libdbus wants, as timers of an `EventLoop`.
final class TimeoutSet {
    private let loop: EventLoop
    private var timers: [OpaquePointer: LoopTimer] = [:]

    init(loop: EventLoop) { self.loop = loop }

    /// Makes libdbus report its timeouts here. False if that failed.
    func attach(to connection: OpaquePointer) -> Bool {
        dbus_connection_set_timeout_functions(
            connection,
            { timeout, context in
                guard let timeout, let context else { return 0 }
                TimeoutSet.of(context).update(timeout)
                return 1
            },
            { timeout, context in
                guard let timeout, let context else { return }
                TimeoutSet.of(context).remove(timeout)
            },
            { timeout, context in
                guard let timeout, let context else { return }
                TimeoutSet.of(context).update(timeout)
            },
            Unmanaged.passRetained(self).toOpaque(),
            { context in
                guard let context else { return }
                Unmanaged<TimeoutSet>.fromOpaque(context).release()
            }) != 0
    }

    /// Takes everything off; libdbus calls `remove` for each timeout.
    static func detach(from connection: OpaquePointer) {
        // Removing functions cannot run out of memory.
        _ = dbus_connection_set_timeout_functions(connection, nil, nil, nil, nil, nil)
    }

    private static func of(_ context: UnsafeMutableRawPointer) -> TimeoutSet {
        Unmanaged<TimeoutSet>.fromOpaque(context).takeUnretainedValue()
    }

    private func update(_ timeout: OpaquePointer) {
        let timer =
            timers[timeout]
            ?? loop.makeTimer {
                // False means out of memory: the timer fires again.
                _ = dbus_timeout_handle(timeout)
            }
        timers[timeout] = timer
        guard dbus_timeout_get_enabled(timeout) != 0 else {
            timer.disarm()
            return
        }
        let interval = Int64(max(dbus_timeout_get_interval(timeout), 1)) * 1000
        timer.arm(afterMicroseconds: interval, everyMicroseconds: interval)
    }

    private func remove(_ timeout: OpaquePointer) { timers.removeValue(forKey: timeout)?.disarm() }
}
