internal import EventLoop
internal import Geomagnetism
internal import HeadingEstimation
internal import LocateMeBusInterface
public import LocateMeModel
internal import MagnetometerCalibration
public import MessageBus

/// The service: sessions on the bus, fed by the sensors and the sources of places. One thread, one loop; nothing
/// wakes it while there is no session.
public final class Daemon {
    private let loop: EventLoop
    private let bus: BusConnection
    let log: Log
    let authorizer: Authorizer
    let coarse: CoarsePlaces
    let power: PowerService
    private let watches: WatchService
    private let keeper: PlaceKeeper?
    private let headings: HeadingService
    let places: LocationService
    private let declination: DeclinationService
    private let calibration: CalibrationService
    let dispatcher: ObjectDispatcher
    private let sleep: (any SleepMonitor)?
    private let sensorProxy: SensorProxyService?
    private let marine: MarineService?
    var registry: SessionRegistry?
    private var manager: ExportedObject?
    private var compass: ExportedObject?
    var powerObject: ExportedObject?
    var powerValues: (state: PowerState, profile: String) = (.external, "")
    private var configuration: DaemonConfiguration
    private var managerValues = ManagerObject.Values()
    private var compassValues = CompassObject.Values()
    private var calibrationValues: (state: CalibrationState, quality: CalibrationQuality, reason: String) = (
        .none, .unknown, ""
    )
    var needsRefresh = true
    private var idle: LoopTimer?
    private var settling: LoopTimer?
    private var fusion = "none"

    /// How long after a change what only the change needed is let go.
    private static let settlingMicroseconds: Int64 = 2_000_000

    /// Called some seconds after the service has started or changed what it does: once, not over and over.
    public var onSettled: (() -> Void)?

    /// The exit status that the process should end with: 0, or 3 if the bus went away.
    public private(set) var exitStatus: Int32 = 0

    /// A daemon that is not on the bus yet.
    public init(_ parts: DaemonParts, configuration: DaemonConfiguration) {
        loop = parts.loop
        bus = parts.bus
        log = parts.log
        sleep = parts.sleep
        self.configuration = configuration
        authorizer = Authorizer(
            trust: LocationPermission(isSessionBus: configuration.bus == .session, ownUserID: parts.userID),
            checker: parts.authority, log: log)
        coarse = CoarsePlaces(store: parts.locationStore, log: log)
        power = PowerService(monitor: parts.power, store: parts.locationStore, log: log)
        keeper = parts.locationStore.map { [log] in PlaceKeeper(store: $0, log: log) }
        headings = HeadingService(
            source: parts.sensors, store: parts.store, storeTrouble: parts.storeTrouble, loop: loop, log: log)
        places = LocationService(sources: parts.places, loop: loop, log: log)
        watches = WatchService(
            places: places, coarse: coarse, store: parts.locationStore, loop: loop, log: log)
        declination = DeclinationService(
            model: parts.model, places: places, headings: headings, loop: loop, log: log)
        coarse.earthField = { [declination] in declination.field(at: $0) }
        calibration = CalibrationService(headings: headings, connection: bus, loop: loop, log: log)
        dispatcher = ObjectDispatcher(connection: bus, managerPath: LocateMeBus.managerPath)
        sensorProxy =
            configuration.servesSensorProxy
            ? SensorProxyService(
                connection: bus, dispatcher: dispatcher, headings: headings, ambient: parts.ambient,
                authorizer: authorizer, store: parts.claims, loop: loop, log: log)
            : nil
        marine =
            parts.marineSinks.isEmpty && parts.signalKSinks.isEmpty
            ? nil
            : MarineService(
                settings: configuration.marine, sinks: parts.marineSinks, signalKSinks: parts.signalKSinks,
                headings: headings, places: places, declination: declination, loop: loop, log: log)
        idle = loop.makeTimer { [weak self] in self?.endIdle() }
        settling = loop.makeTimer { [weak self] in self?.onSettled?() }
    }

