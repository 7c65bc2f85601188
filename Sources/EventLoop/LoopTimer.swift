/// A timer of an `EventLoop` on CLOCK_BOOTTIME, single-shot or repeating. All timers of a loop share one timerfd,
/// and a loop without armed timers has no wake-ups.
public final class LoopTimer {
    private weak var loop: EventLoop?
    private let handler: () -> Void
    private var interval: Int64 = 0
    private(set) var deadline: Int64 = .max

    init(loop: EventLoop, handler: @escaping () -> Void) {
        self.loop = loop
        self.handler = handler
    }

    /// True while a deadline lies ahead.
    public var isArmed: Bool { deadline != .max }

    /// Fires once at a CLOCK_BOOTTIME in microseconds, at once if that is past; then, with an interval > 0, again
    /// and again. Deadlines missed meanwhile are dropped, not made up for.
    public func arm(atBootMicroseconds time: Int64, everyMicroseconds interval: Int64 = 0) {
        deadline = min(time, .max - 1)
        self.interval = max(interval, 0)
        loop?.schedule(self)
    }

    /// Fires once after a delay.
    public func arm(afterMicroseconds delay: Int64, everyMicroseconds interval: Int64 = 0) {
        arm(atBootMicroseconds: Clock.bootMicroseconds() + max(delay, 0), everyMicroseconds: interval)
    }

    /// Never fires again unless armed. Idempotent.
    public func disarm() {
        deadline = .max
        interval = 0
        loop?.unschedule(self)
    }

    func fire(now: Int64) {
        if interval > 0 {
            deadline += interval
            if deadline <= now { deadline = now + interval }
        } else {
            deadline = .max
            loop?.unschedule(self)
        }
        handler()
    }
}
