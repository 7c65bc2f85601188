public import LocateMeBusInterface
public import LocateMeModel
internal import MessageBus

/// Headings and places from the location service, in the manner of Core Location: set what you want, start, and hear
/// of it through the delegate. Keeps going over a restart of the service.
///
///     let client = try LocateMeClient(loop: loop)
///     let manager = LocationManager(client: client, reason: "shows a compass")
///     manager.delegate = self
///     manager.headingFilter = 5
///     manager.startUpdatingHeading()
public final class LocationManager {
    /// Who hears of updates.
    public weak var delegate: (any LocationManagerDelegate)?
    /// The connection to the service.
    public let client: LocateMeClient

    /// Degrees that the heading must turn before it is told again; −1: every heading. Default 1.
    public var headingFilter = 1.0 {
        didSet { session.set(LocateMeInterfaces.heading1.name, "HeadingFilter", .double(headingFilter)) }
    }
    /// The edge of the device that counts as top. Default portrait.
    public var headingOrientation = HeadingOrientation.portrait {
        didSet {
            session.set(
                LocateMeInterfaces.heading1.name, "HeadingOrientation", .uint32(headingOrientation.rawValue))
        }
    }
    /// False: `needsCalibration` is not called. Default true.
    public var showsCalibration = true {
        didSet { session.set(LocateMeInterfaces.heading1.name, "ShowCalibration", .bool(showsCalibration)) }
    }
    /// Wanted accuracy of places in metres; −1 best, −2 best for navigation. Default −1.
    public var desiredAccuracy = -1.0 {
        didSet { session.set(LocateMeInterfaces.location1.name, "DesiredAccuracy", .double(desiredAccuracy)) }
    }
    /// Metres that the place must move before it is told again; −1: every place. Default −1.
    public var distanceFilter = -1.0 {
        didSet { session.set(LocateMeInterfaces.location1.name, "DistanceFilter", .double(distanceFilter)) }
    }
    /// Least time between places in milliseconds. Default 0.
    public var minimumIntervalMilliseconds: UInt32 = 0 {
        didSet {
            session.set(LocateMeInterfaces.location1.name, "MinimumInterval", .uint32(minimumIntervalMilliseconds))
        }
    }
    /// True: updates pause while the device stands still for long. Default true.
    public var pausesAutomatically = true {
        didSet { session.set(LocateMeInterfaces.location1.name, "PausesAutomatically", .bool(pausesAutomatically)) }
    }

    /// True: the distance of `distanceFilter` must be certain in spite of both places' accuracies. Default false.
    public var confirmsDistance = false {
        didSet { setLocation("ConfirmedDistance", .bool(confirmsDistance)) }
    }
    /// Metres that a place must have to be told at once; worse ones wait some seconds for a better one. 0: any. Default 0.
    public var requiredAccuracy = 0.0 {
        didSet { setLocation("RequiredAccuracy", .double(requiredAccuracy)) }
    }
    /// Milliseconds after which the best of too inaccurate places is told. Default 10000.
    public var acceptTimeoutMilliseconds: UInt32 = 10_000 {
        didSet { setLocation("AcceptTimeout", .uint32(acceptTimeoutMilliseconds)) }
    }
    /// Number of too inaccurate places after which the best is told. Default 10.
    public var acceptTries: UInt32 = 10 {
        didSet { setLocation("AcceptTries", .uint32(acceptTries)) }
    }
    /// Milliseconds that a place may be kept to be told with others. Default 0.
    public var maximumDelayMilliseconds: UInt32 = 0 {
        didSet { setLocation("MaximumDelay", .uint32(maximumDelayMilliseconds)) }
    }
    /// Age in milliseconds up to which a known place is told first. Default 30000.
    public var maximumAgeMilliseconds: UInt32 = 30_000 {
        didSet { setLocation("MaximumAge", .uint32(maximumAgeMilliseconds)) }
    }
    /// What moves. Default other.
    public var activityType = ActivityType.other {
        didSet { setLocation("ActivityType", .uint32(activityType.rawValue)) }
    }

    let session: SessionKeeper

    /// A manager with a session of its own, opened when it is needed. `reason` tells the user what the application
    /// needs it for, in 1 to 200 bytes; `applicationID` is its desktop file id.
    public convenience init(client: LocateMeClient, reason: String, applicationID: String = "") {
        var options = SessionOptions(reason: reason)
        options.applicationID = applicationID
        self.init(client: client, options: options)
    }

    /// A manager with a session of its own, opened when it is needed.
    public init(client: LocateMeClient, options: SessionOptions) {
        self.client = client
        session = SessionKeeper(client: client, options: options)
        session.onSignal = { [weak self] in self?.receive($0) }
        session.onFailure = { [weak self] error in
            guard let self else { return }
            delegate?.locationManager(self, didFailWith: error)
        }
        session.onServiceChange = { [weak self] isRunning in
            guard let self else { return }
            if isRunning { readAuthorization() }
            delegate?.locationManager(self, didChangeService: isRunning)
        }
    }

    deinit { session.close() }

    /// True while the service holds a session for this manager.
    public var isSessionOpen: Bool { session.open != nil }

    private func setLocation(_ property: String, _ value: BusValue) {
        session.set(LocateMeInterfaces.location1.name, property, value)
    }

    /// Sets any property of the session by its name on the bus, for those without a property here.
    func set(_ interface: String, _ property: String, _ value: BusValue) { session.set(interface, property, value) }

    /// Ends the session; its sensors and sources are released. Starting or asking opens another.
    public func close() { session.close() }

