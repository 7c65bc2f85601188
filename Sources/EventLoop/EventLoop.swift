internal import CLinux
internal import Glibc

/// One epoll loop on one thread: watched descriptors, timers on CLOCK_BOOTTIME, signals, and hooks that run
/// before each wait. Level-triggered. Not `Sendable`: everything on it stays on its thread; other threads reach
/// it through a `Wakeup`.
///
/// Events carry (descriptor, registration number), so an event of a descriptor that was closed and reused within
/// the same round is recognised as stale and skipped.
public final class EventLoop {
    private let epoll: Int32
    private let timerDescriptor: Int32
    private var signalDescriptor: Int32 = -1
    private var watches: [Int32: Watch] = [:]
    private var nextRegistration: UInt32 = 1
    private var timers: [LoopTimer] = []
    private var armedDeadline: Int64 = .max
    private var hooks: [LoopHook] = []
    private var stopped = false
    private var waitIsSkipped = false
    private var inRound = false
    private let events: UnsafeMutableBufferPointer<epoll_event>

    /// A loop with nothing on it. Fails if the process is out of descriptors.
    public init() throws(Errno) {
        epoll = epoll_create1(LOCATEME_EPOLL_CLOEXEC)
        guard epoll >= 0 else { throw Errno.current }
        timerDescriptor = timerfd_create(CLOCK_BOOTTIME, LOCATEME_TFD_CLOEXEC | LOCATEME_TFD_NONBLOCK)
        guard timerDescriptor >= 0 else {
            let error = Errno.current
            close(epoll)
            throw error
        }
        events = .allocate(capacity: 32)
        events.initialize(repeating: epoll_event())
        try control(EPOLL_CTL_ADD, timerDescriptor, mask: LOCATEME_EPOLLIN, registration: 0)
    }

    deinit {
        if signalDescriptor >= 0 { close(signalDescriptor) }
        close(timerDescriptor)
        close(epoll)
        events.deallocate()
    }

    /// Calls `handler` on the loop whenever the descriptor is ready. The descriptor stays the caller's and must be
    /// cancelled before it is closed. One watch per descriptor; EEXIST otherwise.
    public func watch(
        _ descriptor: Int32, for interest: Readiness, _ handler: @escaping (Readiness) -> Void
    ) throws(Errno) -> Watch {
        try watch(descriptor, mask: Self.mask(interest), for: interest, handler)
    }

    private func watch(
        _ descriptor: Int32, mask: UInt32, for interest: Readiness, _ handler: @escaping (Readiness) -> Void
    ) throws(Errno) -> Watch {
        guard watches[descriptor] == nil else { throw Errno(rawValue: EEXIST) }
        let registration = nextRegistration
        nextRegistration &+= 1
        if nextRegistration == 0 { nextRegistration = 1 }
        try control(EPOLL_CTL_ADD, descriptor, mask: mask, registration: registration)
        let watch = Watch(
            loop: self, descriptor: descriptor, registration: registration, interest: interest, handler: handler)
        watches[descriptor] = watch
        return watch
    }

    /// Calls `handler` on the loop after each signal of a wake-up; several before it count as one. Needs no `drain()`: epoll
    /// tells each write once (EPOLLET, epoll(7)), so no read must follow. One watch per wake-up.
    public func watch(_ wakeup: Wakeup, _ handler: @escaping () -> Void) throws(Errno) -> Watch {
        try watch(wakeup.descriptor, mask: LOCATEME_EPOLLIN | LOCATEME_EPOLLET, for: .readable) { [unowned wakeup] _ in
            wakeup.hear()
            handler()
        }
    }

    /// A timer that is not armed yet.
    public func makeTimer(_ handler: @escaping () -> Void) -> LoopTimer {
        LoopTimer(loop: self, handler: handler)
    }

    /// Blocks the signals for the process and calls `handler` on the loop for each that arrives. Call it once,
    /// before any thread is started, so that threads inherit the mask. They stay blocked when the loop is gone.
    public func handleSignals(_ signals: [Int32], _ handler: @escaping (Int32) -> Void) throws(Errno) {
        guard signalDescriptor < 0 else { throw Errno(rawValue: EEXIST) }
        var set = sigset_t()
        sigemptyset(&set)
        for signal in signals { sigaddset(&set, signal) }
        let status = pthread_sigmask(SIG_BLOCK, &set, nil)
        guard status == 0 else { throw Errno(rawValue: status) }
        let descriptor = signalfd(-1, &set, LOCATEME_SFD_CLOEXEC | LOCATEME_SFD_NONBLOCK)
        guard descriptor >= 0 else { throw Errno.current }
        signalDescriptor = descriptor
        _ = try watch(descriptor, for: .readable) { _ in
            var info = signalfd_siginfo()
            while read(descriptor, &info, MemoryLayout<signalfd_siginfo>.size) > 0 { handler(Int32(info.ssi_signo)) }
        }
    }

