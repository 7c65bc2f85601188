/// One thing that can be set, by an option of `locatemed` or by a key of its configuration file.
enum Setting: String, CaseIterable {
    case bus
    case logLevel = "log-level"
    case idleExit = "idle-exit"
    case stateDirectory = "state-dir"
    case sensorProxy = "sensor-proxy"
    case iioURI = "iio-uri"
    case ignoreSensor = "ignore-sensor"
    case useSensor = "use-sensor"
    case mountMatrix = "mount-matrix"
    case replay
    case speed
    case loop
    case simulate
    case place
    case geolocationFile = "geolocation-file"
    case gpsd
    case locationServices = "location-services"
    case nmea
    case geoclue
    case modemManager = "modemmanager"
    case magneticModel = "magnetic-model"
    case marineOutput = "nmea-out"
    case marineSentences = "nmea-out-sentences"
    case marineRate = "nmea-out-rate"
    case marinePlaceRate = "nmea-out-place-rate"
    case marineOrientation = "nmea-out-orientation"
    case signalKOutput = "signalk-out"

    /// The section of the configuration file that holds the key; nil for what is given on the command line only.
    var section: String? {
        switch self {
        case .bus, .logLevel, .idleExit, .stateDirectory, .sensorProxy: "daemon"
        case .iioURI, .ignoreSensor, .useSensor, .mountMatrix: "sensors"
        case .place, .geolocationFile, .gpsd, .nmea, .geoclue, .modemManager, .locationServices: "place"
        case .magneticModel: "model"
        case .marineOutput, .marineSentences, .marineRate, .marinePlaceRate, .marineOrientation, .signalKOutput:
            "nmea-out"
        case .replay, .speed, .loop, .simulate: nil
        }
    }
}
