internal import Geodesy
public import LocateMeModel

extension Fix {
    /// Metres over ground to another fix, on the WGS 84 ellipsoid; altitudes do not count.
    public func metres(to other: Fix) -> Double {
        Geodesic.distance(
            fromLatitude: latitude, longitude: longitude, toLatitude: other.latitude, longitude: other.longitude)
    }
}
