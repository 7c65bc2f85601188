internal import LocateMeModel

/// How the IIO ABI names a kind of sensor and in which unit it speaks
/// (Documentation/ABI/testing/sysfs-bus-iio of Linux).
struct SensorType: Sendable {
    /// The kind.
    let kind: SensorKind
    /// The type in attribute names: `magn` in `in_magn_x_raw`.
    let name: String
    /// The channels' ids: x, y, z, or alternatives of which the first present is used.
    let axes: [String]
    /// Our unit per unit of the ABI: 100 µT per gauss, 1 for m/s², rad/s and degrees.
    let unitsPerIIOUnit: Double

    /// The three kinds with axes.
    static let threeAxis = [
        SensorType(kind: .magnetometer, name: "magn", axes: ["magn_x", "magn_y", "magn_z"], unitsPerIIOUnit: 100),
        SensorType(
            kind: .accelerometer, name: "accel", axes: ["accel_x", "accel_y", "accel_z"], unitsPerIIOUnit: 1),
        SensorType(
            kind: .gyroscope, name: "anglvel", axes: ["anglvel_x", "anglvel_y", "anglvel_z"], unitsPerIIOUnit: 1),
    ]

    /// A heading computed by a sensor hub, tilt-compensated if there is a choice.
    static let hubHeading = SensorType(
        kind: .hubHeading, name: "rot", axes: ["rot_from_north_magnetic_tilt_comp", "rot_from_north_magnetic"],
        unitsPerIIOUnit: 1)

    /// The attitude that a hub computes, from which a heading follows.
    static let attitude = SensorType(kind: .hubHeading, name: "rot", axes: ["rot_quaternion"], unitsPerIIOUnit: 1)

    /// Coarser magnetometers are Hall switches. The coarsest compass chips count 0.006 G (AK8963, AK09911), times
    /// their factory adjustment (ASA + 128) / 256 of up to 1.496; AMD's hubs count whole microtesla, 0.01 G.
    static let coarsestGaussPerCount = 0.0101
}
