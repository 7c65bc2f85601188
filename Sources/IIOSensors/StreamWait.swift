internal import CLinux
internal import EventLoop
internal import Glibc

/// What a thread that reads buffers waits with: its wake-up, the descriptors of its prompt streams, and an alarm until which
/// these can be left alone.
///
/// `@unchecked Sendable` is sound: the descriptors never change, what the kernel does with them is atomic, and `isHeld` and the
/// list of streams are touched with the reader's monitor held, by `wait` only what is the waiting thread's own.
final class StreamWait: @unchecked Sendable {
    private let epoll: Int32
    private let alarm: Int32
    private let streams: [Int32]
    private let events: UnsafeMutableBufferPointer<epoll_event>
    /// True while the streams are left alone.
    private(set) var isHeld = false
    /// Streams, by index, whose descriptors cannot be waited for.
    private(set) var deaf: [Int] = []

    /// What a wait ended with.
    struct Result {
        /// Somebody has signalled the wake-up.
        var isWoken = false
        /// The streams have been left alone for long enough.
        var isAlarmed = false
        /// How many streams are to be looked at, see `stream(_:)`.
        var streams = 0
    }

    private static let wakeupTag: UInt64 = 1 << 32
    private static let alarmTag: UInt64 = 2 << 32

    /// Waits for the wake-up and all streams. The system may have no descriptor left.
    init(wakeup: Int32, streams: [Int32]) throws(Errno) {
        epoll = epoll_create1(LOCATEME_EPOLL_CLOEXEC)
        guard epoll >= 0 else { throw Errno.current }
        alarm = timerfd_create(CLOCK_BOOTTIME, LOCATEME_TFD_CLOEXEC | LOCATEME_TFD_NONBLOCK)
        guard alarm >= 0 else {
            let error = Errno.current
            close(epoll)
            throw error
        }
        self.streams = streams
        events = .allocate(capacity: streams.count + 2)
        events.initialize(repeating: epoll_event())
        // From here on `deinit` closes.
        guard set(wakeup, EPOLL_CTL_ADD, LOCATEME_EPOLLIN, tag: Self.wakeupTag),
            set(alarm, EPOLL_CTL_ADD, LOCATEME_EPOLLIN, tag: Self.alarmTag)
        else { throw Errno.current }
        for (index, stream) in streams.enumerated()
        where !set(stream, EPOLL_CTL_ADD, LOCATEME_EPOLLIN, tag: UInt64(index)) {
            // EPERM: a file that cannot be waited for, epoll_ctl(2).
            guard errno == EPERM else { throw Errno.current }
            deaf.append(index)
        }
    }

    deinit {
        close(epoll)
        close(alarm)
        events.deallocate()
    }

    /// Waits for so long in ms, −1 for ever. Nothing where the time has passed.
    func wait(milliseconds: Int32) -> Result {
        var result = Result()
        var count: Int32 = 0
        while true {
            count = epoll_wait(epoll, events.baseAddress, Int32(events.count), milliseconds)
            if count >= 0 { break }
            // Of want of memory: not to spin.
            if errno != EINTR { usleep(10_000) }
        }
        for index in 0..<Int(count) {
            switch events[index].data.u64 {
            case Self.wakeupTag: result.isWoken = true
            case Self.alarmTag: result.isAlarmed = true
            default:
                events[result.streams] = events[index]
                result.streams += 1
            }
        }
        return result
    }

    /// The stream's index and what there is to it: the `number`th of the last wait.
    func stream(_ number: Int) -> (index: Int, isFailing: Bool) {
        let event = events[number]
        return (Int(event.data.u64), event.events & LOCATEME_EPOLLIN == 0)
    }

    /// Leaves the streams alone until that CLOCK_BOOTTIME in µs. May be called on another thread than the one that waits.
    func hold(untilBootMicroseconds deadline: Int64) {
        guard !isHeld, setAlarm(max(deadline, 1)) else { return }
        isHeld = true
        attend(to: 0)
    }

    /// Waits for the streams again.
    func open() {
        guard isHeld else { return }
        isHeld = false
        _ = setAlarm(0)
        attend(to: LOCATEME_EPOLLIN)
    }

    // MARK: - Private

    private func attend(to events: UInt32) {
        for (index, stream) in streams.enumerated() where !deaf.contains(index) {
            // Fails only for a descriptor that has been closed, which is then taken from the list soon.
            _ = set(stream, EPOLL_CTL_MOD, events, tag: UInt64(index))
        }
    }

    private func set(_ descriptor: Int32, _ operation: Int32, _ interest: UInt32, tag: UInt64) -> Bool {
        var event = epoll_event()
        event.events = interest
        event.data.u64 = tag
        return epoll_ctl(epoll, operation, descriptor, &event) == 0
    }

    /// 0 takes it back.
    private func setAlarm(_ deadline: Int64) -> Bool {
        var value = itimerspec()
        value.it_value = timespec(tv_sec: Int(deadline / 1_000_000), tv_nsec: Int(deadline % 1_000_000) * 1000)
        return timerfd_settime(alarm, LOCATEME_TFD_TIMER_ABSTIME, &value, nil) == 0
    }
}
