internal import CompassDiagnosis
internal import Geometry
internal import LocateMeModel

/// What `headingctl mount` has found, for people, for udev's hardware database and as an object.
struct MountReport {
    /// What was found.
    let result: MountFinder.Result
    /// The magnetometer whose matrix it is.
    let magnetometer: SensorDescription
    /// The accelerometer it was compared with.
    let accelerometer: SensorDescription
    /// The firmware's name of the machine as udev matches it, `*` if there is none.
    let machine: String

    /// Degrees from which on the small turn between the chips is worth a matrix of odd numbers; below it is noise and soft iron.
    private static let worthwhileSkew = 3.0
    private static let absurdSkew = 15.0

    private var usesSkew: Bool {
        result.skewDegrees >= Self.worthwhileSkew && result.skewDegrees <= Self.absurdSkew
    }

    /// The magnetometer's mount matrix as it should be.
    var magnetometerMatrix: Matrix3 {
        (usesSkew ? result.magnetometer : result.turn) * magnetometer.mountMatrix
    }

    /// The accelerometer's; nil if no poses were taken.
    var accelerometerMatrix: Matrix3? { result.accelerometer.map { $0 * accelerometer.mountMatrix } }

    /// True if a matrix is wrong.
    var isAnythingWrong: Bool { result.magnetometerIsWrong || result.accelerometerIsWrong || usesSkew }

    /// Lines for a file in /etc/udev/hwdb.d; none if nothing is wrong.
    var hwdbLines: [String] {
        let isOneDevice = !magnetometer.path.isEmpty && magnetometer.path == accelerometer.path
        var lines: [String] = []
        func entry(_ sensor: SensorDescription, _ word: String, _ matrix: Matrix3) {
            lines.append("locateme:name:\(TextWidth.clean(sensor.name)):\(machine)")
            lines.append(" LOCATEME_\(isOneDevice ? word : "")MOUNT_MATRIX=\(AxisTurn.text(matrix))")
        }
        if result.magnetometerIsWrong || usesSkew { entry(magnetometer, "MAGN_", magnetometerMatrix) }
        if result.accelerometerIsWrong, let matrix = accelerometerMatrix { entry(accelerometer, "ACCEL_", matrix) }
        return lines
    }

    /// What was found in words, one sentence a line.
    var lines: [String] {
        var lines: [String] = []
        switch (result.accelerometerIsWrong, result.magnetometerIsWrong) {
        case (true, false):
            lines.append("The accelerometer's matrix is the wrong one; the magnetometer's is right.")
        case (true, true): lines.append("Both matrices are wrong.")
        case (false, true):
            lines.append(
                result.accelerometer == nil
                    ? "The magnetometer does not fit the accelerometer; this takes the accelerometer's matrix for right."
                    : "The accelerometer's matrix is right; the magnetometer's is wrong.")
        case (false, false):
            lines.append(
                result.accelerometer == nil
                    ? "The two matrices fit each other." : "Both matrices are right.")
        }
        lines.append("Magnetometer \(name(magnetometer)): mount matrix \(AxisTurn.text(magnetometerMatrix))")
        if magnetometerMatrix != magnetometer.mountMatrix {
            lines.append(
                "              it was \(AxisTurn.text(magnetometer.mountMatrix)) (\(magnetometer.matrixSource))")
        }
        if let matrix = accelerometerMatrix {
            lines.append("Accelerometer \(name(accelerometer)): mount matrix \(AxisTurn.text(matrix))")
            if matrix != accelerometer.mountMatrix {
                lines.append(
                    "              it was \(AxisTurn.text(accelerometer.mountMatrix)) (\(accelerometer.matrixSource))")
            }
        }
        let remainder = DecimalText.fixed(result.remainder * 100, decimals: 1)
        let skew =
            usesSkew
            ? "; the chips are askew by \(DecimalText.fixed(result.skewDegrees, decimals: 1))°, which is in the matrix"
            : ""
        lines.append(
            "Found from \(result.pairs) attitudes; \(remainder) % of the field's scatter is left over\(skew).")
        if magnetometerMatrix.determinant < 0 {
            lines.append("This matrix mirrors: the chip's axes are left-handed.")
        }
        if result.isSignAssumed, result.magnetometerIsWrong {
            lines.append(
                "No place is known, so axes are taken for right-handed. If headings come out mirrored, try again with --place LAT,LON."
            )
        }
        if !hwdbLines.isEmpty {
            lines += ["", "For /etc/udev/hwdb.d/61-locateme-local.hwdb:", ""] + hwdbLines
            lines += ["", "Then: systemd-hwdb update && udevadm trigger -s iio, and restart locatemed."]
        }
        return lines
    }

    /// The same as an object.
    var json: JSONValue {
        func array(_ matrix: Matrix3?) -> JSONValue {
            matrix.map { .array($0.rowMajor.map { .number($0, decimals: 6) }) } ?? .null
        }
        return .object([
            ("magnetometer", .string(magnetometer.name)), ("magnetometer_wrong", .bool(result.magnetometerIsWrong)),
            ("magnetometer_matrix", array(magnetometerMatrix)),
            ("accelerometer", .string(accelerometer.name)),
            ("accelerometer_wrong", result.accelerometer == nil ? .null : .bool(result.accelerometerIsWrong)),
            ("accelerometer_matrix", array(accelerometerMatrix)),
            ("skew_degrees", .number(result.skewDegrees, decimals: 2)),
            ("remainder", .number(result.remainder, decimals: 4)), ("attitudes", .integer(Int64(result.pairs))),
            ("sign_assumed", .bool(result.isSignAssumed)),
            ("hwdb", .array(hwdbLines.map { .string($0) })),
        ])
    }

    private func name(_ sensor: SensorDescription) -> String { TextWidth.clean(sensor.name) }
}
