internal import CLibDBus
internal import EventLoop

/// What libdbus calls back into: routes incoming messages. A separate object from `BusConnection`, so that a
/// callback during the teardown of that one finds something alive.
final class ConnectionCore {
    /// Messages dispatched per round of the loop; then other descriptors get their turn.
    static let messagesPerRound = 64

    let loop: EventLoop
    private(set) var connection: OpaquePointer?
    var onDisconnected: (() -> Void)?
    var isConnected = true
    private var pathHandlers: [PathHandler] = []
    private var matches: [BusMatch] = []
    private var pendingCalls: [ObjectIdentifier: PendingCall] = [:]
    private var deferred: [() -> Void] = []
    private var hook: LoopHook?

    private struct PathHandler {
        let prefix: ObjectPath
        let body: (BusMessage) -> Void
    }

    init(loop: EventLoop) { self.loop = loop }

    /// Takes over a private connection. False if libdbus is out of memory or the descriptor cannot be watched.
    func attach(_ connection: OpaquePointer) -> Bool {
        self.connection = connection
        dbus_connection_set_dispatch_status_function(
            connection,
            { _, status, context in
                // Messages may arrive while a hook of somebody else runs, after ours: do not sleep over them.
                guard status == DBUS_DISPATCH_DATA_REMAINS, let context else { return }
                Unmanaged<ConnectionCore>.fromOpaque(context).takeUnretainedValue().loop.skipWait()
            },
            Unmanaged.passRetained(self).toOpaque(), ConnectionCore.release)
        let filtered =
            dbus_connection_add_filter(
                connection,
                { _, message, context in
                    guard let message, let context else { return DBUS_HANDLER_RESULT_NOT_YET_HANDLED }
                    let core = Unmanaged<ConnectionCore>.fromOpaque(context).takeUnretainedValue()
                    return core.route(BusMessage(received: message))
                        ? DBUS_HANDLER_RESULT_HANDLED : DBUS_HANDLER_RESULT_NOT_YET_HANDLED
                },
                Unmanaged.passRetained(self).toOpaque(), ConnectionCore.release) != 0
        hook = loop.beforeWaiting { [weak self] in self?.dispatch() }
        return filtered && WatchSet(loop: loop).attach(to: connection) && TimeoutSet(loop: loop).attach(to: connection)
    }

    /// Takes everything off the loop, closes the connection and lets go of all handlers.
    func close() {
        guard let connection else { return }
        self.connection = nil
        isConnected = false
        hook?.cancel()
        hook = nil
        onDisconnected = nil
        pathHandlers = []
        matches = []
        deferred = []
        for call in pendingCalls.values { call.cancel() }
        dbus_connection_set_dispatch_status_function(connection, nil, nil, nil)
        dbus_connection_close(connection)
        WatchSet.detach(from: connection)
        TimeoutSet.detach(from: connection)
        dbus_connection_unref(connection)
    }

    func handle(_ prefix: ObjectPath, _ body: @escaping (BusMessage) -> Void) {
        pathHandlers.removeAll { $0.prefix == prefix }
        pathHandlers.append(PathHandler(prefix: prefix, body: body))
        // Longest first, so that the first that fits is the most specific.
        pathHandlers.sort { $0.prefix.text.utf8.count > $1.prefix.text.utf8.count }
    }

    func add(_ match: BusMatch) { matches.append(match) }

    func remove(_ match: BusMatch) { matches.removeAll { $0 === match } }

    func add(_ call: PendingCall) { pendingCalls[ObjectIdentifier(call)] = call }

    func remove(_ call: PendingCall) { pendingCalls[ObjectIdentifier(call)] = nil }

    /// Runs `body` on the loop, after the present handler.
    func later(_ body: @escaping () -> Void) {
        deferred.append(body)
        loop.skipWait()
    }

    /// Calls a method of the bus with one string and does not listen for the answer.
    func tellBus(_ member: String, _ argument: String) {
        guard let connection, let message = BusConnection.busCall(member, argument) else { return }
        message.isNoReplyExpected = true
        message.seal()
        // False means out of memory; then the bus keeps what it had.
        _ = dbus_connection_send(connection, message.handle, nil)
    }

    // MARK: - Private

    private static let release: @convention(c) (UnsafeMutableRawPointer?) -> Void = { context in
        guard let context else { return }
        Unmanaged<ConnectionCore>.fromOpaque(context).release()
    }

    private func dispatch() {
        let bodies = deferred
        deferred = []
        for body in bodies { body() }
        for _ in 0..<Self.messagesPerRound {
            // A handler may have closed the connection.
            guard let connection else { return }
            // COMPLETE ends it; NEED_MEMORY too: libdbus tries again when more arrives.
            guard dbus_connection_get_dispatch_status(connection) == DBUS_DISPATCH_DATA_REMAINS else { return }
            dbus_connection_ref(connection)
            // Its result repeats the status that is asked for at the top.
            _ = dbus_connection_dispatch(connection)
            dbus_connection_unref(connection)
        }
        loop.skipWait()
    }

    private func refuse(_ call: BusMessage, _ path: ObjectPath) {
        guard let connection, !call.isNoReplyExpected else { return }
        let answer = BusMessage.error(to: call, name: .unknownObject, text: "there is no object '\(path)'")
        // False means out of memory; then the caller runs into its time-out.
        _ = dbus_connection_send(connection, answer.handle, nil)
    }

    /// True if somebody took the message.
    private func route(_ message: BusMessage) -> Bool {
        switch message.kind {
        case .signal:
            if message.interface == "org.freedesktop.DBus.Local", message.member == "Disconnected" {
                isConnected = false
                onDisconnected?()
                return true
            }
            for match in matches where match.accepts(message) { match.handler(message) }
            return true
        case .methodCall:
            guard let path = message.path else { return false }
            for handler in pathHandlers where path.isWithin(handler.prefix) {
                handler.body(message)
                return true
            }
            refuse(message, path)
            return true
        case .methodReturn, .error, .unknown:
            return false
        }
    }
}
