/// What of places outlives a run of the service.
public protocol LocationStateStore: AnyObject {
    /// The last fix of a receiver, nil if none was kept. Its boot time is 0.
    func lastFix() throws(StorageFailure) -> Fix?
    /// Keeps a fix in place of the one before; nil forgets it.
    func save(lastFix: Fix?) throws(StorageFailure)
    /// All registrations.
    func registrations() throws(StorageFailure) -> [StoredRegistration]
    /// Keeps a registration in place of the same client's of the same kind.
    func save(_ registration: StoredRegistration) throws(StorageFailure)
    /// Forgets a registration.
    func removeRegistration(of client: ClientIdentity, kind: LocationEventKind) throws(StorageFailure)
    /// Keeps an event and gives it the client's next number, both or neither.
    func append(_ event: StoredEvent, for client: ClientIdentity) throws(StorageFailure) -> UInt64
    /// Events with a number above `after`, oldest first, at most `limit`.
    func events(for client: ClientIdentity, after: UInt64, limit: Int) throws(StorageFailure) -> [StoredEvent]
    /// Forgets events up to a number; returns how many are left.
    func acknowledge(for client: ClientIdentity, upTo: UInt64) throws(StorageFailure) -> Int
    /// The secret by which places are coarsened for a client and UTC in µs since the Unix epoch when it began to hold;
    /// what is given is kept if there was none.
    func coarseSecret(
        for client: ClientIdentity, ifNone: (secret: UInt64, beginning: Int64)
    ) throws(StorageFailure) -> (secret: UInt64, beginning: Int64)
    /// The policy of an application; nil: the standard one.
    func policy(for client: ClientIdentity) throws(StorageFailure) -> StoredPolicy?
    /// Keeps a policy in place of the one before; nil forgets it.
    func save(_ policy: StoredPolicy?, for client: ClientIdentity) throws(StorageFailure)
}

/// Kinds of events that are queued for a client: numbers of `Session1.PendingEvents`.
public enum LocationEventKind: UInt32, Hashable, Sendable, CaseIterable {
    /// A significant change.
    case significantChange = 2
    /// A visit.
    case visit = 4
}

/// A service that a client wants to go on after its session.
public struct StoredRegistration: Hashable, Sendable {
    /// Whose it is.
    public var client: ClientIdentity
    /// What it is.
    public var kind: LocationEventKind
    /// Metres, of a significant change.
    public var distance: Double
    /// Seconds, of a significant change.
    public var intervalSeconds: UInt32
    /// What was told last; nil: nothing. Its boot time is 0 when it was read.
    public var lastFix: Fix?
    /// The visit that lasts; nil: none.
    public var visit: Visit?

    /// A registration that has told nothing.
    public init(client: ClientIdentity, kind: LocationEventKind, distance: Double = 500, intervalSeconds: UInt32 = 300)
    {
        self.client = client
        self.kind = kind
        self.distance = distance
        self.intervalSeconds = intervalSeconds
    }
}

/// Something that has happened and that the client has not acknowledged.
public struct StoredEvent: Hashable, Sendable {
    /// The client's running number; 0: not numbered yet.
    public var sequence: UInt64
    /// What happened.
    public var kind: LocationEventKind
    /// Where.
    public var fix: Fix
    /// The visit, of a visit.
    public var visit: Visit?

    /// An event.
    public init(sequence: UInt64 = 0, kind: LocationEventKind, fix: Fix, visit: Visit? = nil) {
        self.sequence = sequence
        self.kind = kind
        self.fix = fix
        self.visit = visit
    }
}

/// An application's policy as it is kept: the numbers of `Power1`, 0 for the standard.
public struct StoredPolicy: Hashable, Sendable {
    /// Key `BackgroundMode`.
    public var background: UInt32
    /// Key `OnBattery`.
    public var onBattery: UInt32
    /// Key `LowBattery`.
    public var onLowBattery: UInt32

    /// A policy.
    public init(background: UInt32 = 0, onBattery: UInt32 = 0, onLowBattery: UInt32 = 0) {
        self.background = background
        self.onBattery = onBattery
        self.onLowBattery = onLowBattery
    }
}
