internal import EventLoop
internal import LocateMeModel
internal import LocationEngine

/// One registration for significant changes or visits: what it has seen, and who hears of it now.
final class PlaceWatch {
    let kind: LocationEventKind
    /// Whose it is.
    let client: ClientIdentity
    /// True if it goes on without a session and its events are kept.
    let isKept: Bool
    /// True if only coarse places may be told.
    var isCoarse: Bool
    /// Who hears; nil: nobody is there.
    weak var session: Session?
    var significance = SignificantChangeDetector()
    var visits = VisitDetector()
    /// Needs the place now and then.
    let poll: PollCycle
    /// The number of the last event of one that is not kept.
    var sequence: UInt64 = 0

    /// Seconds between looks for visits: three within the 300 s of an arrival.
    static let visitPollSeconds: UInt32 = 120
    /// Seconds between looks for changes at least.
    static let shortestPollSeconds: UInt32 = 60

    init(kind: LocationEventKind, client: ClientIdentity, isKept: Bool, isCoarse: Bool, loop: EventLoop) {
        self.kind = kind
        self.client = client
        self.isKept = isKept
        self.isCoarse = isCoarse
        poll = PollCycle(loop: loop)
    }

    /// Begins, or goes on with changed settings.
    func run() {
        switch kind {
        case .significantChange:
            poll.start(everySeconds: max(significance.intervalSeconds, Self.shortestPollSeconds))
        case .visit: poll.start(everySeconds: Self.visitPollSeconds)
        }
    }

    /// As it is kept.
    var stored: StoredRegistration {
        var entry = StoredRegistration(
            client: client, kind: kind, distance: significance.distance, intervalSeconds: significance.intervalSeconds)
        entry.lastFix = significance.last
        entry.visit = visits.current
        return entry
    }
}
