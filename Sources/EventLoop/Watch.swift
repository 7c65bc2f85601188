/// A descriptor on an `EventLoop`. Stays registered until `cancel()`, even if nobody holds the watch.
public final class Watch {
    private weak var loop: EventLoop?
    /// The watched descriptor; not owned.
    public let descriptor: Int32
    let registration: UInt32
    /// Nil once cancelled, so that what it has captured is let go.
    private(set) var handler: ((Readiness) -> Void)?
    /// What is waited for.
    public private(set) var interest: Readiness

    init(
        loop: EventLoop, descriptor: Int32, registration: UInt32, interest: Readiness,
        handler: @escaping (Readiness) -> Void
    ) {
        self.loop = loop
        self.descriptor = descriptor
        self.registration = registration
        self.interest = interest
        self.handler = handler
    }

    /// Waits for something else from now on; an empty set only for hang-up and failure.
    public func setInterest(_ interest: Readiness) throws(Errno) {
        guard interest != self.interest, let loop else { return }
        try loop.change(self, to: interest)
        self.interest = interest
    }

    /// Takes the descriptor off the loop; call it before closing the descriptor. Idempotent.
    public func cancel() {
        handler = nil
        loop?.remove(self)
    }
}
