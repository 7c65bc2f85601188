internal import Geometry
internal import LocateMeModel

import func Glibc.asin
import func Glibc.cos
import func Glibc.sin

/// Distance over ground between two fixes, for filters that compare it with metres of accuracy.
enum GroundDistance {
    /// Mean radius R₁ of WGS 84 in metres (NGA.STND.0036, table 3.3). The great circle is within 0.6 % of the geodesic.
    static let earthRadius = 6_371_008.8

    /// Metres, by the haversine formula, which stays exact for small distances. Altitudes do not count.
    static func metres(from one: Fix, to other: Fix) -> Double {
        let latitude1 = one.latitude * Angle.radiansPerDegree
        let latitude2 = other.latitude * Angle.radiansPerDegree
        let longitudes = Angle.wrap180(other.longitude - one.longitude) * Angle.radiansPerDegree
        let sinLatitude = sin((latitude2 - latitude1) / 2)
        let sinLongitude = sin(longitudes / 2)
        let square = sinLatitude * sinLatitude + cos(latitude1) * cos(latitude2) * sinLongitude * sinLongitude
        return 2 * earthRadius * asin(min(1, square.squareRoot()))
    }
}
