public import Geometry
public import LocateMeModel
public import MessageBus

/// Everything that can be set about the daemon, with its defaults: the configuration file's values, overridden by
/// the command line's.
public struct DaemonConfiguration: Hashable, Sendable {
    /// The bus to serve.
    public var bus: BusAddress = .system
    /// What is logged.
    public var logLevel: LogLevel = .info
    /// Seconds without a session after which the daemon ends; 0 never.
    public var idleExitSeconds: Int = 0
    /// Where state is kept; nil: the default of the bus.
    public var stateDirectory: String?
    /// True if the service stands in for iio-sensor-proxy as well.
    public var servesSensorProxy = false
    /// Where samples come from.
    public var sensors: SensorChoice = .devices(uris: ["local:"])
    /// Sensors that are not to be used: ids, IIO names with or without `/` and a type, or paths of sysfs.
    public var ignoredSensors: Set<String> = []
    /// Sensors to use before others of their kind, named in the same way.
    public var usedSensors: Set<String> = []
    /// Chip to device, by sensor.
    public var mountMatrices: [String: MountMatrix] = [:]
    /// A stated place; nil: none.
    public var place: ConfiguredPlace?
    /// A file with a stated place in geoclue's format, used if `place` is nil; nil: none.
    public var geolocationFile: String? = "/etc/geolocation"
    /// The gpsd to ask for fixes; nil: none.
    public var gpsd: GpsdAddress? = .local
    /// False: places are switched off for everybody.
    public var locationServices = true
    /// Where NMEA 0183 is read from, for places and headings.
    public var nmea: [NMEAAddress] = []
    /// Whether GeoClue is asked for places.
    public var usesGeoClue = false
    /// Whether the satellite receiver of a modem is used.
    public var usesModemManager = false
    /// A coefficient file in place of the built-in magnetic model; nil: built in.
    public var magneticModelFile: String?

    /// What is written in NMEA 0183, and where to.
    public var marine = MarineSettings()

    /// The defaults.
    public init() {}

    /// Sets one thing from its text. What the text may be stands in `docs/configuration.md`.
    mutating func set(_ setting: Setting, to text: String) throws(UsageError) {
        switch setting {
        case .bus: bus = try Self.bus(text)
        case .logLevel: logLevel = try LogLevel(text)
        case .idleExit: idleExitSeconds = try Self.seconds(text)
        case .stateDirectory: stateDirectory = try Self.path(text)
        case .sensorProxy: servesSensorProxy = try Self.switched(text)
        case .iioURI: sensors = .devices(uris: try Self.contexts(text))
        case .ignoreSensor: ignoredSensors.insert(try Self.sensor(text))
        case .useSensor: usedSensors.insert(try Self.sensor(text))
        case .mountMatrix:
            let (sensor, matrix) = try Self.mountMatrix(text)
            mountMatrices[sensor] = matrix
        case .replay: sensors = .replay(path: try Self.path(text), speed: 1, loops: false)
        case .speed:
            guard case .replay(let path, _, let loops) = sensors else { throw UsageError("works only with --replay") }
            sensors = .replay(path: path, speed: try Self.factor(text), loops: loops)
        case .loop:
            guard case .replay(let path, let speed, _) = sensors else { throw UsageError("works only with --replay") }
            sensors = .replay(path: path, speed: speed, loops: true)
        case .simulate: sensors = .simulation(walk: text.isEmpty ? nil : text)
        case .place: place = text == "none" ? nil : try ConfiguredPlace(text)
        case .geolocationFile: geolocationFile = text == "none" ? nil : try Self.path(text)
        case .gpsd: gpsd = text == "none" ? nil : try Self.gpsd(text)
        case .locationServices: locationServices = try Self.isOn(text)
        case .nmea: nmea = text == "none" ? [] : try Self.nmeaAddresses(text)
        case .geoclue: usesGeoClue = try Self.yesOrNo(text)
        case .modemManager: usesModemManager = try Self.yesOrNo(text)
        case .magneticModel: magneticModelFile = try Self.path(text)
        case .marineOutput: marine.outputs.append(try MarineSettings.output(text))
        case .marineSentences: marine.sentences = try MarineSettings.sentences(text)
        case .marineRate: marine.rateHertz = try MarineSettings.rate(text, within: 0.1...50)
        case .signalKOutput:
            marine.signalKOutputs.append(try MarineSettings.output(text, port: SinkAddress.signalKPort))
        case .marineOrientation: marine.orientation = try MarineSettings.orientation(text)
        case .marinePlaceRate: marine.placeRateHertz = try MarineSettings.rate(text, within: 0.01...10)
        }
    }

