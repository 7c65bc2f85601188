/// How well the magnetometer is calibrated: the `calibration` of the D-Bus type `Heading`.
public enum CalibrationQuality: UInt32, Hashable, Sendable, Comparable {
    /// Nothing can be said.
    case unknown = 0
    /// Known to be uncalibrated.
    case uncalibrated = 1
    /// Coarse.
    case coarse = 2
    /// Good.
    case good = 3
    /// Very good.
    case veryGood = 4

    /// Ordered by quality, unknown lowest.
    public static func < (left: CalibrationQuality, right: CalibrationQuality) -> Bool {
        left.rawValue < right.rawValue
    }
}
