import Geometry
import LocateMeModel
import Testing

@testable import IIOSensors

@Suite("Choice of sensors")
struct SensorChoiceTests {
    /// A device with x, y, z of the types, a scale each, and raw values.
    private func device(
        _ number: Int, _ name: String, _ scales: [String: String], path: String = "", attributes: [String: String] = [:]
    ) -> DeviceDescription {
        var device = DeviceDescription(uri: "local:", id: "iio:device\(number)", name: name)
        device.path = path.isEmpty ? "/sys/devices/i2c-\(number)/iio:device\(number)" : path
        for (type, scale) in scales {
            for axis in "xyz" {
                device.channels.append(.init(id: "\(type)_\(axis)", isScanElement: true))
                device.attributeNames.insert("in_\(type)_\(axis)_raw")
            }
            device.attributes["in_\(type)_scale"] = scale
        }
        device.attributes.merge(attributes) { _, new in new }
        device.attributeNames.formUnion(device.attributes.keys)
        return device
    }

    private func choose(_ devices: [DeviceDescription], _ overrides: SensorOverrides = SensorOverrides())
        -> SensorChoice
    {
        SensorChoice(devices.flatMap { SensorCandidate.all(of: $0, overrides: overrides) })
    }

    private func reason(_ choice: SensorChoice, _ id: String) -> String? {
        choice.candidates.map(\.description).first { $0.id == id }?.reason
    }

    @Test(
        "Hall switches are no compass, compass chips are",
        arguments: [
            // hardware.md's drivers, gauss per count: ak8963 with ASA 255, ak8974, rm3100, yas530; tlv493d, tmag5273
            ("0.006000", true), ("0.008976", true), ("0.005859", true), ("0.000133", true), ("0.000000010", true),
            ("0.980000", false), ("0.012207", false), ("0", false), ("nan", false),
        ])
    func coarseness(scale: String, isUsable: Bool) {
        let choice = choose([device(0, "chip", ["magn": scale]), device(1, "a", ["accel": "0.01"])])
        #expect(choice.selected.contains { $0.description.kind == .magnetometer } == isUsable)
        #expect(reason(choice, "local:/iio:device0/magn")?.isEmpty == false)
    }

    @Test("a sensor with one axis or with outputs is refused with the reason")
    func incomplete() throws {
        var hall = DeviceDescription(uri: "local:", id: "iio:device0", name: "si7210")
        hall.channels = [.init(id: "magn")]
        hall.attributeNames = ["in_magn_raw"]
        var outputs = DeviceDescription(uri: "local:", id: "iio:device1", name: "vendor")
        outputs.channels = ["accel_x", "accel_y", "accel_z"].map { .init(id: $0, isOutput: true) }
        let choice = choose([hall, outputs])
        #expect(choice.selected.isEmpty)
        #expect(reason(choice, "local:/iio:device0/magn") == "it has one axis only; x, y and z are needed")
        #expect(reason(choice, "local:/iio:device1/accel")?.contains("outputs") == true)
        let codes = choice.candidates.flatMap(\.findings).map(\.code)
        #expect(codes == ["output-direction-accel-ignored"])
    }

    @Test("scale and offset are taken per axis, then shared, then neutral, with all digits")
    func scales() throws {
        let chip = device(
            0, "lsm303dlhc_magn", ["magn": "0.5"],
            attributes: [
                "in_magn_x_scale": "0.000909090", "in_magn_y_scale": "0.000909090", "in_magn_z_scale": "0.001020408",
                "in_magn_offset": "3", "in_magn_y_offset": "-7",
            ])
        let candidate = try #require(SensorCandidate.all(of: chip, overrides: SensorOverrides()).first)
        #expect(candidate.transform.offset == Vector3(3, -7, 3))
        #expect(candidate.transform.scale == Vector3(0.00090909 * 100, 0.00090909 * 100, 0.001020408 * 100))
        let bare = device(1, "bare", ["accel": "x"])
        let accelerometer = try #require(SensorCandidate.all(of: bare, overrides: SensorOverrides()).first)
        #expect(accelerometer.transform.scale == Vector3(1, 1, 1))
        #expect(accelerometer.transform.offset == .zero)
    }

    @Test("the scale that hmc5843's driver prints a hundred times too small is mended, a right one is left")
    func hmcScale() throws {
        for (text, microtesla) in [("0.000009174", 0.09174), ("0.000730000", 0.073)] {
            let chip = device(0, "hmc5883l", ["magn": text])
            let candidate = try #require(SensorCandidate.all(of: chip, overrides: SensorOverrides()).first)
            #expect(abs(candidate.description.scale.x - microtesla) < 1e-9)
        }
    }

