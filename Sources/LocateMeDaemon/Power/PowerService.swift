internal import LocateMeBusInterface
internal import LocateMeModel
internal import LocationEngine
internal import MessageBus

/// What feeds the machine, and what each application gets for it.
final class PowerService {
    /// Called when the power or a policy has changed.
    var changed: () -> Void = {}
    private let monitor: (any PowerMonitor)?
    private let store: (any LocationStateStore)?
    private let log: Log
    private var policies: [ClientIdentity: StoredPolicy?] = [:]

    /// The user number under which an administrator's policy for all users is kept.
    static let everybody = UInt32.max

    init(monitor: (any PowerMonitor)?, store: (any LocationStateStore)?, log: Log) {
        self.monitor = monitor
        self.store = store
        self.log = log
        monitor?.readingChanged = { [weak self] in self?.changed() }
    }

    /// Without anybody who could tell, power is external.
    var state: PowerState { monitor?.reading.state ?? .external }
    /// The profile that the user chose, empty if nobody knows.
    var profile: String { monitor?.reading.profile ?? "" }

    /// Reads the power again, after the machine has slept.
    func refresh() { monitor?.refresh() }

    /// What a client gets.
    func duty(of client: ClientIdentity, isForeground: Bool) -> LocationDuty {
        Self.policy(policy(of: client)).duty(power: state, isForeground: isForeground)
    }

    /// The policy in force for a client: its user's own, else the administrator's, else the standard.
    func policy(of client: ClientIdentity) -> StoredPolicy {
        kept(client) ?? kept(ClientIdentity(userID: Self.everybody, applicationID: client.applicationID))
            ?? StoredPolicy()
    }

    /// Keeps a policy. Throws `.storageFailure`; it is in force all the same until the end of this run.
    func set(_ policy: StoredPolicy, for client: ClientIdentity) throws(BusError) {
        policies[client] = .some(policy)
        changed()
        guard let store else { return }
        do throws(StorageFailure) {
            try store.save(policy == StoredPolicy() ? nil : policy, for: client)
        } catch {
            throw BusError(.storageFailure, "the policy holds until the service ends: \(error)")
        }
    }

    // MARK: - Meaning

    /// The engine's policy of a kept one.
    static func policy(_ stored: StoredPolicy) -> PowerPolicy {
        var policy = PowerPolicy()
        policy.background = BackgroundMode(rawValue: stored.background) ?? .standard
        policy.onBattery = duty(stored.onBattery)
        policy.onLowBattery = duty(stored.onLowBattery)
        return policy
    }

    /// Numbers of the keys `OnBattery` and `LowBattery`: 0 as the table says, 1 everything, 2 at a reduced rate,
    /// 3 significant changes only, 4 nothing.
    private static func duty(_ number: UInt32) -> LocationDuty? {
        switch number {
        case 1: .continuous
        case 2: .reduced(seconds: 60)
        case 3: .significant
        case 4: .paused
        default: nil
        }
    }

    /// True if a policy gives nowhere more than another: an application may always ask for less.
    static func isNarrower(_ one: StoredPolicy, than other: StoredPolicy) -> Bool {
        let (one, other) = (policy(one), policy(other))
        return [PowerState.external, .battery, .low].allSatisfy { power in
            rank(one.duty(power: power, isForeground: false)) <= rank(other.duty(power: power, isForeground: false))
        }
    }

    private static func rank(_ duty: LocationDuty) -> UInt64 {
        switch duty {
        case .paused: 0
        case .significant: 1
        case .periodic(let seconds): 2_000_000_000 / UInt64(max(seconds, 1))
        case .reduced(let seconds): 3_000_000_000_000 / UInt64(max(seconds, 1))
        case .continuous: .max
        }
    }

    private func kept(_ client: ClientIdentity) -> StoredPolicy? {
        if let known = policies[client] { return known }
        guard client.isKnown, let store else { return nil }
        if policies.count >= 1024 { policies = [:] }
        do throws(StorageFailure) {
            let found = try store.policy(for: client)
            policies[client] = .some(found)
            return found
        } catch {
            log.warning("the policy of an application is not known, the standard holds: \(error)")
            return nil
        }
    }
}
