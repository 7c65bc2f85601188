/// A stay at a place. Times in µs since the Unix epoch.
public struct Visit: Hashable, Sendable {
    /// When it began; `Int64.min` if that was before anybody looked.
    public var arrival: Int64
    /// When it ended; `Int64.max` while it lasts.
    public var departure: Int64
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
    /// Metres, 68 %.
    public var accuracy: Double

    /// A visit.
    public init(arrival: Int64, departure: Int64, latitude: Double, longitude: Double, accuracy: Double) {
        self.arrival = arrival
        self.departure = departure
        self.latitude = latitude
        self.longitude = longitude
        self.accuracy = accuracy
    }

    /// True while it lasts.
    public var isOpen: Bool { departure == .max }
}