    /// Puts the objects on the bus and takes the name, last, so that whoever sees the name finds them.
    /// Throws `.nameTaken` with its owner, or what else the bus says.
    public func start() throws(BusError) {
        headings.listener = self
        places.listener = self
        sleep?.sleepListener = self
        headings.needsChanged = { [weak self] in self?.needsRefresh = true }
        places.needsChanged = { [weak self] in self?.needsRefresh = true }
        watches.changed = { [weak self] in self?.needsRefresh = true }
        power.changed = { [weak self] in self?.powerChanged() }
        authorizer.changed = { [weak self] in self?.askAgain() }
        calibration.changed = { [weak self] in self?.needsRefresh = true }
        calibration.prompt = { [weak self] reason in self?.tellCalibration(reason) }
        bus.onDisconnected = { [weak self] in self?.busIsGone() }
        let registry = SessionRegistry(
            limits: SessionLimits(), connection: bus, dispatcher: dispatcher, log: log
        ) { [unowned self] session in
            SessionObject.make(
                session, watches: watches, known: { [unowned self] in newest(for: $0) },
                close: { [unowned self] in self.registry?.close($0, .closed) })
        }
        registry.changed = { [weak self] in self?.needsRefresh = true }
        registry.ended = { [weak self] in self?.watches.detach($0) }
        self.registry = registry
        exportObjects()
        places.setEnabled(configuration.locationServices)
        if let known = keeper?.load() { places.restore(known) }
        watches.restore()
        powerValues = (power.state, power.profile)
        managerValues = currentManagerValues()
        compassValues = currentCompassValues()
        loop.beforeWaiting { [weak self] in self?.refreshIfNeeded() }
        try bus.requestName(LocateMeBus.name)
        marine?.needsChanged = { [weak self] in self?.needsRefresh = true }
        marine?.start()
        guard let sensorProxy else { return }
        headings.forceSeen = { [weak self] force, time in
            self?.sensorProxy?.take(force: force, bootMicroseconds: time)
        }
        sensorProxy.needsChanged = { [weak self] in self?.needsRefresh = true }
        do throws(BusError) {
            try sensorProxy.start()
        } catch {
            log.error("net.hadess.SensorProxy is not served: \(error.text)")
        }
    }

    /// Puts a changed configuration in force, as far as that is possible while running, with its sources of places.
    public func reload(_ changed: DaemonConfiguration, places sources: [any PlaceSource]) {
        log.level = changed.logLevel
        if changed.bus != configuration.bus || changed.sensors != configuration.sensors
            || changed.stateDirectory != configuration.stateDirectory
            || changed.magneticModelFile != configuration.magneticModelFile
            || changed.nmea != configuration.nmea || changed.servesSensorProxy != configuration.servesSensorProxy
            || changed.marine != configuration.marine
        {
            log.warning(
                "bus, sensors, NMEA sources and output, state directory, magnetic model and sensor proxy change with the next start only"
            )
        }
        if changed.usesGeoClue != configuration.usesGeoClue
            || changed.usesModemManager != configuration.usesModemManager || changed.place != configuration.place
            || changed.gpsd != configuration.gpsd
            || changed.geolocationFile != configuration.geolocationFile || changed.geolocationFile != nil
        {
            places.replace(with: sources)
        }
        configuration = changed
        setServicesEnabled(changed.locationServices)
        needsRefresh = true
        log.info("the configuration was read again")
    }

    /// Tells the owners of sessions, switches everything off, keeps what was learned, leaves the bus.
    public func stop() {
        registry?.closeAll(.serviceStops)
        headings.stop()
        watches.stopAll()
        keeper?.save(places.newest)
        places.stopAll()
        idle?.disarm()
        settling?.disarm()
        // What does not go out within half a second is lost with a bus that does not read.
        bus.flush(timeoutMilliseconds: 500)
        bus.close()
    }

