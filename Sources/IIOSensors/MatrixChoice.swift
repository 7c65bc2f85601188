internal import Geometry

/// The mount matrix of one sensor and where it came from.
///
/// Order: override, then `in_<type>_mount_matrix`, `mount_matrix`, `in_mount_matrix`, then identity
/// (Documentation/ABI/testing/sysfs-bus-iio of Linux has the three spellings). Only names that end in
/// `mount_matrix` count: `in_accel_matrix` of older vendor drivers is another thing and often all zero.
struct MatrixChoice: Sendable {
    /// Chip to device frame.
    var matrix: MountMatrix = .identity
    /// `override`, the attribute's file name, or `identity` if no attribute holds a matrix.
    var source = "identity"
    /// An attribute that was passed over because it is no matrix or a singular one, with its text.
    var rejected: (attribute: String, text: String)?

    /// The matrix for a type such as `magn` of a device, under the sensor id `sensor`.
    init(device: DeviceDescription, type: String, sensor: String, overrides: SensorOverrides) {
        if let matrix = overrides.mountMatrices[sensor] ?? overrides.mountMatrices["\(device.name)/\(type)"] {
            self.matrix = matrix
            source = "override"
            return
        }
        for attribute in ["in_\(type)_mount_matrix", "mount_matrix", "in_mount_matrix"] {
            guard let text = device.attributes[attribute] else { continue }
            if let matrix = MountMatrix(kernelText: text) {
                self.matrix = matrix
                source = attribute
                return
            }
            rejected = rejected ?? (attribute, text)
        }
    }

    /// True if the attribute says nothing: drivers print identity when no matrix was declared.
    var isUndeclared: Bool { source != "override" && matrix == .identity }
}
