/// Who calls.
public struct BusCaller: Hashable, Sendable {
    /// The caller's connection, such as `:1.42`; vouched for by the bus and never used again for another.
    public var uniqueName: String
    /// The caller's user and process.
    public var credentials: BusCredentials

    /// A caller.
    public init(uniqueName: String, credentials: BusCredentials) {
        self.uniqueName = uniqueName
        self.credentials = credentials
    }
}

/// A method call to be answered, now or later. A call that is let go without an answer is answered with `.failed`,
/// so a caller never waits in vain.
public final class BusCall {
    /// The call.
    public let message: BusMessage
    /// Who calls.
    public let caller: BusCaller
    /// True once it was answered.
    public private(set) var isAnswered = false

    private let connection: BusConnection

    init(message: BusMessage, caller: BusCaller, connection: BusConnection) {
        self.message = message
        self.caller = caller
        self.connection = connection
    }

    deinit { if !isAnswered { fail(BusError(.failed, "the service has dropped the call without an answer")) } }

    /// Answers with what `body` writes, nothing by default. If it throws, answers with that error. Only the first
    /// answer counts.
    public func reply(_ body: (inout BusWriter) throws(BusError) -> Void = { _ in }) {
        guard begin() else { return }
        let answer = BusMessage.methodReturn(to: message)
        do throws(BusError) {
            try answer.write(body)
            connection.send(answer)
        } catch {
            connection.send(BusMessage.error(to: message, error))
        }
    }

    /// Answers with an error. Only the first answer counts.
    public func fail(_ error: BusError) {
        guard begin() else { return }
        connection.send(BusMessage.error(to: message, error))
    }

    /// True if an answer is to be sent.
    private func begin() -> Bool {
        guard !isAnswered else { return false }
        isAnswered = true
        return !message.isNoReplyExpected
    }
}
