internal import EventLoop
internal import LocateMeBusInterface
internal import MessageBus

/// Keeps one session at the service open while something is wanted, and opens another when the service has been
/// restarted: with the same settings and updates as before.
final class SessionKeeper {
    /// A session as the service knows it.
    struct Open: Hashable {
        let path: ObjectPath
        /// Unique name of the service that has made it: a successor does not know it.
        let service: String
    }

    private enum State {
        /// No session, none wanted.
        case idle
        /// `CreateSession` is under way.
        case opening(PendingCall?)
        /// There is a session; the match hears its signals.
        case open(Open, BusMatch)
        /// The service is not there; another try follows when it appears.
        case waiting
    }

    /// Signals of the session.
    var onSignal: (BusMessage) -> Void = { _ in }
    /// Settings or starts that failed, and sessions that could not be opened.
    var onFailure: (LocateMeError) -> Void = { _ in }
    /// True: a session was opened. False: the service is gone.
    var onServiceChange: (Bool) -> Void = { _ in }

    /// A crashed service is asked for again after so long, in case the bus can start it; if that fails, it is waited
    /// for. Found by trial: systemd needs about 100 ms to restart a unit.
    private static let retryMicroseconds: Int64 = 500_000

    private let client: LocateMeClient
    private let options: SessionOptions
    private var state = State.idle
    private var settings: [(interface: String, property: String, value: BusValue)] = []
    private var running: [String] = []
    /// Arguments of Start, where it has any.
    private var startArguments: [String: [BusValue]] = [:]
    private var requests: [(Result<Open, LocateMeError>) -> Void] = []
    private var retry: LoopTimer?
    private var service: NameWatch?

    init(client: LocateMeClient, options: SessionOptions) {
        self.client = client
        self.options = options
        client.register(self)
        service = client.connection.watchName(LocateMeBus.name) { [weak self] in self?.serviceChanged($0) }
    }

    deinit {
        close()
        service?.cancel()
    }

    /// The session, nil while there is none.
    var open: Open? {
        if case .open(let session, _) = state { session } else { nil }
    }

    // MARK: - What is wanted

    /// Remembers a setting and puts it in force.
    func set(_ interface: String, _ property: String, _ value: BusValue) {
        settings.removeAll { $0.interface == interface && $0.property == property }
        settings.append((interface, property, value))
        if let open { apply(interface, property, value, to: open) }
    }

    /// Starts the updates of an interface, now and after each restart of the service.
    func start(_ interface: String, arguments: [BusValue] = []) {
        startArguments[interface] = arguments
        if !running.contains(interface) { running.append(interface) }
        if let open { callStart(interface, open) } else { need() }
    }

    /// Stops the updates of an interface.
    func stop(_ interface: String) {
        guard let index = running.firstIndex(of: interface) else { return }
        running.remove(at: index)
        callStop(interface)
    }

    /// Stops what may go on from an earlier run of the program, opening a session for it if there is none.
    func stopKept(_ interface: String) {
        running.removeAll { $0 == interface }
        withSession { [weak self] result in
            switch result {
            case .success: self?.callStop(interface)
            case .failure(let error): self?.report(error)
            }
        }
    }

    private func callStop(_ interface: String) {
        guard let open else { return }
        client.call(open.path, interface, "Stop", destination: open.service) { [weak self] result in
            self?.report(result)
        }
    }

    /// Calls `body` with a session, opening one if there is none; with the error if that fails.
    func withSession(_ body: @escaping (Result<Open, LocateMeError>) -> Void) {
        if let open {
            body(.success(open))
        } else {
            requests.append(body)
            need()
        }
    }

    func readProperties(
        _ interface: String, _ reply: @escaping (Result<[String: BusValue], LocateMeError>) -> Void
    ) {
        withSession { [weak self] result in
            switch result {
            case .failure(let error): reply(.failure(error))
            case .success(let open):
                self?.client.properties(open.path, interface, { $0 }, destination: open.service, reply)
            }
        }
    }

    /// Ends the session and wants nothing more.
    func close() {
        running = []
        requests = []
        retry?.disarm()
        switch state {
        case .idle, .waiting: break
        case .opening(let call):
            // A session that is made all the same ends with this client's connection.
            call?.cancel()
        case .open(let session, let match):
            match.cancel()
            client.call(session.path, LocateMeInterfaces.session1.name, "Close", destination: session.service) { _ in }
        }
        state = .idle
    }

