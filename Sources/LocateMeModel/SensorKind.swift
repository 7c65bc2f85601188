/// The kinds of sensor that a heading is made of.
public enum SensorKind: String, Hashable, Sendable, CaseIterable {
    /// Three-axis magnetometer.
    case magnetometer
    /// Three-axis accelerometer.
    case accelerometer
    /// Three-axis gyroscope.
    case gyroscope
    /// A hub that computes a heading itself.
    case hubHeading

    /// The `kind` of `Manager1.Sources`: iio-magn, iio-accel, iio-gyro, iio-rot.
    public var sourceKind: String {
        switch self {
        case .magnetometer: "iio-magn"
        case .accelerometer: "iio-accel"
        case .gyroscope: "iio-gyro"
        case .hubHeading: "iio-rot"
        }
    }
}
