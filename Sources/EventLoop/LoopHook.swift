/// A hook of an `EventLoop` that runs before each wait. Stays until `cancel()`, even if nobody holds it.
public final class LoopHook {
    private weak var loop: EventLoop?
    let body: () -> Void
    private(set) var isActive = true

    init(loop: EventLoop, body: @escaping () -> Void) {
        self.loop = loop
        self.body = body
    }

    /// Never runs again. Idempotent; allowed within a hook.
    public func cancel() {
        isActive = false
        loop?.remove(self)
    }
}