    /// Adds a hook that runs before each wait, in the order of adding: the place to drain a library's own queue.
    /// It stays until it is cancelled, even if nobody holds it.
    @discardableResult
    public func beforeWaiting(_ body: @escaping () -> Void) -> LoopHook {
        let hook = LoopHook(loop: self, body: body)
        hooks.append(hook)
        return hook
    }

    /// For a hook that has left work undone so that descriptors get their turn: the coming wait only polls.
    public func skipWait() { waitIsSkipped = true }

    /// Runs until `stop()`. A `stop()` from before counts: then it returns at once.
    public func run() throws(Errno) {
        defer { stopped = false }
        while !stopped { try runOnce() }
    }

    /// One wait and one round of handlers. `timeoutMilliseconds` < 0 waits without end, 0 only polls. Must not be
    /// called from within a handler.
    public func runOnce(timeoutMilliseconds: Int32 = -1) throws(Errno) {
        precondition(!inRound, "EventLoop.runOnce was called from within one of its handlers")
        inRound = true
        defer { inRound = false }
        waitIsSkipped = false
        for hook in hooks { hook.body?() }
        if stopped { return }
        try armTimer()
        let count = epoll_wait(
            epoll, events.baseAddress, Int32(events.count), waitIsSkipped ? 0 : timeoutMilliseconds)
        guard count >= 0 else {
            if errno == EINTR { return }
            throw Errno.current
        }
        for index in 0..<Int(count) {
            let event = events[index]
            let descriptor = Int32(truncatingIfNeeded: event.data.u64 & 0xffff_ffff)
            let registration = UInt32(truncatingIfNeeded: event.data.u64 >> 32)
            if registration == 0 {
                var expirations: UInt64 = 0
                // EAGAIN only says that the timer was re-armed meanwhile.
                _ = read(timerDescriptor, &expirations, 8)
                armedDeadline = .max
                fireTimers()
            } else if let watch = watches[descriptor], watch.registration == registration {
                watch.handler?(Self.readiness(event.events))
            }
        }
    }

    /// Makes `run()` return after the current round.
    public func stop() { stopped = true }

    // MARK: - For Watch and LoopTimer

    func change(_ watch: Watch, to interest: Readiness) throws(Errno) {
        try control(EPOLL_CTL_MOD, watch.descriptor, mask: Self.mask(interest), registration: watch.registration)
    }

    func remove(_ watch: Watch) {
        guard watches[watch.descriptor] === watch else { return }
        watches[watch.descriptor] = nil
        // A descriptor that was closed too early has left epoll by itself.
        _ = epoll_ctl(epoll, EPOLL_CTL_DEL, watch.descriptor, nil)
    }

    func schedule(_ timer: LoopTimer) {
        if !timers.contains(where: { $0 === timer }) { timers.append(timer) }
    }

    func unschedule(_ timer: LoopTimer) { timers.removeAll { $0 === timer } }

    func remove(_ hook: LoopHook) { hooks.removeAll { $0 === hook } }

    // MARK: - Private

    private func fireTimers() {
        let now = Clock.bootMicroseconds()
        // The sort is stable in practice; the order among equal deadlines is not promised.
        let due = timers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
        for timer in due where timer.isArmed && timer.deadline <= now { timer.fire(now: now) }
    }

    private func armTimer() throws(Errno) {
        let earliest = timers.reduce(Int64.max) { min($0, $1.deadline) }
        guard earliest != armedDeadline else { return }
        armedDeadline = earliest
        var value = itimerspec()
        if earliest != .max {
            // All zero would disarm; a deadline in the past fires at once.
            let deadline = max(earliest, 1)
            value.it_value = timespec(
                tv_sec: Int(deadline / 1_000_000), tv_nsec: Int(deadline % 1_000_000) * 1000)
        }
        guard timerfd_settime(timerDescriptor, LOCATEME_TFD_TIMER_ABSTIME, &value, nil) == 0 else {
            throw Errno.current
        }
    }

    private func control(_ operation: Int32, _ descriptor: Int32, mask: UInt32, registration: UInt32) throws(Errno) {
        var event = epoll_event()
        event.events = mask
        event.data.u64 = UInt64(registration) << 32 | UInt64(UInt32(bitPattern: descriptor))
        guard epoll_ctl(epoll, operation, descriptor, &event) == 0 else { throw Errno.current }
    }

    private static func mask(_ interest: Readiness) -> UInt32 {
        (interest.contains(.readable) ? LOCATEME_EPOLLIN : 0) | (interest.contains(.writable) ? LOCATEME_EPOLLOUT : 0)
    }

    private static func readiness(_ mask: UInt32) -> Readiness {
        var readiness: Readiness = []
        if mask & LOCATEME_EPOLLIN != 0 { readiness.insert(.readable) }
        if mask & LOCATEME_EPOLLOUT != 0 { readiness.insert(.writable) }
        if mask & LOCATEME_EPOLLHUP != 0 { readiness.insert(.hangUp) }
        if mask & LOCATEME_EPOLLERR != 0 { readiness.insert(.failed) }
        return readiness
    }
}
