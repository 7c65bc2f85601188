internal import EventLoop
internal import LocateMeBusInterface
internal import LocateMeModel
internal import MessageBus

/// Decides what callers may do.
///
/// Root, the user that the daemon runs as, and on a session bus (which is one user's own) everybody: everything. All
/// others: what polkit says. Where there is no polkit, the user of the active session at the seat may do what concerns
/// places and calibration, and nobody else anything. Where polkit is silent, nothing is allowed; nobody waits longer than
/// some seconds.
///
/// Answers are remembered per connection until polkit says that it may think differently or another session becomes the
/// active one; that polkit did not answer is not remembered.
final class Authorizer {
    /// An answer.
    enum Decision: Hashable {
        case allowed
        case denied
        /// The user would have to be asked.
        case open
        /// Polkit gave no answer: refused this time.
        case unanswered
    }

    private struct Question: Hashable {
        var caller: String
        var action: PolicyAction
    }

    /// Called when answers may have become others.
    var changed: () -> Void = {}

    private let trust: LocationPermission
    private let checker: (any AuthorityChecker)?
    private let log: Log
    private var known: [Question: Decision] = [:]
    private var grants: [String: LocationGrant] = [:]
    private var waiting: [Question: [(Decision) -> Void]] = [:]

    /// How long polkit may think where nobody is asked.
    private static let patienceMilliseconds: Int32 = 5000
    /// How long the user may think.
    private static let askMilliseconds: Int32 = 120_000
    /// Past it all are forgotten and asked for again.
    private static let maximumKnown = 4096

    init(trust: LocationPermission, checker: (any AuthorityChecker)?, log: Log) {
        self.trust = trust
        self.checker = checker
        self.log = log
        checker?.authorityChanged = { [weak self] in
            guard let self else { return }
            known = [:]
            grants = [:]
            changed()
        }
    }

    /// What is known of a caller's permission without asking; nil: nothing.
    func knownGrant(_ caller: BusCaller) -> LocationGrant? {
        trust.allows(caller) ? .full : grants[caller.uniqueName]
    }

    /// True if it was found out that a caller may do something.
    func isKnownToAllow(_ caller: BusCaller, _ action: PolicyAction) -> Bool {
        trust.allows(caller) || known[Question(caller: caller.uniqueName, action: action)] == .allowed
    }

    /// Finds out what a caller may know of the place; at once if that is known.
    func grant(_ caller: BusCaller, mayAsk: Bool = false, reply: @escaping (LocationGrant) -> Void) {
        if let grant = knownGrant(caller), !mayAsk || grant.status != .notDetermined { return reply(grant) }
        decide(caller, .precise, mayAsk: mayAsk) { [weak self] precise in
            guard let self else { return }
            if precise == .allowed { return settle(caller, .full, reply) }
            decide(caller, .reduced, mayAsk: mayAsk) { reduced in
                if reduced == .allowed { return self.settle(caller, .reduced, reply) }
                if precise == .unanswered || reduced == .unanswered { return reply(.denied) }
                let isOpen = precise == .open || reduced == .open
                self.finish(caller, isOpen ? .undetermined : .denied, reply)
            }
        }
    }

    /// Decides on one action.
    func decide(
        _ caller: BusCaller, _ action: PolicyAction, mayAsk: Bool = false, reply: @escaping (Decision) -> Void
    ) {
        if trust.allows(caller) { return reply(.allowed) }
        let question = Question(caller: caller.uniqueName, action: action)
        if let decision = known[question], !mayAsk || decision != .open { return reply(decision) }
        guard let checker else { return reply(.denied) }
        if !mayAsk {
            if waiting[question] != nil {
                waiting[question]?.append(reply)
                return
            }
            waiting[question] = [reply]
        }
        checker.check(
            caller.uniqueName, action: action.rawValue, mayAsk: mayAsk,
            timeoutMilliseconds: mayAsk ? Self.askMilliseconds : Self.patienceMilliseconds
        ) { [weak self] answer in
            self?.answered(answer, question, caller, mayAsk ? reply : nil)
        }
    }

    /// Lets a call go on if its caller may do something, and fails it otherwise.
    func require(_ action: PolicyAction, of call: BusCall, _ body: @escaping () -> Void) {
        decide(call.caller, action, mayAsk: true) { decision in
            guard decision == .allowed else {
                return call.fail(
                    BusError(.accessDenied, "this user may not do that; it needs the polkit action \(action.rawValue)"))
            }
            body()
        }
    }

    // MARK: - Private

    private func settle(
        _ caller: BusCaller, _ accuracy: AccuracyAuthorization, _ reply: @escaping (LocationGrant) -> Void
    ) {
        decide(caller, .background) { [weak self] background in
            let status: AuthorizationStatus = background == .allowed ? .always : .whenInUse
            self?.finish(caller, LocationGrant(status: status, accuracy: accuracy), reply)
        }
    }

    private func finish(
        _ caller: BusCaller, _ grant: LocationGrant, _ reply: @escaping (LocationGrant) -> Void
    ) {
        if grants.count >= Self.maximumKnown { grants = [:] }
        grants[caller.uniqueName] = grant
        reply(grant)
    }

    private func answered(
        _ answer: AuthorityAnswer, _ question: Question, _ caller: BusCaller, _ reply: ((Decision) -> Void)?
    ) {
        switch answer {
        case .yes: conclude(.allowed, question, reply)
        case .no: conclude(.denied, question, reply)
        case .challenge: conclude(.open, question, reply)
        case .failed(let text):
            log.warning("\(text); what needs its word is refused")
            conclude(.unanswered, question, reply)
        case .absent:
            log.warning(
                "there is no polkit on the bus: only root and the user of the active session may know places and calibrate"
            )
            guard question.action.isForActiveUser, let checker else { return conclude(.denied, question, reply) }
            checker.activeUser { [weak self] user in
                self?.conclude(user == caller.credentials.userID ? .allowed : .denied, question, reply)
            }
        }
    }

    private func conclude(_ decision: Decision, _ question: Question, _ reply: ((Decision) -> Void)?) {
        if decision != .unanswered {
            if known.count >= Self.maximumKnown { known = [:] }
            known[question] = decision
        }
        reply?(decision)
        // Those who came meanwhile hear the same.
        guard reply == nil, let others = waiting.removeValue(forKey: question) else { return }
        for other in others { other(decision) }
    }
}