    // MARK: - Objects

    private func exportObjects() {
        dispatcher.containerPaths = [LocateMeBus.sessionsPath]
        dispatcher.missingObject = { path, _ in
            path != LocateMeBus.sessionsPath && path.isWithin(LocateMeBus.sessionsPath)
                ? SessionObject.denial(path) : BusError(.unknownObject, "there is no object '\(path)'")
        }
        let manager = ExportedObject(
            path: LocateMeBus.managerPath,
            interfaces: [
                ManagerObject.interface(
                    authorizer: authorizer, values: { [unowned self] in currentManagerValues() },
                    open: { [unowned self] options, caller throws(BusError) in try open(options, caller) }),
                StatusObject.interface(
                    authorizer: authorizer, heading: { [unowned self] in newest(for: $0) },
                    place: { [unowned self] in lastKnown(for: $0) }),
            ])
        let compass = ExportedObject(
            path: LocateMeBus.compassPath,
            interfaces: [
                CompassObject.interface(
                    model: declination.model.displayName, authorizer: authorizer,
                    sensors: { [unowned self] in headings.source.sensors },
                    findings: { [unowned self] in Diagnosis.findings(headings, declination) },
                    values: { [unowned self] in currentCompassValues() },
                    override: { [unowned self] in declination.context.declinationOverride },
                    setOverride: { [unowned self] in setOverride($0) }),
                CalibrationObject.interface(calibration, authorizer: authorizer),
            ])
        let powerObject = ExportedObject(
            path: LocateMeBus.powerPath,
            interfaces: [
                PowerObject.interface(power, authorizer: authorizer) { [unowned self] caller, application in
                    registry?.sessions.values.contains {
                        $0.link.owner.uniqueName == caller.uniqueName && $0.options.applicationID == application
                    } ?? false
                }
            ])
        dispatcher.add(manager)
        dispatcher.add(compass)
        dispatcher.add(powerObject)
        self.powerObject = powerObject
        self.manager = manager
        self.compass = compass
    }

    private func open(_ options: SessionOptions, _ caller: BusCaller) throws(BusError) -> ObjectPath {
        guard let registry else { throw BusError(.failed, "the service is not ready") }
        let session = try registry.open(options, for: caller) { identifier, link in
            Session(
                identifier: identifier, options: options, grant: authorizer.knownGrant(caller), link: link,
                headings: headings, places: places, coarse: coarse, power: power, loop: loop)
        }
        if !session.isDecided { authorizer.grant(caller) { [weak session] in session?.decide($0) } }
        watches.attach(session)
        return session.link.path
    }

    private func setOverride(_ degrees: Double) {
        guard degrees.bitPattern != declination.context.declinationOverride.bitPattern else { return }
        declination.setOverride(degrees)
        log.info(degrees.isNaN ? "the declination is the model's again" : "the declination is set to \(degrees)°")
        tellClients(["DeclinationOverride"])
    }

    // MARK: - Values

    /// The session's heading of the newest estimate, nil if there is none.
    private func newest(for session: Session) -> Heading? {
        guard let estimate = headings.latest else { return nil }
        return session.compose(
            estimate, realMicroseconds: Self.realMicroseconds(of: estimate), context: declination.context)
    }

    /// The newest heading of the top edge, for `Status1`.
    private func newest(for caller: BusCaller?) -> Heading? {
        guard let estimate = headings.latest else { return nil }
        var context: HeadingContext?
        if let caller, let grant = authorizer.knownGrant(caller), grant.isGranted {
            let client = ClientIdentity(userID: caller.credentials.userID, applicationID: "")
            context =
                grant.accuracy == .reduced ? coarse.context(declination.context, for: client) : declination.context
        }
        var reference = HeadingReference()
        return HeadingComposer.heading(
            of: estimate, reference: &reference, orientation: .portrait, earthField: context?.field,
            model: declination.context.modelName,
            realMicroseconds: Self.realMicroseconds(of: estimate))
    }

