internal import Glibc

/// A mutex with a condition variable on CLOCK_MONOTONIC.
///
/// `@unchecked Sendable` is sound: the two pthread objects are made for use by many threads and their addresses
/// never change.
final class Monitor: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
        mutex.initialize(to: pthread_mutex_t())
        condition.initialize(to: pthread_cond_t())
        // These fail only for invalid arguments or, never on Linux, for want of memory.
        var attributes = pthread_condattr_t()
        _ = pthread_condattr_init(&attributes)
        _ = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        _ = pthread_mutex_init(mutex, nil)
        _ = pthread_cond_init(condition, &attributes)
        _ = pthread_condattr_destroy(&attributes)
    }

    deinit {
        _ = pthread_cond_destroy(condition)
        _ = pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Runs `body` with the mutex held.
    func locked<T, E: Error>(_ body: () throws(E) -> T) throws(E) -> T {
        // Fails only for a mutex that is no mutex.
        _ = pthread_mutex_lock(mutex)
        defer { _ = pthread_mutex_unlock(mutex) }
        return try body()
    }

    /// Within `locked`: waits for `wakeAll` or the deadline (CLOCK_MONOTONIC, µs). False if the deadline came.
    func wait(untilMonotonicMicroseconds deadline: Int64) -> Bool {
        var time = timespec(tv_sec: Int(deadline / 1_000_000), tv_nsec: Int(deadline % 1_000_000) * 1000)
        return pthread_cond_timedwait(condition, mutex, &time) == 0
    }

    /// Within `locked`: ends all waits.
    func wakeAll() { _ = pthread_cond_broadcast(condition) }

    /// CLOCK_MONOTONIC in µs, the clock of `wait`.
    static func monotonicMicroseconds() -> Int64 { time(of: CLOCK_MONOTONIC) }

    /// CLOCK_BOOTTIME minus the clock of that IIO name, in µs; nil for an unknown name.
    static func bootShift(ofIIOClock name: String) -> Int64? {
        switch name {
        case "boottime": 0
        case "monotonic", "monotonic_raw", "monotonic_coarse": time(of: CLOCK_BOOTTIME) - time(of: CLOCK_MONOTONIC)
        case "realtime", "realtime_coarse": time(of: CLOCK_BOOTTIME) - time(of: CLOCK_REALTIME)
        default: nil
        }
    }

    private static func time(of clock: clockid_t) -> Int64 {
        var time = timespec()
        // Fails only for an unknown clock id.
        _ = clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
}
