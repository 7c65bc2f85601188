import Foundation
import Geometry
import LocateMeModel
import TestSupport
import Testing

@testable import IIOSensors

/// Every case of Tests/Fixtures/bug-inputs/sensor that sensors alone can answer, under its id.
@Suite("Bug inputs: sensors")
struct BugInputTests {
    private func vector(_ numbers: [Double]) throws -> Vector3 {
        try #require(numbers.count == 3)
        return Vector3(numbers[0], numbers[1], numbers[2])
    }

    private func device(
        _ name: String, _ type: String, _ attributes: [String: String] = [:], number: Int = 0, path: String = ""
    ) -> DeviceDescription {
        var device = DeviceDescription(uri: "local:", id: "iio:device\(number)", name: name)
        device.path = path
        device.channels = "xyz".map { .init(id: "\(type)_\($0)", isScanElement: true) }
        device.attributeNames = Set("xyz".map { "in_\(type)_\($0)_raw" }).union(attributes.keys)
        device.attributes = attributes
        return device
    }

    private func candidate(_ device: DeviceDescription) throws -> SensorCandidate {
        try #require(SensorCandidate.all(of: device, overrides: SensorOverrides()).first)
    }

    @Test func `accel-sign-three-conventions`() throws {
        let bug = try BugInput("accel-sign-three-conventions")
        let field = try vector(bug.numbers("input", "field_body_gauss"))
        let sources: [[String: Any]] = try bug.value("input", "sources")
        #expect(sources.count == 4)
        for source in sources {
            let kind = try #require(source["kind"] as? String)
            var attributes = ["in_accel_scale": try #require(source["in_accel_scale"] as? String)]
            attributes["in_accel_mount_matrix"] = source["matrix"] as? String
            let name = kind.contains("HID") ? "accel_3d" : kind.contains("cros-ec") ? "cros-ec-accel" : "chip"
            var device = device(name, "accel", attributes)
            device.udev["ACCEL_MOUNT_MATRIX"] = source["udev_matrix"] as? String
            let raw = try vector(try #require(source["raw"] as? [NSNumber]).map(\.doubleValue))
            let up = try #require(try candidate(device).transform.apply(raw).normalized)
            #expect(abs(FixturePose.heading(field: field, up: up) - 40) < 0.5, "\(kind)")
            let dip = asin(-field.dot(up) / field.length) * 180 / .pi
            #expect(abs(dip - 63.4) < 0.1, "\(kind)")
        }
    }

    @Test func `dead-sensor-constant`() throws {
        let bug = try BugInput("dead-sensor-constant")
        let reads: [[NSNumber]] = try bug.value("input", "raw_reads")
        let chip = try candidate(device("lsm303dlm_magn", "magn", ["in_magn_scale": "0.000909"]))
        // Gravity as a device that is turned through all attitudes feels it.
        let attitudes = [Vector3(0, 0, 9.8), Vector3(9.8, 0, 0), Vector3(0, 9.8, 0), Vector3(0, 0, -9.8)]
        var dead = DeadFieldCheck()
        var alive = DeadFieldCheck()
        var still = DeadFieldCheck()
        for round in 0..<40 {
            let raw = try vector(reads[round % reads.count].map(\.doubleValue))
            let gravity = attitudes[round % attitudes.count]
            dead.update(field: chip.transform.apply(raw))
            dead.update(acceleration: gravity)
            alive.update(field: gravity * 4)
            alive.update(acceleration: gravity)
            still.update(field: chip.transform.apply(raw))
            still.update(acceleration: attitudes[0])
        }
        #expect(dead.isDead)
        #expect(!alive.isDead)
        // Where nothing turns, nothing can be said.
        #expect(!still.isDead)
    }

    @Test func `devicetree-property-misspelt`() throws {
        let bug = try BugInput("devicetree-property-misspelt")
        let field = try vector(bug.numbers("input", "field_chip_gauss"))
        var droid = device(
            "ak8975", "magn", ["in_magn_scale": "0.003", "in_mount_matrix": try bug.value("input", "in_mount_matrix")])
        let counts = field * (1 / 0.003)
        let without = try candidate(droid).transform.apply(counts)
        #expect(abs(remainder(FixturePose.heading(field: without, up: Vector3(0, 0, 1)) - 245, 360)) < 0.5)
        droid.machine = ["motorola,droid4"]
        let with = try candidate(droid)
        let turned = with.transform.apply(counts)
        #expect(abs(FixturePose.heading(field: turned, up: Vector3(0, 0, 1)) - 115) < 0.5)
        #expect(with.findings.contains { $0.code == "quirk-applied" })
    }

    @Test func `equal-axes-until-accel-on`() throws {
        let bug = try BugInput("equal-axes-until-accel-on")
        let sequence: [[Any]] = try bug.value("input", "sequence")
        var chip = device("mpu9150", "magn", ["in_magn_scale": "0.003", "in_accel_scale": "0.0006"])
        chip.channels += "xyz".map { .init(id: "accel_\($0)", isScanElement: true) }
        let magnetometer = try candidate(chip)
        var check = RawFieldCheck(overflowCount: nil, scale: magnetometer.transform.scale)
        var verdicts: [RawFieldCheck.Verdict] = []
        for (step, reading) in sequence.enumerated() where reading[0] as? String == "magn" {
            let raw = try vector(try #require(reading[1] as? [NSNumber]).map(\.doubleValue))
            verdicts.append(check.judge(raw, at: Int64(step) * 20_000, isPolled: true))
        }
        #expect(verdicts == [.equalAxes, .equalAxes, .good, .good])
        #expect(verdicts[0].finding(sensor: magnetometer)?.code == "magn-dead-until-accel-powered")
        // The accelerometer of the chip is read first.
        let choice = SensorChoice(SensorCandidate.all(of: chip, overrides: SensorOverrides()))
        let plan = try #require(DevicePlan.all(for: choice.selected, devices: [chip]).first)
        #expect(plan.sensors.map(\.description.kind) == [.accelerometer, .magnetometer])
    }

    @Test func `hub-heading-tenths`() throws {
        let bug = try BugInput("hub-heading-tenths")
        let raw = try bug.numbers("input", "in_rot_from_north_magnetic_tilt_comp_raw")
        let expected = try bug.numbers("expected", "heading_deg")
        var scale = HubHeadingScale(scale: Double(try bug.value("input", "in_rot_scale") as String))
        for (counts, heading) in zip(raw, expected) {
            let degrees = scale.degrees(counts)
            #expect(abs(try #require(degrees) - heading) < 1e-9)
        }
    }

    @Test func `kernel-raw-byte-swapped`() throws {
        let bug = try BugInput("kernel-raw-byte-swapped")
        let reads: [[String: NSNumber]] = try bug.value("input", "raw_reads")
        let chip = try candidate(device("lsm303dlh_magn", "magn", ["in_magn_scale": "0.001"]))
        var check = RawFieldCheck(
            overflowCount: chip.quirks.overflowCount, doubtsBytes: chip.quirks.doubtsBytes, scale: chip.transform.scale)
        // A chip of which nothing is known needs two readings.
        var unknown = RawFieldCheck(overflowCount: nil, scale: chip.transform.scale)
        for (step, read) in reads.enumerated() {
            let raw = try vector(["x", "y", "z"].map { try #require(read[$0]).doubleValue })
            let verdict = check.judge(raw, at: Int64(step) * 100_000, isPolled: true)
            #expect(verdict == .swapped)
            #expect(verdict.finding(sensor: chip)?.code == "raw-byte-order-suspect")
            let other = unknown.judge(raw, at: Int64(step) * 100_000, isPolled: true)
            #expect(other == (step == 0 ? .good : .swapped))
        }
        // What the bytes would say the right way round is an overflow, as the buffer tells it.
        let swapped: [[String: NSNumber]] = try bug.value("expected", "after_swap")
        for (step, read) in swapped.enumerated() {
            let raw = try vector(["x", "y", "z"].map { try #require(read[$0]).doubleValue })
            #expect(check.judge(raw, at: Int64(10 + step) * 100_000, isPolled: false) == .overflow)
        }
    }

    @Test("multiples of 256 that stand still, or that a coarse chip gives now and then, are no swapped bytes")
    func notSwapped() {
        var check = RawFieldCheck(overflowCount: nil, scale: Vector3(0.1, 0.1, 0.1))
        for step in 0..<10 {
            #expect(check.judge(Vector3(256, -512, 7), at: Int64(step) * 100_000, isPolled: true) == .good)
        }
        #expect(check.judge(Vector3(255, -511, 7), at: 2_000_000, isPolled: true) == .good)
        #expect(check.judge(Vector3(256, -512, 7), at: 2_100_000, isPolled: true) == .good)
    }

    @Test func `legacy-matrix-attributes`() throws {
        let bug = try BugInput("legacy-matrix-attributes")
        let attributes: [String: String] = try bug.value("input", "attributes")
        let made = MatrixChoice(
            device: device("mpu6515", "accel", attributes), type: "accel", sensor: "s", overrides: SensorOverrides())
        #expect(made.source == (try bug.value("expected", "matrix_used")))
        #expect(made.rejected == nil)
    }

    @Test func `out-direction-accelerometer`() throws {
        let bug = try BugInput("out-direction-accelerometer")
        let names: [String] = try bug.value("input", "attributes")
        var outputs = DeviceDescription(uri: "local:", id: "iio:device0", name: "vendor")
        outputs.channels = "xyz".map { .init(id: "accel_\($0)", isOutput: true) }
        outputs.attributeNames = Set(names)
        let refused = try candidate(outputs)
        #expect(refused.refusal?.isEmpty == false)
        #expect(refused.findings.map(\.code) == [try bug.value("expected", "finding") as String])
    }

    @Test func `scale-in-g`() throws {
        let bug = try BugInput("scale-in-g")
        let chip = try candidate(
            device("bma222", "accel", ["in_accel_scale": try bug.value("input", "in_accel_scale")]))
        let reading = chip.transform.apply(try vector(bug.numbers("input", "raw_at_rest")))
        var check = ScaleCheck()
        for _ in 0..<ScaleCheck.enough { check.update(.acceleration(reading)) }
        #expect(check.accelerationFactor == 9.80665)
        #expect(check.finding(chip.description)?.code == "accel-unit-g")
        #expect(abs((reading * check.accelerationFactor).length - 9.8) < 0.1)
    }

    @Test(
        "other wrong units of acceleration are found too, and right ones are left",
        arguments: [
            // gravity as scaled, factor, finding; 1.01 is the AMD hub of hp-envy-x360-13-ag0xxx
            (9.78, 1.0, nil), (1.01, 9.80665, "accel-unit-g"), (0.981, 9.80665, "accel-unit-g"),
            (0.0981, 100, "accel-scale-1e2-too-small"), (98.0, 0.1, "accel-scale-10-too-large"), (5.0, 1.0, nil),
        ] as [(Double, Double, String?)])
    func accelerationUnits(gravity: Double, factor: Double, code: String?) {
        var check = ScaleCheck()
        for _ in 0..<ScaleCheck.enough { check.update(.acceleration(Vector3(0, 0, gravity))) }
        #expect(abs(check.accelerationFactor - factor) < 1e-9)
        let sensor = SensorDescription(id: "s", kind: .accelerometer, name: "chip")
        #expect(check.finding(sensor)?.code == code)
    }

    @Test func `sign-flip-near-range`() throws {
        let bug = try BugInput("sign-flip-near-range")
        let z = try bug.numbers("input", "z_gauss")
        let chip = try candidate(device("lsm303dlhc_magn", "magn", ["in_magn_scale": "0.001"]))
        var check = RawFieldCheck(overflowCount: nil, scale: chip.transform.scale)
        for (step, gauss) in z.enumerated() {
            let verdict = check.judge(Vector3(110, -50, gauss * 1000), at: Int64(step) * 100_000, isPolled: false)
            #expect(verdict == (gauss < 0 ? .saturated : .good), "\(gauss)")
            if gauss < 0 { #expect(verdict.finding(sensor: chip)?.code == "magn-axis-saturated") }
        }
        // A sign that stays is believed in the end: the chip's range may have changed.
        #expect(check.judge(Vector3(110, -50, -2000), at: 9_000_000, isPolled: false) == .good)
    }

    @Test func `two-gyros-same-name`() throws {
        let bug = try BugInput("two-gyros-same-name")
        let names: [String] = try bug.value("input", "names")
        #expect(names == ["gyro_3d", "magn_3d", "gyro_3d", "accel_3d", "als"])
        // The first gyroscope is the base's, a HID device of its own.
        let hub = "/sys/devices/pci0000:00/0000:00:13.0/001F:8086:22D8"
        let paths = [
            "\(hub).0001/HID-SENSOR-200076.1.auto", "\(hub).0002/HID-SENSOR-200083.2.auto",
            "\(hub).0002/HID-SENSOR-200076.3.auto", "\(hub).0002/HID-SENSOR-200073.4.auto",
        ]
        let types = ["anglvel", "magn", "anglvel", "accel"]
        let devices = paths.indices.map { index in
            device(
                names[index], types[index], ["in_\(types[index])_scale": "0.001"], number: index,
                path: "\(paths[index])/iio:device\(index)")
        }
        let choice = SensorChoice(devices.flatMap { SensorCandidate.all(of: $0, overrides: SensorOverrides()) })
        #expect(Set(choice.selected.map(\.deviceID)) == ["iio:device1", "iio:device2", "iio:device3"])
    }

    @Test func `udev-matrix-mostly-improper`() throws {
        let bug = try BugInput("udev-matrix-mostly-improper")
        let matrices: [String] = try bug.value("input", "ACCEL_MOUNT_MATRIX")
        for text in matrices {
            var chip = device("bmc150_accel", "accel", ["in_accel_scale": "0.01"])
            chip.udev["ACCEL_MOUNT_MATRIX"] = text
            let taken = try candidate(chip)
            #expect(taken.refusal == nil)
            #expect(taken.findings.contains { $0.code.contains("matrix-improper") })
            // What is made of it turns, and mirrors nothing.
            #expect(taken.description.mountMatrix.determinant > 0.99)
        }
    }

    @Test func `zero-quaternion`() throws {
        let bug = try BugInput("zero-quaternion")
        let texts: [String] = try bug.value("input", "in_rot_quaternion_raw")
        var hub = DeviceDescription(uri: "local:", id: "iio:device0", name: "dev_rotation")
        hub.channels = [.init(id: "rot_quaternion")]
        hub.attributeNames = ["in_rot_quaternion_raw"]
        let attitude = try candidate(hub)
        for text in texts {
            let values = text.split(separator: " ").compactMap { Double($0) }
            try #require(values.count == 4)
            #expect(QuaternionHeading.degrees(x: values[0], y: values[1], z: values[2], w: values[3]) == nil)
        }
        #expect(RawFieldCheck.Verdict.zero.finding(sensor: attitude)?.code == "quaternion-invalid-zero")
    }

    @Test(
        "an attitude gives the heading of the top edge, and of the back where that edge points up",
        arguments: [0.0, 30, 90, 179, 200, 270, 359], [0.0, 30, 90, -40])
    func attitudes(heading: Double, pitch: Double) throws {
        // The turn about "up" by −heading after the turn about the right edge by the pitch.
        let h = -heading * .pi / 360
        let p = pitch * .pi / 360
        let degrees = QuaternionHeading.degrees(
            x: cos(h) * sin(p), y: sin(h) * sin(p), z: sin(h) * cos(p), w: cos(h) * cos(p))
        #expect(abs(remainder(try #require(degrees) - heading, 360)) < 1e-9)
    }
}

/// Cases that need libiio.
@Suite("Bug inputs: sensors through libiio", .needsIIORig())
struct BugInputRigTests {
    @Test func `partial-bits-in-wide-storage`() throws {
        let bug = try BugInput("partial-bits-in-wide-storage")
        let types: [String: String] = try bug.value("input", "type")
        let raw = try bug.numbers("expected", "rot_raw").map { Int64($0) }
        let x = Int64((try bug.value("expected", "magn_x") as NSNumber).intValue)
        // The rig fills the bits that the format leaves undefined with ones.
        let hub = IIORigDevice(
            name: "magn_3d", attributes: ["in_rot_scale": "0.1", "in_rot_sampling_frequency": "10"],
            channels: [
                .init(
                    "rot_from_north_magnetic_tilt_comp", try #require(types["in_rot_from_north_magnetic_tilt_comp"]),
                    index: 0)
            ])
        let rig = try IIORig(devices: [hub])
        let feed = try rig.feed(0, hertz: 50) { ["rot_from_north_magnetic_tilt_comp": raw[$0 % raw.count]] }
        defer { feed.stop() }
        let probe = try Probe(in: rig)
        try probe.ask("start 20")
        try probe.waitForMore(10, "hub")
        // −12 is left out.
        #expect(Set(probe.lines.samples("hub").map { $0.values[0].rounded() }) == [300])
        let chip = try #require(types["in_magn_x"])
        let wide = try IIORig(devices: [.magnetometer(type: chip), .accelerometer()])
        let wideFeed = try wide.feed(0, hertz: 50) { _ in ["magn_x": x, "magn_y": 1, "magn_z": 2] }
        defer { wideFeed.stop() }
        let other = try Probe(in: wide)
        try other.ask("start 20")
        try other.waitForMore(3)
        #expect(other.lines.samples("magn").allSatisfy { abs($0.values[0] - Double(x) / 10) < 1e-9 })
    }

    @Test func `scan-order-by-index`() throws {
        let bug = try BugInput("scan-order-by-index")
        let type: String = try bug.value("input", "type")
        let index: [String: NSNumber] = try bug.value("input", "index")
        let listing: [String] = try bug.value("input", "listing_order")
        let expected = try ["x", "y", "z"].map { Int64((try bug.value("expected", $0) as NSNumber).intValue) }
        var accelerometer = IIORigDevice.threeAxis("accel", name: "accel", scale: "0.01", type: nil)
        accelerometer.channels = listing.map {
            .init(String($0.dropFirst(3)), type, index: index[$0]?.intValue ?? 0)
        }
        let rig = try IIORig(devices: [.magnetometer(type: nil), accelerometer])
        let feed = try rig.feed(1, hertz: 50) { _ in
            ["accel_x": expected[0], "accel_y": expected[1], "accel_z": expected[2]]
        }
        defer { feed.stop() }
        let probe = try Probe(in: rig)
        try probe.ask("start 20")
        try probe.waitForMore(3, "accel")
        let values = try #require(probe.lines.samples("accel").first).values
        for (value, raw) in zip(values, expected) { #expect(abs(value - Double(raw) / 100) < 1e-9) }
    }

    @Test("a dead magnetometer is told while the device is turned, also where its counts look like an overflow")
    func dead() throws {
        let rig = try IIORig(devices: [
            .threeAxis(
                "magn", name: "lsm303dlm_magn", scale: "0.000909", type: nil,
                attributes: ["in_magn_x_raw": "-2", "in_magn_y_raw": "-4096", "in_magn_z_raw": "-1"]),
            .accelerometer(type: "le:s16/16>>0"),
        ])
        let feed = try rig.feed(1, hertz: 50) { number in
            let axis = "xyz"[String.Index(utf16Offset: number / 5 % 3, in: "xyz")]
            return ["accel_\(axis)": number / 15 % 2 == 0 ? 981 : -981]
        }
        defer { feed.stop() }
        let probe = try Probe(in: rig)
        try probe.ask("start 50")
        try probe.waitForFinding("magn-dead", seconds: 30)
        #expect(probe.lines.samples("magn").isEmpty)
        #expect(probe.lines.contains { $0.hasPrefix("lost") && $0.contains("stands still") })
    }
}