    /// UTC of an estimate in microseconds since the Unix epoch.
    private static func realMicroseconds(of estimate: HeadingEstimate) -> Int64 {
        Clock.realMicroseconds() - max(0, Clock.bootMicroseconds() - estimate.bootMicroseconds)
    }

    private func currentManagerValues() -> ManagerObject.Values {
        ManagerObject.Values(
            locationServicesEnabled: places.isEnabled, locationAvailable: places.isAvailable,
            headingAvailable: headings.isAvailable,
            inUse: registry?.sessions.values.contains { $0.isActive } ?? false || sensorProxy?.isInUse == true
                || marine?.isInUse == true,
            sources: headings.source.sensorStates + places.sources.map(\.placeState))
    }

    private func currentCompassValues() -> CompassObject.Values {
        func chosen(_ kind: SensorKind) -> String {
            headings.source.sensors.first { $0.kind == kind && $0.selected }?.id ?? ""
        }
        return CompassObject.Values(
            magnetometer: chosen(.magnetometer), accelerometer: chosen(.accelerometer),
            gyroscope: chosen(.gyroscope), fusion: headings.isRunning ? fusion : "none",
            rateHertz: headings.isRunning ? headings.source.rateHertz : 0, isModelExpired: declination.isExpired)
    }

    // MARK: - Changes

    /// Tells what has changed since the last time, once per round of the loop.
    private func refreshIfNeeded() {
        guard needsRefresh, let registry else { return }
        // Wanting true headings can make the sources of places change once more.
        let wantsTrue =
            registry.sessions.values.contains { $0.wantsTrueHeading } || marine?.wantsTrueHeading == true
        declination.setWanted(wantsTrue || headings.isRunning && headings.source.needsDeclination)
        needsRefresh = false
        sleep?.delaysSleep = headings.isRunning || headings.needsForce || places.isNeeded
        sleep?.watchesUnlocking = registry.sessions.values.contains { $0.isPeriodic }
        let values = currentManagerValues()
        let changes = managerValues.changes(to: values)
        managerValues = values
        if let manager, !changes.isEmpty {
            dispatcher.propertiesChanged(manager, LocateMeInterfaces.manager1.name, changes, to: nil)
        }
        let compass = currentCompassValues()
        let compassChanges = compassValues.changes(to: compass)
        compassValues = compass
        if !compassChanges.isEmpty { tellClients(compassChanges) }
        refreshCalibration()
        refreshPower()
        armIdle()
        if settling?.isArmed == false { settling?.arm(afterMicroseconds: Self.settlingMicroseconds) }
    }

    /// Tells changes of `Compass1` to those who have sessions; nothing of it is broadcast.
    private func tellClients(_ names: [String]) {
        guard let compass else { return }
        registry?.forEachClient { session in
            dispatcher.propertiesChanged(
                compass, LocateMeInterfaces.compass1.name, names, to: session.link.owner)
        }
    }

    /// `Calibration1.State` and `Quality` tell nothing of a place or a program: they are broadcast.
    private func refreshCalibration() {
        let values = (state: calibration.state, quality: calibration.quality, reason: calibration.reason)
        var names: [String] = []
        if values.state != calibrationValues.state { names.append("State") }
        if values.quality != calibrationValues.quality { names.append("Quality") }
        let isNewReason = values.reason != calibrationValues.reason
        calibrationValues = values
        guard let compass else { return }
        let interface = LocateMeInterfaces.calibration1.name
        if !names.isEmpty { dispatcher.propertiesChanged(compass, interface, names, to: nil) }
        guard isNewReason else { return }
        registry?.forEachClient { session in
            dispatcher.propertiesChanged(compass, interface, ["Reason"], to: session.link.owner)
        }
    }

