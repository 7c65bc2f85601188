internal import Geometry
internal import LocateMeModel

extension MatrixChoice {
    /// What is worth telling about the matrix of a sensor.
    func findings(type: SensorType, sensor: String) -> [Finding] {
        var findings: [Finding] = []
        if let rejected {
            findings.append(
                Finding(
                    code: "\(type.name)-matrix-invalid", severity: .warning, sensor: sensor,
                    text:
                        "\(rejected.attribute) holds '\(rejected.text)', which is no usable matrix; \(source) is used",
                    remedy: "correct the mount-matrix of the devicetree, or set the matrix in the configuration"))
        }
        if hwdbMirrors {
            let z =
                hasDerivedZ
                ? "; its z would make the chip left-handed and is taken from x and y instead"
                : ", which is right for a chip that follows the IIO sign"
            findings.append(
                Finding(
                    code: "udev-matrix-improper-det-minus-1", severity: hasDerivedZ ? .warning : .info, sensor: sensor,
                    text: "ACCEL_MOUNT_MATRIX of the hwdb mirrors (determinant -1)\(z)",
                    remedy: "if headings go wrong when the device is tilted, find the matrix with headingctl mount"))
        } else if hasDerivedZ {
            findings.append(
                Finding(
                    code: "udev-matrix-z-derived", severity: .warning, sensor: sensor,
                    text:
                        "ACCEL_MOUNT_MATRIX of the hwdb would make the chip left-handed; its z is taken from x and y instead",
                    remedy: "if headings go wrong when the device is tilted, find the matrix with headingctl mount"))
        }
        if matrix.isReflection {
            findings.append(
                Finding(
                    code: "\(type.name)-matrix-improper-det-minus-1", severity: .warning, sensor: sensor,
                    text:
                        "the mount matrix from \(source) mirrors (determinant -1), so one axis may point the wrong way",
                    remedy: "find the true matrix with headingctl mount"))
        }
        if !matrix.isReflection, !matrix.isRotation {
            findings.append(
                Finding(
                    code: "\(type.name)-matrix-no-turn", severity: .warning, sensor: sensor,
                    text: "the mount matrix from \(source) is no turn: it stretches or skews what the chip measures",
                    remedy: "find the true matrix with headingctl mount"))
        }
        // For a gyroscope it is the accelerometer's, which sits in the same chip.
        if isUndeclared, source != "identity", type.kind != .gyroscope {
            findings.append(
                Finding(
                    code: "\(type.name)-matrix-undeclared-identity-shown", severity: .info, sensor: sensor,
                    text: "\(source) shows the identity, which drivers also print when no matrix was declared",
                    remedy: "if headings are turned or mirrored, find the matrix with headingctl mount"))
        }
        return findings
    }
}
