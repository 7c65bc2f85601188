/// The owner of a bus name, kept up to date. Stays until `cancel()`, even if nobody holds it.
public final class NameWatch {
    /// The name that is watched.
    public let name: String
    /// The unique name of the owner; nil if nobody owns it or the bus has not answered yet.
    public private(set) var owner: String?
    /// False until the bus has answered.
    public private(set) var isKnown = false

    private let handler: (String?) -> Void
    private weak var registry: NameRegistry?
    private(set) var isCancelled = false

    init(name: String, registry: NameRegistry, handler: @escaping (String?) -> Void) {
        self.name = name
        self.registry = registry
        self.handler = handler
    }

    /// Stops watching; the handler is not called any more. Idempotent.
    public func cancel() {
        guard !isCancelled else { return }
        isCancelled = true
        registry?.remove(self)
    }

    func update(_ newOwner: String?) {
        guard !isCancelled, !isKnown || newOwner != owner else { return }
        isKnown = true
        owner = newOwner
        handler(newOwner)
    }
}
