internal import CLibDBus
public import EventLoop

/// A private connection to a message bus on an `EventLoop`. Lives on the loop's thread. Handlers are called before
/// the loop waits, never from within a call of this class. Call `close()` when done: handlers are kept until then.
public final class BusConnection {
    /// The name the bus gave this connection, such as `:1.42`.
    public let uniqueName: String
    /// How many bytes may wait in this process for the bus before `sendDroppable` refuses. Default 256 KiB.
    public var droppableLimitBytes = 256 << 10
    /// How many droppable messages were refused so far.
    public private(set) var droppedMessages: UInt64 = 0

    private let core: ConnectionCore
    private let names: NameRegistry

    /// Connects and says hello; blocks meanwhile. Throws `.noServer`, `.badAddress`, `.authFailed`, `.noReply` and
    /// the like with a text that names the bus.
    public init(_ address: BusAddress, loop: EventLoop) throws(BusError) {
        let server = try address.resolve()
        guard !server.utf8.contains(0) else { throw BusError(.badAddress, "a bus address cannot contain a NUL") }
        // An address is not said twice.
        let bus = if case .address = address { "the bus at '\(server)'" } else { "the \(address) bus at '\(server)'" }
        // libdbus writes with MSG_NOSIGNAL, so the process may keep its own mind about SIGPIPE.
        dbus_connection_set_change_sigpipe(0)
        let connection = try LibDBus.pointer("cannot connect to \(bus)") {
            dbus_connection_open_private(server, $0)
        }
        dbus_connection_set_exit_on_disconnect(connection, 0)
        do throws(BusError) {
            try LibDBus.call("\(bus) refused the connection") {
                dbus_bus_register(connection, $0) != 0
            }
        } catch {
            dbus_connection_close(connection)
            dbus_connection_unref(connection)
            throw error
        }
        uniqueName = dbus_bus_get_unique_name(connection).map { String(cString: $0) } ?? ""
        core = ConnectionCore(loop: loop)
        names = NameRegistry()
        guard core.attach(connection) else {
            core.close()
            throw BusError(.noMemory, "the bus connection cannot be put on the event loop")
        }
    }

    deinit { core.close() }

    /// What tells this bus from every other, also from the one at the same address before or after a restart: only within one
    /// bus is a unique name never used again.
    public var busIdentity: String {
        guard let connection = core.connection, let text = dbus_connection_get_server_id(connection) else { return "" }
        defer { dbus_free(text) }
        return String(cString: text)
    }

    /// The loop everything happens on.
    public var loop: EventLoop { core.loop }

    /// Called once if the bus goes away or throws this connection out. Not called after `close()`.
    public var onDisconnected: (() -> Void)? {
        get { core.onDisconnected }
        set { core.onDisconnected = newValue }
    }

    /// False once the bus is gone or the connection closed.
    public var isConnected: Bool {
        guard let connection = core.connection, core.isConnected else { return false }
        return dbus_connection_get_is_connected(connection) != 0
    }

    /// Becomes the owner of a well-known name, or throws `.nameTaken` (with `owner`), `.accessDenied`, ….
    /// Blocks until the bus answers.
    public func requestName(_ name: String) throws(BusError) {
        guard !name.utf8.contains(0), dbus_validate_bus_name(name, nil) != 0, !name.hasPrefix(":") else {
            throw BusError(.invalidValue, "'\(name)' is not a well-known bus name")
        }
        let connection = try open()
        var answer: Int32 = 0
        try LibDBus.call("the bus name '\(name)' was refused") {
            answer = dbus_bus_request_name(connection, name, UInt32(DBUS_NAME_FLAG_DO_NOT_QUEUE), $0)
            return answer >= 0
        }
        if answer == DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER || answer == DBUS_REQUEST_NAME_REPLY_ALREADY_OWNER {
            return
        }
        let owner = ownerBlocking(of: name)
        let who = owner.map { "process \($0.processID), connection \($0.uniqueName)" } ?? "somebody else"
        throw BusError(.nameTaken, "the bus name '\(name)' is already owned by \(who)", owner: owner)
    }