    /// Asks the owners of sessions to have the device turned, or says that this is settled.
    private func tellCalibration(_ reason: CalibrationAdvisor.Reason?) {
        guard let registry else { return }
        let quality = calibration.quality
        for session in registry.sessions.values {
            if let reason {
                session.heading.askForCalibration(reason, quality: quality)
            } else {
                session.heading.settleCalibration(quality: quality)
            }
        }
    }

    private func armIdle() {
        let isIdle =
            (registry?.sessions.isEmpty ?? true) && watches.watches.isEmpty && sensorProxy?.isInUse != true
            && marine == nil
        guard configuration.idleExitSeconds > 0, isIdle else {
            idle?.disarm()
            return
        }
        if idle?.isArmed == false { idle?.arm(afterMicroseconds: Int64(configuration.idleExitSeconds) * 1_000_000) }
    }

    private func endIdle() {
        log.info("nobody has had a session for \(configuration.idleExitSeconds) s, ending")
        loop.stop()
    }

    private func busIsGone() {
        log.error("the message bus is gone, ending")
        exitStatus = 3
        loop.stop()
    }
}

extension Daemon: HeadingServiceListener {
    func headingService(_ service: HeadingService, estimated estimate: HeadingEstimate) {
        if estimate.source.rawValue != fusion {
            fusion = estimate.source.rawValue
            needsRefresh = true
        }
        calibration.consider(estimate)
        sensorProxy?.take(estimate)
        if estimate.calibration != calibrationValues.quality { needsRefresh = true }
        guard let registry else { return }
        var news = HeadingNews(
            estimate, realMicroseconds: Self.realMicroseconds(of: estimate), context: declination.context)
        for session in registry.sessions.values { session.take(&news) }
    }

    func headingService(_ service: HeadingService, lost reason: String) {
        needsRefresh = true
        sensorProxy?.loseHeading()
        guard let registry else { return }
        for session in registry.sessions.values {
            session.loseHeading(reason)
            session.heading.failWaiting(reason)
        }
    }

    func headingServiceChanged(_ service: HeadingService) {
        needsRefresh = true
        sensorProxy?.refreshAvailability()
        guard let reason = service.unavailableReason, let registry else { return }
        for session in registry.sessions.values {
            session.loseHeading(reason)
            session.heading.failWaiting(reason)
        }
    }
}

extension Daemon: SleepListener {
    /// Closes the sensors, then lets the machine sleep.
    public func machineWillSleep(_ monitor: any SleepMonitor) {
        log.info("the machine goes to sleep")
        for session in registry?.sessions.values.map({ $0 }) ?? [] { session.location.flush() }
        keeper?.save(places.newest)
        places.suspend()
        headings.suspend { [weak monitor] in monitor?.readyForSleep() }
    }

    /// Opens the sensors for those who were served before.
    public func machineWoke(_ monitor: any SleepMonitor) {
        log.info("the machine is awake")
        headings.resume()
        places.resume()
        power.refresh()
        watches.hurry()
        for session in registry?.sessions.values.map({ $0 }) ?? [] { session.location.hurry() }
        needsRefresh = true
    }

    /// Somebody is back at the machine: who gets a place now and then gets one.
    public func screenWasUnlocked(_ monitor: any SleepMonitor) {
        for session in registry?.sessions.values.map({ $0 }) ?? [] { session.location.hurry() }
    }
}

extension Daemon: LocationServiceListener {
    func locationService(_ service: LocationService, found update: PlaceUpdate) {
        declination.take(update.fix)
        keeper?.take(places.newest)
        watches.take(update)
        guard let registry else { return }
        for session in registry.sessions.values { session.take(update) }
    }

    func locationServiceLostPlace(_ service: LocationService) {
        guard let registry else { return }
        for session in registry.sessions.values { session.losePlace() }
    }

    func locationServiceChanged(_ service: LocationService) { needsRefresh = true }
}
