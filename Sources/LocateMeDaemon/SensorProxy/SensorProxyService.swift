internal import DeviceOrientation
internal import EventLoop
internal import Geometry
internal import HeadingEstimation
internal import LocateMeBusInterface
internal import LocateMeModel
internal import MessageBus

/// `net.hadess.SensorProxy`, so that desktops and programs that know iio-sensor-proxy get heading, screen rotation, light
/// and proximity from this service without being changed.
///
/// Unlike the original, claims outlive unplugging, a claim is answered within 2 s whatever the device does, nobody is
/// sent what it has not claimed, no signal is empty, and the service stays when the last sensor goes.
final class SensorProxyService {
    /// Called when somebody begins or ends to need sensors.
    var needsChanged: () -> Void = {}
    private let connection: BusConnection
    private let dispatcher: ObjectDispatcher
    private let headings: HeadingService
    private let ambient: (any AmbientSensorSource)?
    private let authorizer: Authorizer
    private let store: (any ClaimStore)?
    private let loop: EventLoop
    private let log: Log
    private var values = SensorProxyValues()
    private var tables: [SensorProxyKind: ClaimTable] = [:]
    private var clients: [String: Client] = [:]
    private var mainObject: ExportedObject?
    private var compassObject: ExportedObject?
    private var nameWatch: NameWatch?
    /// Kinds that have delivered since they were claimed.
    private var readings: Set<SensorProxyKind> = []
    private var tracker = OrientationTracker()
    private var reference = HeadingReference()
    private var lastHeadingTold: Int64 = .min
    private var hasTakenUp = false
    private var keptClaims: [StoredClaims.Claim]?
    private let compassNeed = Need()

    /// A claimant's connection.
    private final class Client {
        let flow: PeerFlow
        var watch: NameWatch?

        init(flow: PeerFlow) { self.flow = flow }
    }

    /// Something that can stand for a need at `HeadingService`.
    private final class Need {}

    /// Headings go out at most this often, in µs.
    private static let headingPause: Int64 = 50_000
    private static let compassHertz = 20.0
    private static let rotationHertz = 10.0
    /// Connections that may hold claims, and of one user.
    private static let maximumClients = 512
    private static let maximumClientsOfUser = 64

    init(
        connection: BusConnection, dispatcher: ObjectDispatcher, headings: HeadingService,
        ambient: (any AmbientSensorSource)?, authorizer: Authorizer, store: (any ClaimStore)?, loop: EventLoop,
        log: Log
    ) {
        self.connection = connection
        self.dispatcher = dispatcher
        self.headings = headings
        self.ambient = ambient
        self.authorizer = authorizer
        self.store = store
        self.loop = loop
        self.log = log
        for kind in SensorProxyKind.allCases {
            let table = ClaimTable(loop: loop)
            table.demandChanged = { [weak self] in self?.demandChanged(kind, $0) }
            tables[kind] = table
        }
        ambient?.ambientListener = self
    }

    /// True while somebody has claimed a sensor.
    var isInUse: Bool { tables.values.contains { $0.isClaimed } }

    /// Puts the objects on the bus and asks for the name; if another has it and does not give it away, waits for it.
    func start() throws(BusError) {
        refreshAvailability()
        let values = { [unowned self] in self.values }
        let claim = { [unowned self] (kind: SensorProxyKind, call: BusCall) in
            whenAllowed(call) { $0.claim(kind, call) }
        }
        let release = { [unowned self] (kind: SensorProxyKind, call: BusCall) in
            whenAllowed(call) { $0.release(kind, call) }
        }
        let main = SensorProxyObjects.main(values: values, claim: claim, release: release)
        let compass = SensorProxyObjects.compass(values: values, claim: claim, release: release)
        dispatcher.add(main)
        dispatcher.add(compass)
        mainObject = main
        compassObject = compass
        nameWatch = connection.watchName(SensorProxyObjects.busName) { [weak self] owner in
            guard let self else { return }
            if owner == connection.uniqueName {
                log.info("serving \(SensorProxyObjects.busName)")
                takeUpClaims()
            } else if let owner {
                log.warning(
                    "\(SensorProxyObjects.busName) belongs to connection \(owner), waiting for it; stop iio-sensor-proxy"
                )
            }
        }
        try connection.queueForName(SensorProxyObjects.busName)
    }

    // MARK: - What callers do

    /// As the original: nobody is asked, and who may not claim may not release either.
    private func whenAllowed(_ call: BusCall, _ body: @escaping (SensorProxyService) -> Void) {
        authorizer.decide(call.caller, .claimSensor) { [weak self] decision in
            guard let self else { return }
            guard decision == .allowed else {
                return call.fail(
                    BusError(
                        .accessDenied,
                        "Not Authorized: this user may not claim sensors; it needs the polkit action \(PolicyAction.claimSensor.rawValue)"
                    ))
            }
            body(self)
        }
    }

