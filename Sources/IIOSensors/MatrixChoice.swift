internal import Geometry

/// The mount matrix of one sensor and where it came from.
///
/// Order: configuration; our udev properties (`LOCATEME_<TYPE>_MOUNT_MATRIX`, `LOCATEME_MOUNT_MATRIX`); for
/// accelerometers systemd's `ACCEL_MOUNT_MATRIX`; the attributes; where those declare nothing the table of quirks; then
/// identity. Attributes are looked for in the order `in_<type>_mount_matrix`, `mount_matrix`, `in_mount_matrix`, for
/// accelerometers as iio-sensor-proxy does: `mount_matrix`, `in_accel_mount_matrix`, `in_mount_matrix`. Only names that
/// end in `mount_matrix` count: `in_accel_matrix` of older vendor drivers is another thing and often all zero.
struct MatrixChoice: Sendable {
    /// Chip to device frame.
    private(set) var matrix: MountMatrix = .identity
    /// `override`, `udev:` and the property, the attribute's file name, `quirk:` and the row, or `identity`.
    private(set) var source = "identity"
    /// An attribute or property that was passed over because it is no matrix or a singular one, with its text.
    private(set) var rejected: (attribute: String, text: String)?
    /// The matrix of systemd's hwdb has determinant −1.
    private(set) var hwdbMirrors = false
    /// The z row was not taken from systemd's hwdb but made right-handed.
    private(set) var hasDerivedZ = false

    /// The matrix for a type such as `magn` of a device, under the sensor id `sensor`.
    init(
        device: DeviceDescription, type: String, sensor: String, overrides: SensorOverrides, quirks: DeviceQuirks? = nil
    ) {
        let quirks = quirks ?? DeviceQuirks(of: device)
        if let matrix = overrides.matrix(device: device, type: type, sensor: sensor) {
            self.matrix = matrix
            source = "override"
            return
        }
        if let (property, text) = quirks.udevMatrix(type) {
            if let matrix = MountMatrix(kernelText: text) {
                self.matrix = matrix
                source = "udev:" + property
                return
            }
            rejected = (property, text)
        }
        if type != "magn", let text = quirks.hwdbMatrix {
            if let matrix = MountMatrix(kernelText: text) {
                takeHwdb(matrix, sign: quirks.accelerometerSign)
                return
            }
            rejected = rejected ?? ("ACCEL_MOUNT_MATRIX", text)
        }
        let own = "in_\(type)_mount_matrix"
        for attribute in type == "accel"
            ? ["mount_matrix", own, "in_mount_matrix"] : [own, "mount_matrix", "in_mount_matrix"]
        {
            guard let text = device.attributes[attribute] else { continue }
            if let matrix = MountMatrix(kernelText: text) {
                self.matrix = matrix
                source = attribute
                break
            }
            rejected = rejected ?? (attribute, text)
        }
        if matrix == .identity, let (matrix, row) = quirks.matrix(type) {
            self.matrix = matrix
            source = "quirk:" + row
        }
    }

    /// True if the attribute says nothing: drivers print identity when no matrix was declared.
    var isUndeclared: Bool { matrix == .identity && (source == "identity" || source.hasSuffix("mount_matrix")) }

    /// The matrices of systemd's hwdb turn a reading, whatever its sign, into the pull of gravity in the display's frame
    /// (screen up: −1 g), and have been tried by turning screens, so in x and y. For a chip that reads the specific force
    /// the matrix is therefore minus the chip's turn (so that −1 is its right determinant), for one that reads the pull it
    /// is the turn itself. If that is none, its z has the wrong sign: chips are right-handed, so z is the product of x
    /// and y. 154 of the 203 matrices of systemd 252 have determinant −1.
    private mutating func takeHwdb(_ hwdb: MountMatrix, sign: Double) {
        source = "udev:ACCEL_MOUNT_MATRIX"
        hwdbMirrors = hwdb.isReflection
        let rows = hwdb.matrix
        var turn = sign < 0 ? rows : Matrix3(rows.row0 * -1, rows.row1 * -1, rows.row2 * -1)
        if turn.determinant < 0 {
            turn.row2 = turn.row0.cross(turn.row1)
            hasDerivedZ = true
        }
        matrix = MountMatrix(turn) ?? .identity
    }
}
