/// A point of a recorded track, as a file states it. Unknown numbers are NaN.
public struct TrackPoint: Hashable, Sendable {
    /// Degrees north, [−90, 90].
    public var latitude: Double
    /// Degrees east, [−180, 180].
    public var longitude: Double
    /// Metres above mean sea level.
    public var elevation = Double.nan
    /// UTC in microseconds since the Unix epoch; 0 unknown.
    public var realMicroseconds: Int64 = 0
    /// m/s.
    public var speed = Double.nan
    /// Degrees clockwise from true north.
    public var course = Double.nan
    /// Horizontal dilution of precision.
    public var horizontalDilution = Double.nan
    /// Satellites used; −1 unknown.
    public var satellites = -1
    /// Running number of the segment; between two segments there is a gap.
    public var segment: Int

    /// A point with a place alone.
    public init(latitude: Double, longitude: Double, segment: Int) {
        self.latitude = latitude
        self.longitude = longitude
        self.segment = segment
    }
}
