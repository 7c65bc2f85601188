import Geometry
import LocateMeModel
import Testing

@testable import IIOSensors

/// Matrices that come from elsewhere than sysfs: udev, systemd's hwdb, the table of quirks, the configuration.
@Suite("Sources of mount matrices")
struct MatrixSourceTests {
    private func device(_ name: String, _ udev: [String: String], _ attributes: [String: String] = [:])
        -> DeviceDescription
    {
        var device = DeviceDescription(uri: "local:", id: "iio:device0", name: name)
        device.udev = udev
        device.attributes = attributes
        return device
    }

    private func choice(
        _ device: DeviceDescription, _ type: String, _ overrides: SensorOverrides = SensorOverrides()
    ) -> MatrixChoice {
        MatrixChoice(device: device, type: type, sensor: "s", overrides: overrides)
    }

    private let turn = "0, 1, 0; -1, 0, 0; 0, 0, 1"
    private let half = "-1, 0, 0; 0, -1, 0; 0, 0, 1"

    @Test("the configuration goes before udev, udev before sysfs, the particular property before the general one")
    func order() throws {
        let all = device(
            "chip", ["LOCATEME_MOUNT_MATRIX": half, "LOCATEME_MAGN_MOUNT_MATRIX": turn],
            ["in_magn_mount_matrix": "1, 0, 0; 0, -1, 0; 0, 0, -1"])
        #expect(choice(all, "magn").source == "udev:LOCATEME_MAGN_MOUNT_MATRIX")
        #expect(choice(all, "accel").source == "udev:LOCATEME_MOUNT_MATRIX")
        #expect(choice(all, "magn").matrix == MountMatrix(kernelText: turn))
        let configured = SensorOverrides(mountMatrices: ["chip": try #require(MountMatrix(kernelText: half))])
        #expect(choice(all, "magn", configured).source == "override")
        let broken = device("chip", ["LOCATEME_MOUNT_MATRIX": "nonsense"], ["mount_matrix": turn])
        #expect(choice(broken, "magn").source == "mount_matrix")
        #expect(choice(broken, "magn").rejected?.attribute == "LOCATEME_MOUNT_MATRIX")
    }

    @Test("accelerometers take the matrix of the whole device before their own, as iio-sensor-proxy does")
    func accelerometer() {
        let both = device(
            "chip", [:], ["mount_matrix": turn, "in_accel_mount_matrix": half, "in_magn_mount_matrix": half])
        #expect(choice(both, "accel").source == "mount_matrix")
        #expect(choice(both, "magn").source == "in_magn_mount_matrix")
    }

    @Test(
        "a matrix of systemd's hwdb gives 'up' whatever its determinant, and never mirrors",
        arguments: [
            "1, 0, 0; 0, -1, 0; 0, 0, 1", "0, -1, 0; -1, 0, 0; 0, 0, 1", "-1, 0, 0; 0, 1, 0; 0, 0, 1",
            "-1, 0, 0; 0, -1, 0; 0, 0, -1", "1, 0, 0; 0, 1, 0; 0, 0, 1", "0, 1, 0; -1, 0, 0; 0, 0, 1",
        ], ["bmc150_accel", "accel_3d"])
    func hwdb(text: String, name: String) throws {
        let made = choice(device(name, ["ACCEL_MOUNT_MATRIX": text]), "accel")
        let hwdb = try #require(MountMatrix(kernelText: text)?.matrix)
        let sign = name == "accel_3d" ? -1.0 : 1
        #expect(made.matrix.isRotation)
        // In x and y, which turning a screen has proved, the pull of gravity is the matrix times the reading.
        for raw in [Vector3(1, 0, 0), Vector3(0, 1, 0)] {
            let pull = hwdb * raw
            let up = made.matrix.matrix * (raw * sign)
            #expect(up.x == -pull.x && up.y == -pull.y)
        }
        let told = made.findings(type: SensorType.threeAxis[1], sensor: "s").map(\.code)
        #expect(told.contains("udev-matrix-improper-det-minus-1") == (hwdb.determinant < 0))
    }

    @Test("a magnetometer does not take the accelerometer's matrix of systemd's hwdb")
    func magnetometer() {
        #expect(choice(device("chip", ["ACCEL_MOUNT_MATRIX": turn]), "magn").source == "identity")
    }

    @Test("a matrix of the table applies on its machine alone, and only where the device declares none")
    func quirk() {
        var droid = device("ak8975", [:], ["in_mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1"])
        #expect(choice(droid, "magn").source == "in_mount_matrix")
        droid.machine = ["motorola,droid4", "ti,omap4430", "ti,omap4"]
        #expect(choice(droid, "magn").source == "quirk:droid4-magnetometer")
        droid.attributes["in_mount_matrix"] = turn
        #expect(choice(droid, "magn").source == "in_mount_matrix")
    }
}