    // MARK: - Opening

    private func need() {
        switch state {
        case .opening, .open: return
        case .idle, .waiting: break
        }
        retry?.disarm()
        state = .opening(nil)
        let call = client.call(
            LocateMeBus.managerPath, LocateMeInterfaces.manager1.name, "CreateSession",
            [.dictionary(options.dictionary)]
        ) { [weak self] in self?.created($0) }
        state = .opening(call)
    }

    private func created(_ result: Result<BusMessage, BusError>) {
        let sender = if case .success(let message) = result { message.sender } else { String?.none }
        switch result.decoded({ reader throws(BusError) in try reader.readObjectPath() }) {
        case .failure(let error):
            state = error.code == .noService ? .waiting : .idle
            // It is there, but did not answer: its name will not change, so try again.
            if error.code == .noService, service?.owner != nil { armRetry() }
            onFailure(error)
            let failed = requests
            requests = []
            for request in failed { request(.failure(error)) }
        case .success(let path):
            begin(Open(path: path, service: sender ?? LocateMeBus.name))
        }
    }

    private func begin(_ session: Open) {
        let rule = BusMatchRule(sender: session.service, path: session.path)
        let match = client.connection.addUnicastMatch(rule) { [weak self] in self?.received($0) }
        state = .open(session, match)
        for setting in settings { apply(setting.interface, setting.property, setting.value, to: session) }
        for interface in running { callStart(interface, session) }
        onServiceChange(true)
        let waiting = requests
        requests = []
        for request in waiting { request(.success(session)) }
    }

    private func apply(_ interface: String, _ property: String, _ value: BusValue, to session: Open) {
        client.set(session.path, interface, property, value, destination: session.service) { [weak self] result in
            if case .failure(let error) = result { self?.report(error) }
        }
    }

    private func callStart(_ interface: String, _ session: Open) {
        client.call(
            session.path, interface, "Start", startArguments[interface] ?? [], destination: session.service
        ) { [weak self] result in
            self?.report(result)
        }
    }

    private func report(_ result: Result<BusMessage, BusError>) {
        if case .failure(let error) = result { report(LocateMeError(error)) }
    }

    /// The service's end is told by `onServiceChange`, not by every call that it left unanswered.
    private func report(_ error: LocateMeError) {
        if error.code != .noService, error.code != .noBus { onFailure(error) }
    }

    // MARK: - Losing

    private func received(_ message: BusMessage) {
        if message.interface == LocateMeInterfaces.session1.name, message.member == "Closed" {
            closedByService(message)
        } else {
            onSignal(message)
        }
    }

    private func closedByService(_ message: BusMessage) {
        var reader = message.reader()
        let reason = (try? reader.readUInt32()).flatMap(SessionClosedReason.init) ?? .unknown
        switch reason {
        case .serviceStops:
            // The name follows, and with it the wait for another service.
            return
        case .closed, .unknown:
            end(to: .idle)
        case .permissionWithdrawn:
            running = []
            end(to: .idle)
            onFailure(LocateMeError(.denied, "the permission was withdrawn"))
        }
    }

    private func end(to next: State) {
        if case .open(_, let match) = state { match.cancel() }
        state = next
    }

    private func serviceChanged(_ owner: String?) {
        if let open, open.service != owner {
            end(to: .waiting)
            onServiceChange(false)
            armRetry()
        }
        if owner != nil, case .waiting = state, !running.isEmpty { need() }
    }

    private func armRetry() {
        guard !running.isEmpty else { return }
        let timer =
            retry
            ?? client.loop.makeTimer { [weak self] in
                guard let self, case .waiting = state, !running.isEmpty else { return }
                need()
            }
        retry = timer
        timer.arm(afterMicroseconds: Self.retryMicroseconds)
    }

    /// The bus has ended.
    func busIsGone() {
        retry?.disarm()
        end(to: .idle)
        let error = LocateMeError(.noBus, "the message bus has ended")
        onFailure(error)
        let failed = requests
        requests = []
        for request in failed { request(.failure(error)) }
    }
}
