internal import EventLoop
public import LocateMeModel
public import MessageBus

/// Fixes from GeoClue 2 (org.freedesktop.GeoClue2, its D-Bus interface reference): networks and whatever else it has.
///
/// Speed and heading are left alone: up to 2.6 GeoClue computes them from two places without regard to the latitude and to
/// jumps between sources. It says nothing of who is refused before an agent is asked, so a call that stays unanswered is
/// given up after ten seconds and made again later.
public final class GeoCluePlaceSource: PlaceSource {
    /// What GeoClue's configuration and agents know this program by.
    public static let defaultDesktopIdentifier = "locateme"
    /// The best that GeoClue gives, `GCLUE_ACCURACY_LEVEL_EXACT`.
    private static let exact: UInt32 = 8
    private static let managerPath: ObjectPath = "/org/freedesktop/GeoClue2/Manager"
    private static let manager = "org.freedesktop.GeoClue2.Manager"
    private static let client = "org.freedesktop.GeoClue2.Client"
    private static let location = "org.freedesktop.GeoClue2.Location"

    /// Who hears of fixes and changes.
    public weak var placeListener: (any PlaceSourceListener)?
    /// Why nothing is delivered, in a sentence; nil while all is well or stopped.
    public private(set) var problem: String?

    private let connection: BusConnection
    private let desktopIdentifier: String
    private let caller: ServiceCaller
    private var isStarted = false
    private var state = SourceState.off
    private var clientPath: ObjectPath?
    private var presence: NameWatch?
    private var owner: String?
    private var updates: BusMatch?
    private var retry: LoopTimer?
    private var pause: RetryPause
    private var latest: (time: Int64, latitude: Double, longitude: Double)?

    /// A source that is stopped. `firstPause`: microseconds before the second attempt.
    public init(
        connection: BusConnection, desktopIdentifier: String = defaultDesktopIdentifier, firstPause: Int64 = 1_000_000
    ) {
        self.connection = connection
        self.desktopIdentifier = desktopIdentifier
        caller = ServiceCaller(connection: connection, destination: ServiceName.geoClue)
        pause = RetryPause(first: firstPause)
        retry = connection.loop.makeTimer { [weak self] in self?.begin() }
    }

    deinit {
        retry?.disarm()
        caller.cancel()
        presence?.cancel()
        updates?.cancel()
    }

    /// `geoclue`.
    public var placeState: SourceDescription { SourceDescription(id: "geoclue", kind: "geoclue", state: state) }

    /// Asks GeoClue for a client; the bus starts the service if it can.
    public func start() {
        guard !isStarted else { return }
        isStarted = true
        pause.reset()
        latest = nil
        change(to: .starting)
        presence = connection.watchName(ServiceName.geoClue) { [weak self] in self?.ownerChanged($0) }
        begin()
    }

    /// Gives the client back.
    public func stop() {
        guard isStarted else { return }
        isStarted = false
        presence?.cancel()
        presence = nil
        if let clientPath {
            caller.tell(clientPath, Self.client, "Stop")
            caller.tell(Self.managerPath, Self.manager, "DeleteClient", [.objectPath(clientPath)])
        }
        release()
        problem = nil
        change(to: .off)
    }

    // MARK: - Client

    private func ownerChanged(_ new: String?) {
        let old = owner
        owner = new
        guard isStarted, old != nil, new != old else { return }
        fail("GeoClue has left the bus")
    }

    private func begin() {
        guard isStarted, clientPath == nil else { return }
        caller.call(Self.managerPath, Self.manager, "GetClient") { [weak self] result in
            self?.continueWith(result) { message throws(BusError) in
                var reader = message.reader()
                self?.configure(try reader.readObjectPath())
            }
        }
    }

