import func Glibc.cos
import func Glibc.sin

/// The WGS 84 ellipsoid (NIMA TR8350.2).
enum Ellipsoid {
    /// Metres.
    static let equatorialRadius = 6_378_137.0
    static let flattening = 1 / 298.257223563
    static let eccentricitySquared = flattening * (2 - flattening)
}

/// Sine and cosine of an angle in degrees, exact at multiples of 90°. The angle is within ±360°.
@inline(__always)
func sineCosine(degrees: Double) -> (sine: Double, cosine: Double) {
    let quarter = (degrees / 90).rounded()
    let rest = (degrees - 90 * quarter) * (Double.pi / 180)
    let s = sin(rest)
    let c = cos(rest)
    switch Int(quarter) & 3 {
    case 0: return (s, c)
    case 1: return (c, -s)
    case 2: return (-s, -c)
    default: return (-c, s)
    }
}
