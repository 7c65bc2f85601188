/// Which sensors a heading was made from: the key `Source` of the D-Bus type `Heading`.
public enum HeadingSource: String, Hashable, Sendable {
    /// Magnetometer, accelerometer and gyroscope.
    case fused9 = "fused-9"
    /// Magnetometer and gyroscope, or magnetometer and accelerometer carried through motion.
    case fused6 = "fused-6"
    /// Magnetometer and accelerometer: a tilt-compensated compass.
    case tilt
    /// Magnetometer alone, the device declared level.
    case flat
    /// A hub computed it.
    case hub
    /// A compass that sends NMEA 0183.
    case nmea
    /// Not said, or said in a word that this version does not know. Never stated by our own estimator.
    case unknown
}