    private func configure(_ path: ObjectPath) {
        clientPath = path
        updates = connection.addMatch(
            BusMatchRule(
                sender: ServiceName.geoClue, interface: Self.client, member: "LocationUpdated", path: path)
        ) { [weak self] message in
            // The old location and the new one.
            guard let values = try? message.values(), values.count == 2, let path = values[1].objectPathValue else {
                return
            }
            self?.read(path)
        }
        let settings: [(String, BusValue)] = [
            ("DesktopId", .string(desktopIdentifier)), ("DistanceThreshold", .uint32(0)), ("TimeThreshold", .uint32(0)),
            ("RequestedAccuracyLevel", .uint32(Self.exact)),
        ]
        for (name, value) in settings {
            caller.set(path, Self.client, name, value) { [weak self] in self?.continueWith($0) { _ in } }
        }
        // Calls are answered in their order: by then the settings are known, or have failed.
        caller.call(path, Self.client, "Start") { [weak self] in
            self?.continueWith($0) { _ in self?.readPresent(path) }
        }
    }

    /// A client that was started before has a place already.
    private func readPresent(_ path: ObjectPath) {
        caller.properties(path, Self.client) { [weak self] result in
            guard case .success(let values) = result, let location = values["Location"]?.objectPathValue,
                location.text != "/"
            else { return }
            self?.read(location)
        }
    }

    private func continueWith(
        _ result: Result<BusMessage, BusError>, _ body: (BusMessage) throws(BusError) -> Void
    ) {
        guard isStarted else { return }
        do throws(BusError) {
            try body(try result.get())
        } catch {
            fail(Self.words(error))
        }
    }

    private static func words(_ error: BusError) -> String {
        switch error.code {
        case .serviceUnknown, .nameHasNoOwner: "GeoClue is not installed"
        case .accessDenied: "GeoClue refuses: \(error.text); allow it in /etc/geoclue"
        case .noReply, .timeout: "GeoClue does not answer; it may wait for an agent that lets this program in"
        default: "GeoClue fails: \(error.text)"
        }
    }

    private func fail(_ reason: String) {
        release()
        problem = reason
        let hadFix = state == .ok
        let new: SourceState = state == .ok || state == .lost ? .lost : .failed
        retry?.arm(afterMicroseconds: pause.take())
        if hadFix { placeListener?.placeSourceHasNoFix(self) }
        guard isStarted else { return }
        if new == state { placeListener?.placeSourceChanged(self) } else { change(to: new) }
    }

    private func release() {
        caller.cancel()
        updates?.cancel()
        updates = nil
        clientPath = nil
        retry?.disarm()
    }

    // MARK: - Places

    private func read(_ path: ObjectPath) {
        caller.properties(path, Self.location) { [weak self] result in
            // An old location is gone soon after the next one; that one is read then.
            guard let self, isStarted, case .success(let values) = result, let fix = Self.fix(values) else { return }
            // GeoClue tells one moment of a receiver twice.
            let now = (fix.realMicroseconds, fix.latitude, fix.longitude)
            if let latest, fix.realMicroseconds > 0, latest == now { return }
            latest = now
            pause.reset()
            problem = nil
            change(to: .ok)
            guard isStarted else { return }
            placeListener?.placeSource(self, delivered: fix)
        }
    }

    /// The fix, not validated; nil if the members have other types than the interface says. An accuracy of 0, which GeoClue
    /// gives for every good fix of a receiver, means unknown here as well.
    static func fix(_ values: [String: BusValue]) -> Fix? {
        guard let latitude = values["Latitude"]?.doubleValue, let longitude = values["Longitude"]?.doubleValue,
            let accuracy = values["Accuracy"]?.doubleValue
        else { return nil }
        var time: Int64 = 0
        if case .structure(let parts) = values["Timestamp"], parts.count == 2, case .uint64(let seconds) = parts[0],
            case .uint64(let micro) = parts[1], seconds < 253_402_300_800, micro < 1_000_000
        {
            time = Int64(seconds) * 1_000_000 + Int64(micro)
        }
        var fix = Fix(
            realMicroseconds: time, bootMicroseconds: Clock.bootMicroseconds(), latitude: latitude,
            longitude: longitude, horizontalAccuracy: accuracy)
        // The smallest double means unknown.
        let altitude = values["Altitude"]?.doubleValue ?? -.greatestFiniteMagnitude
        fix.altitude = altitude > -1e6 ? altitude : .nan
        fix.ellipsoidalAltitude = .nan
        fix.verticalAccuracy = fix.altitude.isNaN ? -1 : 0
        fix.source = "geoclue"
        return fix
    }

    private func change(to new: SourceState) {
        guard new != state else { return }
        state = new
        placeListener?.placeSourceChanged(self)
    }
}
