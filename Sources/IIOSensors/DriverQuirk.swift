/// What is known of a driver and cannot be read from it. Data, not code: one row per fact.
///
/// Sources: tables of the kernel's drivers (drivers/iio of Linux 7.2), HID sensor usage tables 1.23 section 4.
struct DriverQuirk: Sendable {
    /// IIO `name`s the row is for.
    var names: Set<String>
    /// The accelerometer reads −9.81 on z when it lies face up: gravity's pull instead of the specific force that
    /// the IIO ABI asks for.
    var accelerometerPointsDown = false
    /// Factor for magnetometer scales smaller than `belowGauss`, which that driver prints too small.
    var magneticScale: (belowGauss: Double, factor: Double)?
    /// Rates in Hz for drivers that have a rate attribute and no list.
    var rates: String?
    /// For people: what is wrong and where it is seen.
    var note: String

    /// All rows.
    static let table: [DriverQuirk] = [
        DriverQuirk(
            names: ["accel_3d"], accelerometerPointsDown: true,
            note: "HID sensor hubs report the pull of gravity, the opposite of the IIO convention"),
        DriverQuirk(
            names: ["hmc5843", "hmc5883", "hmc5883l", "hmc5983"], magneticScale: (belowGauss: 0.0001, factor: 100),
            note: "the driver's scale table is 100 times too small for gauss (1/1090 G is printed as 0.000009174)"),
        DriverQuirk(
            names: ["mmc5603", "mmc5633"], rates: "1.2 2 3.5 6.6",
            note: "the driver takes these rates and lists none"),
    ]

    /// The row for a name, nil if nothing is known.
    static func of(_ name: String) -> DriverQuirk? { table.first { $0.names.contains(name) } }
}