    @Test("of two magnetometers the one in the lid goes before the finer one, the finer before the first")
    func magnetometers() {
        let coarse = device(0, "coarse", ["magn": "0.001"])
        let fine = device(1, "fine", ["magn": "0.0001"])
        let lid = device(2, "lid", ["magn": "0.003"], attributes: ["location": "lid"])
        let accelerometer = device(3, "a", ["accel": "0.01"])
        #expect(choose([coarse, fine, accelerometer]).selected.first?.description.name == "fine")
        let all = choose([coarse, fine, lid, accelerometer])
        #expect(all.selected.first?.description.name == "lid")
        #expect(
            reason(all, "local:/iio:device1/magn") == "local:/iio:device2/magn is used: it sits nearer to the screen")
    }

    @Test("the accelerometer of the same device, else of the same bus, goes with the magnetometer")
    func pairing() {
        let nine = device(4, "mpu9250", ["magn": "0.0015", "accel": "0.0006", "anglvel": "0.001"])
        let other = device(0, "accel", ["accel": "0.01"])
        let both = choose([other, nine])
        #expect(Set(both.selected.map(\.deviceID)) == ["iio:device4"])
        let hub = "/sys/devices/pci0000:00/0000:00:13.0/{33AECD58}/001F:8086:22D8"
        let magnetometer = device(
            1, "magn_3d", ["magn": "0.001"], path: "\(hub).0002/HID-SENSOR-200083.13.auto/iio:device1")
        let near = device(3, "accel_3d", ["accel": "0.01"], path: "\(hub).0002/HID-SENSOR-200073.9.auto/iio:device3")
        let far = device(
            2, "accel_3d", ["accel": "0.01"], path: "/sys/devices/usb1/HID-SENSOR-200073.1.auto/iio:device2")
        let chosen = choose([far, magnetometer, near])
        #expect(chosen.selected.map(\.deviceID) == ["iio:device1", "iio:device3"])
    }

    @Test("lid and base do not go together, and a keyboard's accelerometer is not taken where the lid has one")
    func lidAndBase() {
        let magnetometer = device(0, "cros-ec-mag", ["magn": "0.0006"], attributes: ["location": "lid"])
        let base = device(1, "cros-ec-accel", ["accel": "0.0006"], attributes: ["label": "accel-base"])
        let lid = device(2, "cros-ec-accel", ["accel": "0.0006"], attributes: ["label": "accel-display"])
        #expect(choose([magnetometer, base, lid]).selected.map(\.deviceID) == ["iio:device0", "iio:device2"])
    }

    @Test("the configuration prefers, ignores, and gives matrices")
    func overrides() throws {
        let first = device(
            0, "ak8963", ["magn": "0.0015"], attributes: ["in_mount_matrix": "1, 0, 0; 0, 1, 0; 0, 0, 1"])
        let second = device(1, "lis3mdl", ["magn": "0.000146"])
        let accelerometer = device(2, "a", ["accel": "0.01"])
        let devices = [first, second, accelerometer]
        let preferring = choose(devices, SensorOverrides(preferred: ["local:/iio:device0/magn"]))
        #expect(preferring.selected.first?.description.name == "ak8963")
        let ignoring = choose(devices, SensorOverrides(ignored: ["lis3mdl"]))
        #expect(ignoring.selected.first?.description.name == "ak8963")
        #expect(reason(ignoring, "local:/iio:device1/magn") == "the configuration says to ignore it")
        let matrix = try #require(MountMatrix(kernelText: "0, 1, 0; -1, 0, 0; 0, 0, 1"))
        let turned = choose(devices, SensorOverrides(mountMatrices: ["ak8963/magn": matrix], ignored: ["lis3mdl"]))
        #expect(turned.selected.first?.description.matrixSource == "override")
        #expect(turned.selected.first?.description.mountMatrix == matrix.matrix)
    }

    @Test("the hub's heading is used only where magnetometer and accelerometer are not both there")
    func hubHeading() {
        var hub = device(0, "magn_3d", ["magn": "0.001"], attributes: ["in_rot_scale": "1"])
        hub.channels.append(.init(id: "rot_from_north_magnetic_tilt_comp", isScanElement: true))
        hub.attributeNames.insert("in_rot_from_north_magnetic_tilt_comp_raw")
        #expect(choose([hub]).selected.map(\.description.kind) == [.hubHeading])
        let accelerometer = device(1, "accel_3d", ["accel": "0.0098"])
        #expect(choose([hub, accelerometer]).selected.map(\.description.kind) == [.magnetometer, .accelerometer])
    }

    @Test("without a magnetometer nothing is chosen")
    func noMagnetometer() {
        let choice = choose([device(0, "bmi323", ["accel": "0.01", "anglvel": "0.001"])])
        #expect(choice.selected.isEmpty)
        #expect(reason(choice, "local:/iio:device0/accel") == "there is no magnetometer to go with it")
    }

    @Test("the screen's accelerometer is that of the heading, else one that turns with the screen, else none")
    func orientation() {
        func chosen(_ devices: [DeviceDescription]) -> String? { choose(devices).orientation?.deviceID }
        let alone = device(0, "bma250e", ["accel": "0.0384"])
        let base = device(1, "accel-base", ["accel": "0.01"], attributes: ["label": "accel-base"])
        let display = device(2, "accel-lid", ["accel": "0.01"], attributes: ["label": "accel-display"])
        let imu = device(3, "imu", ["accel": "0.0006", "magn": "0.0015"])
        var hub = device(4, "magn_3d", [:], attributes: ["in_rot_scale": "0.1"])
        hub.channels.append(.init(id: "rot_from_north_magnetic_tilt_comp", isScanElement: true))
        hub.attributeNames.insert("in_rot_from_north_magnetic_tilt_comp_raw")
        #expect(chosen([alone]) == "iio:device0")
        #expect(choose([alone]).selected.isEmpty)
        // Facts about iio-sensor-proxy: an accelerometer in the base is none that turns the screen.
        #expect(chosen([base]) == nil)
        #expect(chosen([base, display]) == "iio:device2")
        #expect(chosen([alone, imu]) == "iio:device3")
        #expect(chosen([alone, hub]) == "iio:device0")
    }

    @Test("light and proximity go by buffer where the device has one that is not the heading's")
    func ambient() throws {
        var hub = device(0, "als", [:], attributes: ["in_illuminance_raw": "1", "in_illuminance_scale": "0.1"])
        hub.channels.append(.init(id: "illuminance", isScanElement: true))
        let buffered = try #require(AmbientChannel.best(.light, of: [hub]))
        #expect(buffered.scanElement == "illuminance" && buffered.fileName == "in_illuminance_raw")
        #expect(buffered.scale == 0.1 && buffered.isLux)
        let shared = device(1, "combo", ["accel": "0.01"], attributes: ["in_proximity_raw": "1"])
        var both = shared
        both.channels.append(.init(id: "proximity", isScanElement: true))
        #expect(try #require(AmbientChannel.best(.proximity, of: [both])).scanElement == nil)
        var silent = device(2, "prox", [:])
        silent.channels.append(.init(id: "proximity", isScanElement: true))
        silent.udev = ["PROXIMITY_NEAR_LEVEL": "120"]
        let only = try #require(AmbientChannel.best(.proximity, of: [silent]))
        #expect(only.scanElement == "proximity" && only.fileName == nil && only.nearLevel == 120)
        #expect(AmbientChannel.best(.light, of: [silent, both]) == nil)
    }

    @Test("a scale that cannot be read refuses the sensor, with the error")
    func unreadableScale() {
        var chip = device(0, "chip", ["magn": "0.001"])
        chip.attributes["in_magn_scale"] = nil
        chip.unreadable["in_magn_scale"] = 5
        let choice = choose([chip])
        #expect(
            reason(choice, "local:/iio:device0/magn")?.contains("in_magn_scale cannot be read: Input/output error")
                == true)
    }
}

