/// Tells fast roads from others by the speed, with hysteresis: on after 5 s at 20 m/s or more, off after 5 s below 17 m/s.
///
/// On a fast road a vehicle's distance filter widens to 400 m. That is for sessions that have chosen to be told seldom
/// (a minimum interval above 15 s): one that wants each second wants it on the motorway too.
public struct HighwayMode: Hashable, Sendable {
    /// m/s.
    public static let fast = 20.0
    /// m/s.
    public static let slow = 17.0
    /// Microseconds that the speed must last.
    public static let patience: Int64 = 5_000_000
    /// Metres of the distance filter on a fast road.
    public static let distanceFilter = 400.0
    /// Milliseconds of the minimum interval above which a session takes part.
    public static let guardMilliseconds: UInt32 = 15_000

    /// True on a fast road.
    public private(set) var isOn = false
    private var since: Int64?

    /// Not on a fast road.
    public init() {}

    /// Takes a speed in m/s, nil if unknown, at a CLOCK_BOOTTIME in µs. An unknown speed changes nothing.
    public mutating func update(speed: Double?, bootMicroseconds: Int64) {
        guard let speed, speed.isFinite else { return }
        guard isOn ? speed < Self.slow : speed >= Self.fast else {
            since = nil
            return
        }
        let start = since ?? bootMicroseconds
        since = start
        guard bootMicroseconds - start >= Self.patience else { return }
        isOn.toggle()
        since = nil
    }
}
