/// A hook of an `EventLoop` that runs before each wait. Stays until `cancel()`, even if nobody holds it.
public final class LoopHook {
    private weak var loop: EventLoop?
    /// Nil once cancelled, so that what it has captured is let go.
    private(set) var body: (() -> Void)?

    init(loop: EventLoop, body: @escaping () -> Void) {
        self.loop = loop
        self.body = body
    }

    /// Never runs again. Idempotent; allowed within a hook.
    public func cancel() {
        body = nil
        loop?.remove(self)
    }
}