@Suite("Mount matrices of devices")
struct MatrixChoiceTests {
    private func choose(_ attributes: [String: String], overrides: SensorOverrides = SensorOverrides()) -> MatrixChoice
    {
        var device = DeviceDescription(uri: "local:", id: "iio:device0", name: "chip")
        device.attributes = attributes
        return MatrixChoice(device: device, type: "magn", sensor: "local:/iio:device0/magn", overrides: overrides)
    }

    private let turn = "0, 1, 0; -1, 0, 0; 0, 0, 1"
    private let half = "-1, 0, 0; 0, -1, 0; 0, 0, 1"
    private let mirror = "1, 0, 0; 0, -1, 0; 0, 0, 1"

    @Test("the type's own attribute goes before the device's, that before the direction's")
    func order() {
        #expect(
            choose(["in_magn_mount_matrix": turn, "mount_matrix": half, "in_mount_matrix": mirror]).source
                == "in_magn_mount_matrix")
        #expect(choose(["mount_matrix": half, "in_mount_matrix": mirror]).source == "mount_matrix")
        #expect(choose(["in_mount_matrix": turn]).source == "in_mount_matrix")
        #expect(choose([:]).source == "identity")
        #expect(choose(["in_accel_mount_matrix": turn]).source == "identity")
    }

    @Test("vendor attributes that only look like matrices do not count")
    func legacyAttributes() {
        // masneyb/nexus-5-upstream: in_accel_matrix and in_gyro_matrix are all zeros
        let choice = choose(["in_magn_matrix": "0, 0, 0; 0, 0, 0; 0, 0, 0", "in_mount_matrix": turn])
        #expect(choice.source == "in_mount_matrix")
        #expect(choice.rejected == nil)
    }

    @Test(
        "singular and broken matrices are passed over and told",
        arguments: ["0, 0, 0; 0, 0, 0; 0, 0, 0", "1, 0; 0, 1", "", "a, b, c; d, e, f; g, h, i"])
    func invalid(text: String) throws {
        let choice = choose(["mount_matrix": text, "in_mount_matrix": turn])
        #expect(choice.source == "in_mount_matrix")
        let codes = choice.findings(type: SensorType.threeAxis[0], sensor: "s").map(\.code)
        #expect(codes == ["magn-matrix-invalid"])
    }

    @Test("a reflection is applied as it stands, and told")
    func reflection() {
        let choice = choose(["mount_matrix": mirror])
        #expect(choice.matrix.isReflection)
        let codes = choice.findings(type: SensorType.threeAxis[0], sensor: "s").map(\.code)
        #expect(codes == ["magn-matrix-improper-det-minus-1"])
    }

    @Test("identity from an attribute is no statement, identity from the configuration is")
    func identity() {
        let text = "1, 0, 0; 0, 1, 0; 0, 0, 1"
        let shown = choose(["in_mount_matrix": text]).findings(type: SensorType.threeAxis[0], sensor: "s").map(\.code)
        #expect(shown == ["magn-matrix-undeclared-identity-shown"])
        let set = choose([:], overrides: SensorOverrides(mountMatrices: ["local:/iio:device0/magn": .identity]))
        #expect(set.findings(type: SensorType.threeAxis[0], sensor: "s").isEmpty)
    }
}

