/// A place at a time. Negative accuracies mean that the value they belong to is invalid, as in the D-Bus type `Fix`.
/// An accuracy of 0 in what a source delivers means "unknown"; validation replaces it, it is never published.
public struct Fix: Hashable, Sendable {
    /// Properties of a fix, the `flags` of the D-Bus type.
    public struct Flags: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: UInt32
        /// Flags of the given bits.
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        /// From a simulation or a replay.
        public static let simulated = Flags(rawValue: 1)
        /// Computed from speed and course.
        public static let deadReckoned = Flags(rawValue: 2)
        /// Snapped to a route.
        public static let mapMatched = Flags(rawValue: 4)
        /// Coarsened for a client with reduced accuracy.
        public static let reduced = Flags(rawValue: 8)
        /// Known from before the request.
        public static let cached = Flags(rawValue: 16)
        /// The best that came in time, worse than what was asked for.
        public static let bestAvailable = Flags(rawValue: 32)
        /// A configured place.
        public static let fixed = Flags(rawValue: 64)
        /// The date was moved by GPS week rollovers.
        public static let timeRepaired = Flags(rawValue: 128)
        /// From an external device.
        public static let accessory = Flags(rawValue: 256)
        /// The system clock was not synchronised when the time was judged.
        public static let clockUnsure = Flags(rawValue: 512)
    }

    /// What made the receiver's measurement better than a plain one.
    public enum Correction: Hashable, Sendable {
        /// Nothing, or unknown.
        case none
        /// Differential corrections (DGPS, SBAS) or the military service.
        case differential
        /// Carrier phase: centimetres are possible.
        case realTimeKinematic
    }

    /// Running number of delivered fixes.
    public var sequence: UInt64 = 0
    /// UTC in microseconds since the Unix epoch; 0 if unknown.
    public var realMicroseconds: Int64
    /// CLOCK_BOOTTIME in microseconds.
    public var bootMicroseconds: Int64
    /// Degrees north, [−90, 90].
    public var latitude: Double
    /// Degrees east, [−180, 180).
    public var longitude: Double
    /// Metres, 68 %; negative: the place is invalid.
    public var horizontalAccuracy: Double
    /// Metres above mean sea level, NaN if only the other height is known; valid if `verticalAccuracy` ≥ 0.
    public var altitude: Double = 0
    /// Metres above the WGS 84 ellipsoid, NaN if only the other height is known; valid if `verticalAccuracy` ≥ 0.
    public var ellipsoidalAltitude: Double = 0
    /// Metres, 68 %; negative: both altitudes are invalid.
    public var verticalAccuracy: Double = -1
    /// Degrees clockwise from true north, [0, 360); negative: invalid.
    public var course: Double = -1
    /// Degrees, 68 %; negative: unknown.
    public var courseAccuracy: Double = -1
    /// m/s; negative: invalid.
    public var speed: Double = -1
    /// m/s, 68 %; negative: unknown.
    public var speedAccuracy: Double = -1
    /// Properties.
    public var flags: Flags = []
    /// What made it better than a plain fix.
    public var correction = Correction.none
    /// Kind of the source, the key `Source` of the D-Bus type; empty: unknown.
    public var source: String = ""
    /// Satellites used, −1 unknown.
    public var satellites: Int = -1

    /// A fix with place, accuracy and times; everything else unknown.
    public init(
        realMicroseconds: Int64, bootMicroseconds: Int64, latitude: Double, longitude: Double,
        horizontalAccuracy: Double
    ) {
        self.realMicroseconds = realMicroseconds
        self.bootMicroseconds = bootMicroseconds
        self.latitude = latitude
        self.longitude = longitude
        self.horizontalAccuracy = horizontalAccuracy
    }

    /// Height in metres for models of the earth's field: above the ellipsoid, or above mean sea level where only that is
    /// known (they differ by at most 107 m, which is nothing there), or 0 where nothing is known.
    public var heightForModels: Double {
        guard verticalAccuracy >= 0 else { return 0 }
        if ellipsoidalAltitude.isFinite { return ellipsoidalAltitude }
        return altitude.isFinite ? altitude : 0
    }
}
