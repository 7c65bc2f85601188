/// Where the sensors' samples come from.
public enum SensorChoice: Hashable, Sendable {
    /// IIO devices of the libiio contexts with these URIs.
    case devices(uris: [String])
    /// A recording, played at `speed` times real time, again and again if it loops.
    case replay(path: String, speed: Double, loops: Bool)
    /// A simulated phone; nil walks the default walk.
    case simulation(walk: String?)
}
