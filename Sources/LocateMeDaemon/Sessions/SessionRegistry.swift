internal import EventLoop
internal import LocateMeBusInterface
internal import LocateMeModel
internal import MessageBus

/// All sessions: who owns them, how many they may be, and that they end with their owner's connection.
final class SessionRegistry {
    /// What is known of one connection with sessions.
    private final class Client {
        let userID: UInt32
        let flow: PeerFlow
        var sessions: [ObjectPath] = []
        var watch: NameWatch?

        init(userID: UInt32, flow: PeerFlow) {
            self.userID = userID
            self.flow = flow
        }
    }

    /// Called when a session ends, before it is gone.
    var ended: (Session) -> Void = { _ in }
    /// Called after sessions have come or gone.
    var changed: () -> Void = {}
    /// Makes the bus object of a session.
    private let makeObject: (Session) -> ExportedObject
    private(set) var sessions: [ObjectPath: Session] = [:]
    private var clients: [String: Client] = [:]
    private let limits: SessionLimits
    private let connection: BusConnection
    private let dispatcher: ObjectDispatcher
    private let log: Log

    init(
        limits: SessionLimits, connection: BusConnection, dispatcher: ObjectDispatcher, log: Log,
        makeObject: @escaping (Session) -> ExportedObject
    ) {
        self.limits = limits
        self.connection = connection
        self.dispatcher = dispatcher
        self.log = log
        self.makeObject = makeObject
    }

    /// Opens a session for a caller. Throws `.limitsExceeded`.
    func open(
        _ options: SessionOptions, for caller: BusCaller, make: (SessionIdentifier, SessionLink) -> Session
    ) throws(BusError) -> Session {
        let client = clients[caller.uniqueName]
        guard client?.sessions.count ?? 0 < limits.perConnection else {
            throw BusError(
                .limitsExceeded, "a connection may have \(limits.perConnection) sessions; close one that is not needed")
        }
        let user = caller.credentials.userID
        guard clients.values.reduce(0, { $0 + ($1.userID == user ? $1.sessions.count : 0) }) < limits.perUser else {
            throw BusError(.limitsExceeded, "the programs of one user may have \(limits.perUser) sessions together")
        }
        let identifier = SessionIdentifier()
        guard let path = LocateMeBus.sessionPath(identifier.description) else {
            throw BusError(.failed, "the session got no path")
        }
        let owner = client ?? welcome(caller)
        let link = SessionLink(path: path, owner: caller, dispatcher: dispatcher, flow: owner.flow, log: log)
        let session = make(identifier, link)
        let object = makeObject(session)
        link.object = object
        owner.sessions.append(path)
        sessions[path] = session
        dispatcher.add(object)
        if let message = dispatcher.interfacesAddedMessage(object, to: caller) { connection.send(message) }
        log.debug("session \(identifier) of \(caller.uniqueName), user \(user): \(options.reason)")
        changed()
        return session
    }

    /// Closes one session and tells its owner.
    func close(_ session: Session, _ reason: SessionClosedReason) {
        let path = session.link.path
        guard sessions[path] === session else { return }
        session.link.signal(LocateMeInterfaces.session1, "Closed", slot: "closed") { writer throws(BusError) in
            try writer.append(reason.rawValue)
        }
        if let object = dispatcher.object(at: path),
            let message = dispatcher.interfacesRemovedMessage(object, to: session.link.owner)
        {
            connection.send(message)
        }
        let name = session.link.owner.uniqueName
        release(session)
        if let client = clients[name] {
            client.sessions.removeAll { $0 == path }
            if client.sessions.isEmpty { forget(name) }
        }
        changed()
    }

    /// Closes all sessions and tells their owners.
    func closeAll(_ reason: SessionClosedReason) {
        for session in sessions.values { close(session, reason) }
    }

    /// Calls `body` once for each connection that has sessions, with one of them.
    func forEachClient(_ body: (Session) -> Void) {
        for client in clients.values {
            if let session = client.sessions.first.flatMap({ sessions[$0] }) { body(session) }
        }
    }

    // MARK: - Private

    private func welcome(_ caller: BusCaller) -> Client {
        let flow = PeerFlow(connection: connection, destination: caller.uniqueName)
        flow.onPingRefused = { [weak self] error in
            self?.log.warning(
                "the bus does not let this service ping its clients, so a client that does not read is not noticed: "
                    + error.text)
        }
        let client = Client(userID: caller.credentials.userID, flow: flow)
        clients[caller.uniqueName] = client
        let name = caller.uniqueName
        // Told at once if the caller has left meanwhile, so no session outlives its owner.
        client.watch = connection.watchName(name) { [weak self] owner in
            if owner == nil { self?.ownerLeft(name) }
        }
        return client
    }

    private func ownerLeft(_ name: String) {
        guard let client = clients[name] else { return }
        let left = client.sessions.compactMap { sessions[$0] }
        forget(name)
        for session in left { release(session) }
        log.debug("\(name) has left the bus, its \(left.count) sessions are closed")
        changed()
    }

    private func forget(_ name: String) {
        guard let client = clients.removeValue(forKey: name) else { return }
        client.watch?.cancel()
        client.flow.cancel()
    }

    private func release(_ session: Session) {
        sessions[session.link.path] = nil
        dispatcher.remove(session.link.path)
        ended(session)
        session.close()
    }
}