    private func claim(_ kind: SensorProxyKind, _ call: BusCall) {
        guard let table = tables[kind] else { return }
        do throws(BusError) {
            try welcome(call.caller)
        } catch {
            return call.fail(error)
        }
        table.claim(call.caller)
        keepClaims()
        if readings.contains(kind) {
            // A proxy object that was made before the first claim still has the values of that time.
            tell(SensorProxyValues.readings(of: kind), of: kind, to: call.caller)
            call.reply()
        } else if values.has(kind) {
            table.wait(call)
        } else {
            call.reply()
        }
    }

    private func release(_ kind: SensorProxyKind, _ call: BusCall) {
        tables[kind]?.release(call.caller.uniqueName)
        keepClaims()
        if !tables.values.contains(where: { $0.claimants[call.caller.uniqueName] != nil }) {
            forget(call.caller.uniqueName)
        }
        call.reply()
    }

    private func welcome(_ caller: BusCaller) throws(BusError) {
        guard clients[caller.uniqueName] == nil else { return }
        let ofUser = tables.values.reduce(into: Set<String>()) { names, table in
            for claimant in table.claimants.values where claimant.credentials.userID == caller.credentials.userID {
                names.insert(claimant.uniqueName)
            }
        }
        guard clients.count < Self.maximumClients, ofUser.count < Self.maximumClientsOfUser else {
            throw BusError(.limitsExceeded, "too many programs have claimed sensors")
        }
        let name = caller.uniqueName
        let client = Client(flow: PeerFlow(connection: connection, destination: name))
        clients[name] = client
        client.watch = connection.watchName(name) { [weak self] owner in
            guard owner == nil, let self else { return }
            for table in tables.values { table.release(name) }
            forget(name)
            keepClaims()
        }
    }

    private func forget(_ name: String) {
        guard let client = clients.removeValue(forKey: name) else { return }
        client.watch?.cancel()
        client.flow.cancel()
    }

    // MARK: - Over a restart

    /// Claims again for those that had claimed when the service ended, if they are there still and may: programs such as
    /// GeoClue claim once and never look who has the name.
    private func takeUpClaims() {
        guard !hasTakenUp else { return }
        hasTakenUp = true
        guard let kept = store?.load().flatMap(StoredClaims.init), kept.bus == connection.busIdentity else { return }
        for claim in kept.claims {
            connection.credentials(of: claim.uniqueName) { [weak self] result in
                // A failure means that it is gone.
                guard let self, case .success(let credentials) = result else { return }
                let caller = BusCaller(uniqueName: claim.uniqueName, credentials: credentials)
                authorizer.decide(caller, .claimSensor) { decision in
                    guard decision == .allowed, (try? self.welcome(caller)) != nil else { return }
                    self.tables[claim.kind]?.claim(caller)
                    self.keepClaims()
                }
            }
        }
    }

    private func keepClaims() {
        // What another owner of the name has been told is its own; what was kept is not lost before it is taken up.
        guard let store, hasTakenUp else { return }
        let claims = SensorProxyKind.allCases.flatMap { kind in
            (tables[kind]?.claimants.keys.sorted() ?? []).map { StoredClaims.Claim(kind: kind, uniqueName: $0) }
        }
        guard claims != keptClaims else { return }
        keptClaims = claims
        do throws(StorageFailure) {
            try store.save(StoredClaims(bus: connection.busIdentity, claims: claims).text)
        } catch {
            log.warning("claims will not outlive a restart: \(error)")
        }
    }

    // MARK: - Sensors

    private func demandChanged(_ kind: SensorProxyKind, _ isWanted: Bool) {
        switch kind {
        case .compass:
            headings.setNeed(compassNeed, rateHertz: isWanted ? Self.compassHertz : nil) { [weak self] in
                guard let self, readings.contains(.compass) else { return .none }
                return HeadingPatience(untilBootMicroseconds: lastHeadingTold + Self.headingPause)
            }
            if !isWanted { values.heading = -1 }
        case .accelerometer:
            tracker = OrientationTracker()
            values.orientation = .undefined
            values.tilt = .undefined
            headings.setForceNeed(rateHertz: isWanted ? Self.rotationHertz : nil)
        case .light:
            if isWanted { ambient?.start(.light) } else { ambient?.stop(.light) }
        case .proximity:
            if isWanted { ambient?.start(.proximity) } else { ambient?.stop(.proximity) }
            values.isNear = false
        }
        if !isWanted { readings.remove(kind) }
        needsChanged()
    }