    /// Becomes the owner of a well-known name, now or when its owner lets it go: takes it from an owner that allows
    /// this, and otherwise queues behind it. `watchName` tells whose it is. Blocks until the bus answers; throws if the
    /// bus refuses.
    public func queueForName(_ name: String) throws(BusError) {
        guard !name.utf8.contains(0), dbus_validate_bus_name(name, nil) != 0, !name.hasPrefix(":") else {
            throw BusError(.invalidValue, "'\(name)' is not a well-known bus name")
        }
        let connection = try open()
        try LibDBus.call("the bus name '\(name)' was refused") {
            dbus_bus_request_name(connection, name, UInt32(DBUS_NAME_FLAG_REPLACE_EXISTING), $0) >= 0
        }
    }

    /// Handles method calls to `prefix` and everything below it; of several prefixes the longest wins. Replaces the
    /// handler of the same prefix. Calls elsewhere are answered with `.unknownObject`, `org.freedesktop.DBus.Peer`
    /// is answered by libdbus.
    public func handle(pathPrefix prefix: ObjectPath, _ handler: @escaping (BusMessage) -> Void) {
        core.handle(prefix, handler)
    }

    // MARK: - Sending

    /// Queues a message and writes what the bus accepts now. False if the connection is gone or the message was
    /// spoilt while it was written.
    @discardableResult
    public func send(_ message: BusMessage) -> Bool {
        guard message.isWhole, isConnected, let connection = core.connection else { return false }
        message.seal()
        guard dbus_connection_send(connection, message.handle, nil) != 0 else { return false }
        return true
    }

    /// As `send`, but refuses (and counts in `droppedMessages`) while more than `droppableLimitBytes` wait: for
    /// signals that the next one makes obsolete.
    @discardableResult
    public func sendDroppable(_ message: BusMessage) -> Bool {
        if outgoingBytes > droppableLimitBytes {
            droppedMessages += 1
            return false
        }
        return send(message)
    }

    /// Bytes that wait in this process because the bus does not read.
    public var outgoingBytes: Int {
        guard let connection = core.connection else { return 0 }
        return dbus_connection_get_outgoing_size(connection)
    }

    /// Calls a method; `reply` is called once on the loop with the answer, the error that came back, `.noReply` after
    /// the time-out, or `.disconnected`. Without a time-out the call waits as long as the connection lives.
    @discardableResult
    public func call(
        _ message: BusMessage, timeoutMilliseconds: Int32? = 25_000,
        reply: @escaping (Result<BusMessage, BusError>) -> Void
    ) -> PendingCall {
        let call = PendingCall(core: core, completion: reply)
        guard message.isWhole, isConnected, let connection = core.connection else {
            let error =
                message.isWhole
                ? BusError.connectionIsGone : BusError(.invalidValue, "the message was spoilt while it was written")
            core.later { call.finish(.failure(error)) }
            return call
        }
        message.seal()
        var pending: OpaquePointer?
        let sent = dbus_connection_send_with_reply(
            connection, message.handle, &pending, timeoutMilliseconds.map { max($0, 1) } ?? .max)
        if sent == 0 || pending == nil || !call.attach(pending) {
            let error = sent == 0 ? BusError(.noMemory, "out of memory") : BusError.connectionIsGone
            core.later { call.finish(.failure(error)) }
        }
        return call
    }

    /// Calls a method and waits for the answer without running the loop. For start-up and small tools.
    public func callBlocking(
        _ message: BusMessage, timeoutMilliseconds: Int32 = 25_000
    ) throws(BusError) -> BusMessage {
        guard message.isWhole else { throw BusError(.invalidValue, "the message was spoilt while it was written") }
        let connection = try open()
        message.seal()
        var pending: OpaquePointer?
        guard
            dbus_connection_send_with_reply(connection, message.handle, &pending, max(timeoutMilliseconds, 1)) != 0
        else { throw BusError(.noMemory, "out of memory") }
        guard let pending else { throw BusError.connectionIsGone }
        defer { dbus_pending_call_unref(pending) }
        dbus_pending_call_block(pending)
        guard let handle = dbus_pending_call_steal_reply(pending) else { throw BusError.connectionIsGone }
        let reply = BusMessage(receivedOwning: handle)
        if let error = reply.error { throw error }
        return reply
    }

