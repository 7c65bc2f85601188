/// Finds out who calls: asks the bus once per connection and remembers. Calls of one sender stay in their order.
final class CallerDirectory {
    /// Known callers to remember; past it all are forgotten and asked for again.
    static let maximumKnown = 1024
    /// Calls of one sender that may wait for its credentials.
    static let maximumWaiting = 128

    private unowned let connection: BusConnection
    private var known: [String: BusCredentials] = [:]
    private var waiting: [String: [BusMessage]] = [:]

    init(connection: BusConnection) { self.connection = connection }

    /// Calls `body` with the message and its caller: at once if the caller is known and nothing of it waits.
    func identify(_ message: BusMessage, _ body: @escaping (BusMessage, BusCaller) -> Void) {
        guard let sender = message.sender else { return }
        if let credentials = known[sender] {
            body(message, BusCaller(uniqueName: sender, credentials: credentials))
            return
        }
        if let queue = waiting[sender] {
            guard queue.count < Self.maximumWaiting else {
                connection.send(
                    BusMessage.error(to: message, name: .limitsExceeded, text: "too many calls at once"))
                return
            }
            waiting[sender]?.append(message)
            return
        }
        waiting[sender] = [message]
        connection.credentials(of: sender) { [weak self] result in
            guard let self, let messages = waiting.removeValue(forKey: sender) else { return }
            // A failure means that the caller is gone, so nobody waits for an answer.
            guard case .success(let credentials) = result else { return }
            if known.count >= Self.maximumKnown { known = [:] }
            known[sender] = credentials
            let caller = BusCaller(uniqueName: sender, credentials: credentials)
            for message in messages { body(message, caller) }
        }
    }
}
