public import Geometry

/// One reading of one sensor, in SI-like units and in the device frame (x right edge, y top edge, z out of the
/// screen), mount matrix already applied.
public struct SensorSample: Hashable, Sendable {
    /// What was measured.
    public enum Reading: Hashable, Sendable {
        /// Magnetic field in µT, before any calibration of ours.
        case magneticField(Vector3)
        /// Specific force in m/s²: at rest face up +9.81 on z.
        case acceleration(Vector3)
        /// Angular rate in rad/s, right-handed.
        case angularRate(Vector3)
        /// A heading that the hardware computed: degrees magnetic and its accuracy in degrees, NaN if unknown.
        case hubHeading(degrees: Double, accuracyDegrees: Double)
        /// Temperature of the magnetometer in °C.
        case temperature(degreesCelsius: Double)
    }

    /// CLOCK_BOOTTIME of the reading in microseconds; in a recording, time since its start.
    public var bootMicroseconds: Int64
    /// The reading.
    public var reading: Reading

    /// A reading at a time.
    public init(bootMicroseconds: Int64, reading: Reading) {
        self.bootMicroseconds = bootMicroseconds
        self.reading = reading
    }
}
