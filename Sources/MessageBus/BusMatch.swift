/// Signals that are listened for. Stays until `cancel()`, even if nobody holds it.
public final class BusMatch {
    private weak var core: ConnectionCore?
    private let rule: BusMatchRule
    private let senderWatch: NameWatch?
    let handler: (BusMessage) -> Void
    /// True if the bus does not know the rule: it was not asked, or has refused.
    var isLocal = false
    private var isCancelled = false

    init(
        core: ConnectionCore, rule: BusMatchRule, senderWatch: NameWatch?, handler: @escaping (BusMessage) -> Void
    ) {
        self.core = core
        self.rule = rule
        self.senderWatch = senderWatch
        self.handler = handler
    }

    /// Stops listening; the handler is not called any more. Idempotent.
    public func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        senderWatch?.cancel()
        guard let core else { return }
        core.remove(self)
        if !isLocal { core.tellBus("RemoveMatch", rule.text) }
    }

    func accepts(_ message: BusMessage) -> Bool {
        guard !isCancelled else { return false }
        if let senderWatch, senderWatch.owner == nil || senderWatch.owner != message.sender { return false }
        return rule.fits(message)
    }
}