    /// Waits until everything is handed to the bus, at most so long. False if something is left.
    @discardableResult
    public func flush(timeoutMilliseconds: Int32 = 1000) -> Bool {
        guard let connection = core.connection else { return false }
        let deadline = Clock.bootMicroseconds() + Int64(timeoutMilliseconds) * 1000
        while dbus_connection_has_messages_to_send(connection) != 0 {
            let left = (deadline - Clock.bootMicroseconds() + 999) / 1000
            guard left > 0, dbus_connection_read_write(connection, Int32(left)) != 0 else { return false }
        }
        return isConnected
    }

    /// Leaves the bus at once; messages not yet handed over are lost, handlers are let go. Idempotent.
    public func close() {
        names.removeAll()
        core.close()
    }

    // MARK: - Listening

    /// Asks the bus for the signals that fit the rule and calls `handler` for each. If the rule's sender is a
    /// well-known name, only signals of its present owner are let through. `failed` hears if the bus refuses.
    public func addMatch(
        _ rule: BusMatchRule, failed: ((BusError) -> Void)? = nil, _ handler: @escaping (BusMessage) -> Void
    ) -> BusMatch {
        // The owner must be known before signals arrive, so it is asked for first.
        let sender = rule.sender.flatMap { NameRegistry.isWellKnown($0) ? watchName($0) { _ in } : nil }
        let match = BusMatch(core: core, rule: rule, senderWatch: sender, handler: handler)
        core.add(match)
        guard let request = Self.busCall("AddMatch", rule.text) else {
            core.remove(match)
            let error = BusError(.invalidValue, "'\(rule.text)' is not a match rule")
            core.later { failed?(error) }
            return match
        }
        call(request) { [weak match] result in
            guard case .failure(let error) = result, error.code != .disconnected, let match else { return }
            match.isLocal = true
            match.cancel()
            failed?(error)
        }
        return match
    }

    /// Calls `handler` for each signal that fits the rule and is sent to this connection alone: the bus needs not be
    /// asked for those. The rule's sender must be a unique name, or any process could send the signal.
    public func addUnicastMatch(_ rule: BusMatchRule, _ handler: @escaping (BusMessage) -> Void) -> BusMatch {
        let match = BusMatch(core: core, rule: rule, senderWatch: nil, handler: handler)
        match.isLocal = true
        core.add(match)
        return match
    }

    /// Tells the owner of a bus name: once now (asked from the bus), then at each change; nil: nobody. Works for
    /// unique names too: a nil means that this client is gone.
    public func watchName(_ name: String, _ handler: @escaping (String?) -> Void) -> NameWatch {
        names.watch(name, on: self, handler)
    }

    /// Asks the bus which user and process a connection belongs to.
    @discardableResult
    public func credentials(
        of uniqueName: String, _ reply: @escaping (Result<BusCredentials, BusError>) -> Void
    ) -> PendingCall? {
        guard let request = Self.busCall("GetConnectionCredentials", uniqueName) else {
            core.later { reply(.failure(BusError(.invalidValue, "'\(uniqueName)' is not a bus name"))) }
            return nil
        }
        return call(request) { reply($0.flatMap(BusCredentials.read)) }
    }

    // MARK: - For this module

    static let busName = "org.freedesktop.DBus"

    /// A call of a method of the bus itself with one string; nil if the string cannot be sent.
    static func busCall(_ member: String, _ argument: String) -> BusMessage? {
        do throws(BusError) {
            let message = try BusMessage.methodCall(
                destination: busName, path: "/org/freedesktop/DBus", interface: busName, member: member)
            try message.write { writer throws(BusError) in try writer.append(argument) }
            return message
        } catch {
            return nil
        }
    }

    private func open() throws(BusError) -> OpaquePointer {
        guard let connection = core.connection, isConnected else { throw BusError.connectionIsGone }
        return connection
    }

    private func ownerBlocking(of name: String) -> NameOwner? {
        guard let ask = Self.busCall("GetNameOwner", name), let answer = try? callBlocking(ask) else { return nil }
        var reader = answer.reader()
        guard let unique = try? reader.readString() else { return nil }
        guard let askProcess = Self.busCall("GetConnectionUnixProcessID", unique),
            let process = try? callBlocking(askProcess)
        else { return NameOwner(uniqueName: unique, processID: 0) }
        var processReader = process.reader()
        return NameOwner(uniqueName: unique, processID: (try? processReader.readUInt32()) ?? 0)
    }
}

extension BusError {
    static let connectionIsGone = BusError(.disconnected, "the connection to the message bus is gone")
}
