internal import EventLoop
internal import MessageBus

/// A call whose answer waits for a sensor, at most until a deadline.
final class PendingAnswer {
    let call: BusCall
    private var timer: LoopTimer?

    /// Calls `expired` on the loop if the answer has not come in time.
    init(_ call: BusCall, loop: EventLoop, timeoutMilliseconds: Int64, expired: @escaping (PendingAnswer) -> Void) {
        self.call = call
        timer = loop.makeTimer { [weak self] in
            guard let self else { return }
            expired(self)
        }
        timer?.arm(afterMicroseconds: timeoutMilliseconds * 1000)
    }

    deinit { timer?.disarm() }
}
