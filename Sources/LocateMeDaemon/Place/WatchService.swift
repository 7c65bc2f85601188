internal import EventLoop
internal import LocateMeBusInterface
internal import LocateMeModel
internal import LocationEngine
internal import MessageBus

/// Significant changes and visits of all clients. What a client with a known application has asked for goes on after its
/// session and after a restart of the service; its events wait until they are acknowledged.
///
/// The sources run only now and then for it; a fix that somebody else's need has brought is looked at too.
final class WatchService {
    /// Called when watches have come or gone.
    var changed: () -> Void = {}
    private(set) var watches: [PlaceWatch] = []
    private let places: LocationService
    private let coarse: CoarsePlaces
    private let store: (any LocationStateStore)?
    private let loop: EventLoop
    private let log: Log

    /// Registrations without a session that one user may leave behind.
    static let maximumPerUser = 256

    init(
        places: LocationService, coarse: CoarsePlaces, store: (any LocationStateStore)?, loop: EventLoop, log: Log
    ) {
        self.places = places
        self.coarse = coarse
        self.store = store
        self.loop = loop
        self.log = log
    }

    /// Goes on with what was asked for in an earlier run.
    func restore() {
        guard let store else { return }
        do throws(StorageFailure) {
            for entry in try store.registrations() {
                let watch = make(entry.kind, entry.client, isKept: true, isCoarse: false)
                watch.significance.distance = entry.distance
                watch.significance.intervalSeconds = entry.intervalSeconds
                watch.significance.last = entry.lastFix.map(Self.dated)
                watch.visits = VisitDetector(current: entry.visit)
                watch.run()
            }
        } catch {
            log.warning("registrations for changes of place are not known: \(error)")
        }
    }

    /// A kept fix with the boot time that belongs to its real time, negative if it is from before the machine's start.
    static func dated(_ fix: Fix) -> Fix {
        var fix = fix
        let age = max(0, Clock.realMicroseconds() &- fix.realMicroseconds)
        fix.bootMicroseconds = Clock.bootMicroseconds() - age
        return fix
    }

    /// The watch of a session.
    func watch(_ kind: LocationEventKind, of session: Session) -> PlaceWatch? {
        watches.first { $0.kind == kind && $0.session === session }
    }

    /// Gives a new session what its application has asked for before, if no other session of it hears it.
    func attach(_ session: Session) {
        for watch in watches where watch.isKept && watch.client == session.client && watch.session == nil {
            watch.session = session
        }
    }

    /// The session is gone: what is not kept ends.
    func detach(_ session: Session) {
        for watch in watches where watch.session === session {
            watch.session = nil
            if !watch.isKept { remove(watch) }
        }
    }

    /// Starts, or goes on with other settings. `known` is a place to begin with.
    func start(
        _ kind: LocationEventKind, _ session: Session, isKept: Bool,
        distance: Double = SignificantChangeDetector.distance,
        intervalSeconds: UInt32 = SignificantChangeDetector.interval, known: Fix?
    ) throws(BusError) {
        let isKept = isKept && session.client.isKnown && store != nil
        let existing =
            watch(kind, of: session)
            ?? watches.first { isKept && $0.isKept && $0.kind == kind && $0.client == session.client }
        if existing == nil, isKept {
            let user = session.client.userID
            guard watches.count(where: { $0.isKept && $0.client.userID == user }) < Self.maximumPerUser else {
                throw BusError(.limitsExceeded, "one user may leave \(Self.maximumPerUser) registrations behind")
            }
        }
        let watch = existing ?? make(kind, session.client, isKept: isKept, isCoarse: session.location.isCoarse)
        watch.session = session
        watch.isCoarse = session.location.isCoarse
        watch.significance.distance = distance
        watch.significance.intervalSeconds = intervalSeconds
        keep(watch)
        watch.run()
        if existing == nil, let known { offer(known, to: watch) }
        changed()
    }

    /// Ends a session's watch, and what is kept of it.
    func stop(_ kind: LocationEventKind, _ session: Session) {
        guard let watch = watch(kind, of: session) else { return }
        remove(watch)
        guard watch.isKept, let store else { return }
        do throws(StorageFailure) {
            try store.removeRegistration(of: watch.client, kind: kind)
        } catch {
            log.warning("a registration will come back with the next start: \(error)")
        }
    }

    /// Takes the place of now.
    func take(_ update: PlaceUpdate) {
        guard !watches.isEmpty else { return }
        for watch in watches { offer(update.fix, to: watch) }
    }

    /// After a resume: the machine may be somewhere else.
    func hurry() {
        for watch in watches { watch.poll.hurry() }
    }

    /// Ends everything that runs; what is kept stays kept.
    func stopAll() {
        for watch in watches { watch.poll.stop() }
        watches = []
    }

    // MARK: - Queued events

    /// Events of a client that wait.
    func events(for client: ClientIdentity, after: UInt64, limit: UInt32) throws(BusError) -> [StoredEvent] {
        guard client.isKnown, let store else { return [] }
        do throws(StorageFailure) {
            return try store.events(for: client, after: after, limit: Int(min(limit, 1000)))
        } catch {
            throw BusError(.storageFailure, error.description)
        }
    }

    /// Forgets events up to a number; returns how many still wait.
    func acknowledge(for client: ClientIdentity, upTo: UInt64) throws(BusError) -> UInt32 {
        guard client.isKnown, let store else { return 0 }
        do throws(StorageFailure) {
            return UInt32(clamping: try store.acknowledge(for: client, upTo: upTo))
        } catch {
            throw BusError(.storageFailure, error.description)
        }
    }

    // MARK: - Private

    private func make(
        _ kind: LocationEventKind, _ client: ClientIdentity, isKept: Bool, isCoarse: Bool
    ) -> PlaceWatch {
        let watch = PlaceWatch(kind: kind, client: client, isKept: isKept, isCoarse: isCoarse, loop: loop)
        watch.poll.changed = { [weak self, weak watch] in
            guard let self, let watch else { return }
            places.setNeed(watch, watch.poll.isOpen)
        }
        watches.append(watch)
        return watch
    }

    private func remove(_ watch: PlaceWatch) {
        watches.removeAll { $0 === watch }
        watch.poll.stop()
        changed()
    }

    private func offer(_ fix: Fix, to watch: PlaceWatch) {
        // A kept fix is no look at where the device is now.
        if !fix.flags.contains(.cached) { watch.poll.close() }
        let fix = watch.isCoarse ? coarse.coarsen(fix, for: watch.client) : fix
        switch watch.kind {
        case .significantChange:
            if watch.significance.update(fix) { tell(StoredEvent(kind: .significantChange, fix: fix), of: watch) }
        case .visit:
            if let visit = watch.visits.update(fix) {
                tell(StoredEvent(kind: .visit, fix: fix, visit: visit), of: watch)
            }
        }
    }

    /// Keeps the event, then tells it: a number that was told is never given again.
    private func tell(_ event: StoredEvent, of watch: PlaceWatch) {
        var event = event
        watch.sequence += 1
        event.sequence = watch.sequence
        if watch.isKept, let store {
            do throws(StorageFailure) {
                event.sequence = try store.append(event, for: watch.client)
                watch.sequence = event.sequence
            } catch {
                log.warning("an event is told but not kept: \(error)")
            }
            keep(watch)
        }
        watch.session?.tell(event)
    }

    private func keep(_ watch: PlaceWatch) {
        guard watch.isKept, let store else { return }
        do throws(StorageFailure) {
            try store.save(watch.stored)
        } catch {
            log.warning("a registration for changes of place is not kept: \(error)")
        }
    }
}
