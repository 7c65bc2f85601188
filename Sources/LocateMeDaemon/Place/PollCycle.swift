internal import EventLoop

/// Needs the place now and then: once each interval, until a fix has come or a minute has passed. In between the sources
/// may sleep.
final class PollCycle {
    /// How long a fix is waited for, in µs.
    static let patience: Int64 = 60_000_000

    /// True while a fix is waited for.
    private(set) var isOpen = false
    /// Called when `isOpen` has changed.
    var changed: () -> Void = {}
    private var interval: Int64 = 0
    private var timer: LoopTimer?

    init(loop: EventLoop) {
        timer = loop.makeTimer { [weak self] in self?.turn() }
    }

    /// Begins with a fix as soon as possible, or goes on with another interval.
    func start(everySeconds seconds: UInt32) {
        let interval = Int64(seconds) * 1_000_000
        guard interval != self.interval else { return }
        self.interval = interval
        if !isOpen { open() }
    }

    /// Needs nothing any more.
    func stop() {
        guard interval != 0 else { return }
        interval = 0
        timer?.disarm()
        if isOpen {
            isOpen = false
            changed()
        }
    }

    /// Wants a fix now, such as after a resume.
    func hurry() {
        if interval != 0, !isOpen { open() }
    }

    /// A fix has come: enough until the next interval.
    func close() {
        guard isOpen else { return }
        isOpen = false
        timer?.arm(afterMicroseconds: interval)
        changed()
    }

    private func open() {
        isOpen = true
        timer?.arm(afterMicroseconds: Self.patience)
        changed()
    }

    private func turn() {
        guard interval != 0 else { return }
        if isOpen { close() } else { open() }
    }
}
