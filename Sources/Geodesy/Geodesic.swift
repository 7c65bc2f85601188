internal import CGeodesy

/// Shortest lines on the WGS 84 ellipsoid, by Karney's algorithm (C. F. F. Karney, "Algorithms for geodesics", J. Geodesy
/// 87, 2013) as GeographicLib has it: distances to some nanometres, for nearly antipodal points too.
///
/// Latitudes in degrees north [−90, 90], longitudes in degrees east of any turn. Latitudes out of range and NaN give NaN.
public enum Geodesic {
    /// The line between two points.
    public struct Line: Hashable, Sendable {
        /// Metres, ≥ 0.
        public var metres: Double
        /// Direction at the first point in degrees clockwise from north, [0, 360).
        public var startAzimuth: Double
        /// Direction at the second point, onward, in degrees clockwise from north, [0, 360).
        public var endAzimuth: Double
    }

    /// A point with the direction in which it was reached.
    public struct Destination: Hashable, Sendable {
        /// Degrees north.
        public var latitude: Double
        /// Degrees east, [−180, 180].
        public var longitude: Double
        /// Direction onward in degrees clockwise from north, [0, 360).
        public var azimuth: Double
    }

    /// The shortest line from one point to another. Of equal points the direction is 180 (the library's choice).
    public static func line(
        fromLatitude latitude1: Double, longitude longitude1: Double, toLatitude latitude2: Double,
        longitude longitude2: Double
    ) -> Line {
        var metres = Double.nan
        var start = Double.nan
        var end = Double.nan
        locateme_geodesic_inverse(latitude1, longitude1, latitude2, longitude2, &metres, &start, &end)
        return Line(metres: metres, startAzimuth: compass(start), endAzimuth: compass(end))
    }

    /// Metres between two points.
    public static func distance(
        fromLatitude latitude1: Double, longitude longitude1: Double, toLatitude latitude2: Double,
        longitude longitude2: Double
    ) -> Double {
        line(fromLatitude: latitude1, longitude: longitude1, toLatitude: latitude2, longitude: longitude2).metres
    }

    /// The point in a direction at a distance in metres, which may be negative.
    public static func destination(
        fromLatitude latitude: Double, longitude: Double, azimuth: Double, metres: Double
    ) -> Destination {
        var latitude2 = Double.nan
        var longitude2 = Double.nan
        var azimuth2 = Double.nan
        locateme_geodesic_direct(latitude, longitude, azimuth, metres, &latitude2, &longitude2, &azimuth2)
        return Destination(latitude: latitude2, longitude: longitude2, azimuth: compass(azimuth2))
    }

    /// From [−180, 180] to [0, 360); −0 becomes 0.
    private static func compass(_ degrees: Double) -> Double {
        let turned = degrees < 0 ? degrees + 360 : degrees
        return turned >= 360 ? 0 : turned + 0
    }
}