    /// Takes an accelerometer sample.
    func take(force: Vector3, bootMicroseconds: Int64) {
        guard tables[.accelerometer]?.isClaimed == true else { return }
        guard tracker.update(force, bootMicroseconds: bootMicroseconds) else { return }
        var changed = values
        changed.orientation = tracker.orientation
        changed.tilt = tracker.tilt
        tell(changed, of: .accelerometer)
    }

    /// Takes an estimate of the heading.
    func take(_ estimate: HeadingEstimate) {
        guard let table = tables[.compass], table.isClaimed else { return }
        let isFirst = !readings.contains(.compass)
        guard isFirst || estimate.bootMicroseconds - lastHeadingTold >= Self.headingPause else { return }
        let heading = HeadingComposer.heading(
            of: estimate, reference: &reference, orientation: .portrait, earthField: nil, model: "",
            realMicroseconds: 0)
        guard heading.accuracy >= 0 || !isFirst else { return }
        lastHeadingTold = estimate.bootMicroseconds
        var changed = values
        changed.heading = heading.accuracy >= 0 ? Angle.wrap360((heading.magnetic * 10).rounded() / 10) : -1
        tell(changed, of: .compass)
    }

    /// Headings do not come any more, for now.
    func loseHeading() {
        guard values.heading >= 0 else { return }
        var changed = values
        changed.heading = -1
        send(changed, of: .compass)
    }

    /// Sensors have come or gone.
    func refreshAvailability() {
        var changed = values
        changed.hasAccelerometer = headings.source.hasOrientationSensor
        changed.hasCompass = headings.isAvailable
        changed.hasLight = ambient?.kinds.contains(.light) ?? false
        changed.hasProximity = ambient?.kinds.contains(.proximity) ?? false
        // A scan that is under way must not look like sensors that are gone.
        if headings.source.isDiscovering {
            changed.hasAccelerometer = changed.hasAccelerometer || values.hasAccelerometer
            changed.hasCompass = changed.hasCompass || values.hasCompass
        }
        if !changed.hasAccelerometer {
            tracker = OrientationTracker()
            changed.orientation = .undefined
            changed.tilt = .undefined
        }
        if !changed.hasCompass { changed.heading = -1 }
        if !changed.hasProximity { changed.isNear = false }
        for kind in SensorProxyKind.allCases {
            let isGone = values.has(kind) && !changed.has(kind)
            send(changed, of: kind)
            guard isGone else { continue }
            readings.remove(kind)
            // Nobody is left waiting for what is gone; the claim stays for when it comes back.
            tables[kind]?.answerWaiting()
        }
    }

    // MARK: - Telling

    /// Tells a reading, then answers the claims that waited for it.
    private func tell(_ changed: SensorProxyValues, of kind: SensorProxyKind) {
        readings.insert(kind)
        send(changed, of: kind)
        tables[kind]?.answerWaiting()
    }

    /// Puts the values of one kind in force and tells its claimants what changed.
    private func send(_ changed: SensorProxyValues, of kind: SensorProxyKind) {
        let names = values.changes(to: changed, of: kind)
        guard !names.isEmpty else { return }
        values.take(changed, of: kind)
        guard let table = tables[kind] else { return }
        for claimant in table.claimants.values { tell(names, of: kind, to: claimant) }
    }

    private func tell(_ names: [String], of kind: SensorProxyKind, to claimant: BusCaller) {
        let interface =
            kind == .compass ? LocateMeInterfaces.sensorProxyCompass.name : LocateMeInterfaces.sensorProxy.name
        guard let object = kind == .compass ? compassObject : mainObject, let flow = clients[claimant.uniqueName]?.flow,
            let message = dispatcher.propertiesChangedMessage(object, interface, names, to: claimant)
        else { return }
        flow.offer(message, slot: names.joined(separator: " "))
    }
}

extension SensorProxyService: AmbientSensorListener {
    func ambientSource(_ source: any AmbientSensorSource, delivered reading: AmbientReading) {
        var changed = values
        switch reading {
        case .light(let level, let isLux):
            guard tables[.light]?.isClaimed == true else { return }
            changed.lightLevel = level
            changed.lightIsLux = isLux
            tell(changed, of: .light)
        case .proximity(let isNear):
            guard tables[.proximity]?.isClaimed == true else { return }
            changed.isNear = isNear
            tell(changed, of: .proximity)
        }
    }

    func ambientSourceChanged(_ source: any AmbientSensorSource) { refreshAvailability() }
}
