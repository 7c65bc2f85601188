internal import CLibDBus

/// A method call that waits for its answer. It goes on if nobody holds this.
public final class PendingCall {
    private var pending: OpaquePointer?
    private var completion: ((Result<BusMessage, BusError>) -> Void)?

    private weak var core: ConnectionCore?

    init(core: ConnectionCore, completion: @escaping (Result<BusMessage, BusError>) -> Void) {
        self.core = core
        self.completion = completion
    }

    deinit { if let pending { dbus_pending_call_unref(pending) } }

    /// True until the answer was delivered or the call cancelled.
    public var isPending: Bool { completion != nil }

    /// Does not wait for the answer any more; the completion is not called. What the other side does cannot be
    /// taken back. Idempotent.
    public func cancel() {
        completion = nil
        release { dbus_pending_call_cancel($0) }
    }

    /// Takes over the reference. False if the call cannot be waited for. The connection keeps this object until the
    /// call is finished, cancelled, or the connection closed.
    func attach(_ pending: OpaquePointer?) -> Bool {
        guard let pending else { return false }
        self.pending = pending
        core?.add(self)
        return dbus_pending_call_set_notify(
            pending,
            { _, context in
                guard let context else { return }
                Unmanaged<PendingCall>.fromOpaque(context).takeUnretainedValue().complete()
            },
            Unmanaged.passRetained(self).toOpaque(),
            { context in
                guard let context else { return }
                Unmanaged<PendingCall>.fromOpaque(context).release()
            }) != 0
    }

    func finish(_ result: Result<BusMessage, BusError>) {
        let completion = completion
        self.completion = nil
        release { _ in }
        completion?(result)
    }

    private func complete() {
        guard let pending, let handle = dbus_pending_call_steal_reply(pending) else { return }
        let message = BusMessage(receivedOwning: handle)
        finish(message.error.map { .failure($0) } ?? .success(message))
    }

    /// Gives up the reference.
    private func release(_ last: (OpaquePointer) -> Void) {
        guard let pending else { return }
        self.pending = nil
        core?.remove(self)
        last(pending)
        dbus_pending_call_unref(pending)
    }
}
