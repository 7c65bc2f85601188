internal import MessageBus

/// The properties of `Status1`: the latest heading and place, as far as the caller may know them.
public struct StatusSnapshot: Hashable, Sendable {
    /// Degrees clockwise from magnetic north, [0, 360); −1: no session runs or nothing is valid.
    public var magneticHeading: Double
    /// Degrees clockwise from true north, [0, 360); −1 likewise, or without a place or location permission.
    public var trueHeading: Double
    /// Degrees, 95 %; −1: invalid.
    public var headingAccuracy: Double
    /// UTC in microseconds since the Unix epoch; 0: none.
    public var headingRealMicroseconds: Int64
    /// Degrees north; NaN: unknown or not permitted.
    public var latitude: Double
    /// Degrees east; NaN: unknown or not permitted.
    public var longitude: Double
    /// Metres, 68 %; −1: unknown or not permitted.
    public var horizontalAccuracy: Double
    /// UTC in microseconds since the Unix epoch; 0: none.
    public var locationRealMicroseconds: Int64

    init(_ properties: [String: BusValue]) {
        magneticHeading = properties["MagneticHeading"]?.doubleValue ?? -1
        trueHeading = properties["TrueHeading"]?.doubleValue ?? -1
        headingAccuracy = properties["HeadingAccuracy"]?.doubleValue ?? -1
        headingRealMicroseconds = properties["HeadingTime"]?.int64Value ?? 0
        latitude = properties["Latitude"]?.doubleValue ?? .nan
        longitude = properties["Longitude"]?.doubleValue ?? .nan
        horizontalAccuracy = properties["HorizontalAccuracy"]?.doubleValue ?? -1
        locationRealMicroseconds = properties["LocationTime"]?.int64Value ?? 0
    }
}