@Suite("Triggers")
struct TriggerChoiceTests {
    private func device(_ number: Int, _ name: String, current: String = "") -> DeviceDescription {
        var device = DeviceDescription(uri: "local:", id: "iio:device\(number)", name: name)
        device.currentTrigger = current
        return device
    }

    private func trigger(_ number: Int, _ name: String, hasRate: Bool = false) -> DeviceDescription {
        var trigger = DeviceDescription(uri: "local:", id: "trigger\(number)", name: name)
        trigger.isTrigger = true
        if hasRate { trigger.attributeNames = ["sampling_frequency"] }
        return trigger
    }

    @Test(
        "data-ready triggers are found by the names that drivers give them",
        arguments: [
            // hid-sensor, bmc150; st_sensors; rm3100
            ("magn_3d", 2, "magn_3d-dev2", true), ("lis3mdl", 0, "lis3mdl-trigger", true),
            ("rm3100", 1, "rm3100-drdy1", true),
            ("gyro_3d", 3, "gyro_3d-dev2", false), ("magn_3d", 12, "magn_3d-dev1", false),
            ("lis3mdl", 0, "lis3mdl_accel-trigger", false),
            ("chip", 0, "chip-devx", false), ("", 0, "-trigger", false),
        ])
    func own(name: String, number: Int, trigger: String, belongs: Bool) {
        #expect(TriggerChoice.belongs(trigger, to: device(number, name)) == belongs)
    }

    @Test("first the trigger that is set, then the device's own, then timers; never another device's")
    func order() {
        let magnetometer = device(0, "lis3mdl", current: "sysfstrig7")
        let all = [
            magnetometer, device(1, "lsm6ds3_accel"), trigger(0, "hrtimer0", hasRate: true),
            trigger(1, "lis3mdl-trigger"),
            trigger(2, "lsm6ds3_accel-trigger", hasRate: true), trigger(3, "sysfstrig7"), trigger(4, "sysfstrig8"),
        ]
        #expect(TriggerChoice(for: magnetometer, among: all).names == ["sysfstrig7", "lis3mdl-trigger", "hrtimer0"])
    }
}
