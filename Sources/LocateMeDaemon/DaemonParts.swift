public import EventLoop
public import Geomagnetism
public import LocateMeModel
public import MessageBus

/// What the daemon is built from: the edges, each behind a small protocol.
public struct DaemonParts {
    /// The loop that everything lives on.
    public var loop: EventLoop
    /// The bus, connected; its name is requested by `Daemon.start()`.
    public var bus: BusConnection
    /// The sensors.
    public var sensors: any SensorSource
    /// Light and proximity, for the sensor proxy; nil: none.
    public var ambient: (any AmbientSensorSource)?
    /// Where claims of the sensor proxy are kept over a restart; nil: nowhere.
    public var claims: (any ClaimStore)?
    /// The sources of places.
    public var places: [any PlaceSource]
    /// The magnetic model for the declination.
    public var model: MagneticModel
    /// Where calibrations are kept; nil: nowhere.
    public var store: (any HeadingStateStore)?
    /// Why there is no such place although there should be one; nil: nothing is wrong.
    public var storeTrouble: String?
    /// Tells when the machine sleeps; nil: nobody does.
    public var sleep: (any SleepMonitor)?
    /// Where places and what clients have asked for are kept; nil: nowhere.
    public var locationStore: (any LocationStateStore)?
    /// Tells what callers may do; nil: nobody does.
    public var authority: (any AuthorityChecker)?
    /// Tells what feeds the machine; nil: nobody does.
    public var power: (any PowerMonitor)?
    /// Where NMEA 0183 is written to.
    public var marineSinks: [any LineSink]
    /// Where Signal K is written to.
    public var signalKSinks: [any LineSink]
    /// The log.
    public var log: Log
    /// The user that the process runs as.
    public var userID: UInt32

    /// Parts.
    public init(
        loop: EventLoop, bus: BusConnection, sensors: any SensorSource,
        ambient: (any AmbientSensorSource)? = nil, claims: (any ClaimStore)? = nil, places: [any PlaceSource],
        model: MagneticModel, store: (any HeadingStateStore)?, storeTrouble: String? = nil,
        sleep: (any SleepMonitor)? = nil,
        locationStore: (any LocationStateStore)? = nil, authority: (any AuthorityChecker)? = nil,
        power: (any PowerMonitor)? = nil, marineSinks: [any LineSink] = [],
        signalKSinks: [any LineSink] = [], log: Log, userID: UInt32
    ) {
        self.loop = loop
        self.bus = bus
        self.sensors = sensors
        self.ambient = ambient
        self.claims = claims
        self.places = places
        self.model = model
        self.store = store
        self.storeTrouble = storeTrouble
        self.sleep = sleep
        self.locationStore = locationStore
        self.authority = authority
        self.power = power
        self.marineSinks = marineSinks
        self.signalKSinks = signalKSinks
        self.log = log
        self.userID = userID
    }
}