    private static func isOn(_ text: String) throws(UsageError) -> Bool {
        switch text {
        case "on", "yes", "true": return true
        case "off", "no", "false": return false
        default: throw UsageError("'\(text)' is neither on nor off")
        }
    }

    private static func bus(_ text: String) throws(UsageError) -> BusAddress {
        guard let bus = BusAddress(argument: text) else {
            throw UsageError("'\(text)' is no bus; use system, session or an address such as unix:path=/run/bus")
        }
        return bus
    }

    private static func gpsd(_ text: String) throws(UsageError) -> GpsdAddress {
        guard let address = GpsdAddress(text) else {
            throw UsageError("'\(text)' is no gpsd address; write HOST:PORT, such as localhost:2947 or [::1]:2947")
        }
        return address
    }

    private static func sensor(_ text: some StringProtocol) throws(UsageError) -> String {
        let name = text.trimmingBlanks
        guard !name.isEmpty, !name.contains(where: \.isWhitespace) else {
            throw UsageError(
                "'\(name)' is no sensor; write an id, an IIO name, NAME/TYPE or a path of sysfs, as headingctl sensors shows them"
            )
        }
        return name
    }

    private static func mountMatrix(_ text: String) throws(UsageError) -> (sensor: String, matrix: MountMatrix) {
        let trimmed = text.trimmingBlanks
        guard let blank = trimmed.firstIndex(where: \.isWhitespace),
            let matrix = MountMatrix(kernelText: String(trimmed[blank...]))
        else {
            throw UsageError(
                "'\(trimmed)' is no sensor with its matrix; write SENSOR a, b, c; d, e, f; g, h, i, each within -100…100, with a determinant that is not 0"
            )
        }
        return (try sensor(trimmed[..<blank]), matrix)
    }

    private static func seconds(_ text: String) throws(UsageError) -> Int {
        guard let number = Int(text), (0...86_400 * 365).contains(number) else {
            throw UsageError("'\(text)' is no time; write whole seconds, 0 for never")
        }
        return number
    }

    private static func switched(_ text: String) throws(UsageError) -> Bool {
        switch text {
        case "yes": return true
        case "no": return false
        default: throw UsageError("'\(text)' is neither yes nor no")
        }
    }

    private static func factor(_ text: String) throws(UsageError) -> Double {
        guard let number = Double(strict: text), number >= 0.01, number <= 1000 else {
            throw UsageError("'\(text)' is no speed; write a factor from 0.01 to 1000")
        }
        return number
    }

    private static func yesOrNo(_ text: String) throws(UsageError) -> Bool {
        switch text {
        case "yes": return true
        case "no": return false
        default: throw UsageError("'\(text)' is neither yes nor no")
        }
    }

    private static func nmeaAddresses(_ text: String) throws(UsageError) -> [NMEAAddress] {
        var addresses: [NMEAAddress] = []
        for part in text.split(whereSeparator: \.isWhitespace) {
            do throws(NMEAAddress.Failure) {
                addresses.append(try NMEAAddress(parsing: String(part)))
            } catch {
                throw UsageError(error.description)
            }
        }
        // Each is a descriptor and a reader; nobody has so many instruments.
        guard !addresses.isEmpty, addresses.count <= 16 else {
            throw UsageError("needs 1 to 16 sources such as tty:/dev/ttyACM0, separated by spaces")
        }
        guard Set(addresses.map(\.description)).count == addresses.count else {
            throw UsageError("'\(text)' names a source twice")
        }
        return addresses
    }

    private static func path(_ text: String) throws(UsageError) -> String {
        guard !text.isEmpty, !text.utf8.contains(0) else { throw UsageError("needs the path of a file or folder") }
        return text
    }

    private static func contexts(_ text: String) throws(UsageError) -> [String] {
        let uris = text.split(whereSeparator: \.isWhitespace).map(String.init)
        guard !uris.isEmpty else { throw UsageError("needs libiio contexts such as local: or ip:192.0.2.7") }
        for uri in uris {
            guard let colon = uri.firstIndex(of: ":"), colon != uri.startIndex else {
                throw UsageError("'\(uri)' is no libiio context; write local:, ip:HOST[:PORT], usb:… or xml:FILE")
            }
        }
        return uris
    }
}
