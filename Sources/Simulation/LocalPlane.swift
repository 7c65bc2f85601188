internal import Geometry

import func Glibc.cos
import func Glibc.sin

/// Metres east and north of a place to degrees and back, on the WGS 84 ellipsoid, with the radii of curvature of that
/// place. Off by 1 m at 3 km distance in middle latitudes, growing with the square of the distance.
struct LocalPlane: Hashable, Sendable {
    private let latitude: Double
    private let longitude: Double
    private let metersPerDegreeNorth: Double
    private let metersPerDegreeEast: Double

    /// At a place in degrees, latitude within ±89.9, and a height in metres.
    init(latitude: Double, longitude: Double, altitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
        // NIMA TR 8350.2: equatorial radius and first eccentricity squared of WGS 84.
        let equatorialRadius = 6_378_137.0
        let eccentricitySquared = 6.694_379_990_14e-3
        let radians = latitude * Angle.radiansPerDegree
        let root = 1 - eccentricitySquared * sin(radians) * sin(radians)
        let primeVertical = equatorialRadius / root.squareRoot()
        let meridian = primeVertical * (1 - eccentricitySquared) / root
        metersPerDegreeNorth = (meridian + altitude) * Angle.radiansPerDegree
        metersPerDegreeEast = (primeVertical + altitude) * cos(radians) * Angle.radiansPerDegree
    }

    /// The place in degrees; longitude in [−180, 180).
    func place(east: Double, north: Double) -> (latitude: Double, longitude: Double) {
        (
            min(max(latitude + north / metersPerDegreeNorth, -90), 90),
            Angle.wrap180(longitude + east / metersPerDegreeEast)
        )
    }

    /// The metres to a place in degrees, the shorter way around the earth.
    func meters(latitude: Double, longitude: Double) -> (east: Double, north: Double) {
        (
            Angle.wrap180(longitude - self.longitude) * metersPerDegreeEast,
            (latitude - self.latitude) * metersPerDegreeNorth
        )
    }
}