    // MARK: - Updates

    /// Starts headings. Idempotent. If it cannot be, `didFailWith` says why.
    public func startUpdatingHeading() { session.start(LocateMeInterfaces.heading1.name) }
    /// Stops headings. Idempotent.
    public func stopUpdatingHeading() { session.stop(LocateMeInterfaces.heading1.name) }
    /// Starts places. Idempotent. If it cannot be, `didFailWith` says why.
    public func startUpdatingLocation() { session.start(LocateMeInterfaces.location1.name) }
    /// Stops places. Idempotent.
    public func stopUpdatingLocation() { session.stop(LocateMeInterfaces.location1.name) }
    /// Starts places and headings together, in one message each time. Idempotent.
    public func startUpdatingPose() { session.start(LocateMeInterfaces.pose1.name) }
    /// Stops places and headings together. Idempotent.
    public func stopUpdatingPose() { session.stop(LocateMeInterfaces.pose1.name) }

    /// Starts to tell when the device is somewhere else, cheaply. Goes on without this program if it has an application
    /// id. Idempotent.
    public func startMonitoringSignificantChanges() {
        session.start(LocateMeInterfaces.significantChange1.name, arguments: [.dictionary([:])])
    }
    /// Stops that. Idempotent.
    public func stopMonitoringSignificantChanges() { session.stopKept(LocateMeInterfaces.significantChange1.name) }
    /// Starts to tell where the device stays. Goes on without this program if it has an application id. Idempotent.
    public func startMonitoringVisits() { session.start(LocateMeInterfaces.visits1.name) }
    /// Stops that. Idempotent.
    public func stopMonitoringVisits() { session.stopKept(LocateMeInterfaces.visits1.name) }

    // MARK: - Signals

    private func receive(_ message: BusMessage) {
        do throws(BusError) {
            try dispatch(message)
        } catch {
            delegate?.locationManager(
                self,
                didFailWith: LocateMeError(
                    .failed, "the location service sent what this program cannot read: \(error.text)",
                    busError: error))
        }
    }

    private func dispatch(_ message: BusMessage) throws(BusError) {
        guard let delegate, let interface = message.interface, let member = message.member else { return }
        var reader = message.reader()
        switch (interface, member) {
        case (LocateMeInterfaces.heading1.name, "HeadingUpdated"):
            delegate.locationManager(self, didUpdateHeading: try reader.readHeading())
        case (LocateMeInterfaces.heading1.name, "HeadingLost"):
            delegate.locationManager(self, didLoseHeading: try reader.readString())
        case (LocateMeInterfaces.heading1.name, "CalibrationNeeded"):
            let quality = CalibrationQuality(rawValue: try reader.readUInt32()) ?? .unknown
            delegate.locationManager(self, needsCalibration: quality, reason: try reader.readString())
        case (LocateMeInterfaces.heading1.name, "CalibrationResolved"):
            let quality = CalibrationQuality(rawValue: try reader.readUInt32()) ?? .unknown
            delegate.locationManager(self, didResolveCalibration: quality)
        case (LocateMeInterfaces.location1.name, "LocationsUpdated"):
            let fixes = try reader.readFixes()
            if !fixes.isEmpty { delegate.locationManager(self, didUpdateLocations: fixes) }
        case (LocateMeInterfaces.location1.name, "ModeChanged"):
            guard let mode = LocationMode(rawValue: try reader.readUInt32()) else { return }
            let reason = LocationModeReason(rawValue: try reader.readUInt32()) ?? .unknown
            delegate.locationManager(self, didChangeMode: mode, reason: reason)
        case (LocateMeInterfaces.significantChange1.name, "SignificantChange"):
            let sequence = try reader.readUInt64()
            delegate.locationManager(self, didChangeSignificantly: try reader.readFix(), sequence: sequence)
        case (LocateMeInterfaces.visits1.name, "Visit"):
            let sequence = try reader.readUInt64()
            let visit = Visit(
                arrival: try reader.readInt64(), departure: try reader.readInt64(), latitude: try reader.readDouble(),
                longitude: try reader.readDouble(), accuracy: try reader.readDouble())
            delegate.locationManager(self, didVisit: visit, sequence: sequence)
        case (LocateMeInterfaces.pose1.name, "PoseUpdated"):
            let changed = PoseParts(rawValue: try reader.readUInt32())
            let valid = PoseParts(rawValue: try reader.readUInt32())
            let pose = Pose(
                changed: changed, valid: valid, fix: try reader.readFix(), heading: try reader.readHeading())
            delegate.locationManager(self, didUpdatePose: pose)
        case (LocateMeInterfaces.session1.name, "Error"):
            let code = BusError.Code(rawValue: try reader.readString())
            let error = BusError(code, try reader.readString())
            delegate.locationManager(self, didFailWith: LocateMeError(error))
        case ("org.freedesktop.DBus.Properties", "PropertiesChanged"):
            if try reader.readString() == LocateMeInterfaces.session1.name { readAuthorization() }
        default:
            break
        }
    }

    private func readAuthorization() {
        session.readProperties(LocateMeInterfaces.session1.name) { [weak self] result in
            guard let self, case .success(let properties) = result,
                let status = properties["Authorization"]?.uint32Value.flatMap(AuthorizationStatus.init)
            else { return }
            let accuracy = properties["AccuracyAuthorization"]?.uint32Value.flatMap(AccuracyAuthorization.init)
            delegate?.locationManager(self, didChangeAuthorization: status, accuracy: accuracy ?? .none)
        }
    }
}
