/// Which edge of the screen is up, in the words of net.hadess.SensorProxy's `AccelerometerOrientation`.
public enum ScreenOrientation: String, Hashable, Sendable, CaseIterable {
    /// Not known: no reading yet, or the device has lain flat since the first one.
    case undefined
    /// The top edge is up.
    case normal
    /// The bottom edge is up.
    case bottomUp = "bottom-up"
    /// The left edge is up.
    case leftUp = "left-up"
    /// The right edge is up.
    case rightUp = "right-up"

    /// Where "up" points in the plane of the screen: degrees from the top edge towards the right edge.
    var upDegrees: Double {
        switch self {
        case .undefined: .nan
        case .normal: 0
        case .rightUp: 90
        case .bottomUp: 180
        case .leftUp: -90
        }
    }
}
