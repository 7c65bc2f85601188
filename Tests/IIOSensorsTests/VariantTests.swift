import Foundation
import Geometry
import LocateMeModel
import TestSupport
import Testing

@testable import IIOSensors

/// Other faults of the kinds that Tests/Fixtures/bug-inputs/sensor has.
struct VariantTests {
    /// A device that is turned about changing axes, up to 1 rad/s: its up and its rates in rad/s, 50 a second.
    private static let turning: [(up: Vector3, rate: Vector3)] = {
        var attitude = Quaternion.identity
        return (0..<600).map { index in
            let time = Double(index) * 0.02
            let rate = Vector3(0.8 * sin(0.9 * time), cos(1.3 * time), 0.5 * sin(0.4 * time))
            attitude = (attitude * Quaternion(rotationVector: rate * 0.02)).normalized
            return (attitude.matrix.row2, rate)
        }
    }()

    @Test(
        "a gyroscope's unit is found by the turn of gravity, whatever the accelerometer's is, and a right one is left",
        arguments: [
            (1.0, 1.0, nil), (180 / .pi, .pi / 180, "gyro-unit-degrees"), (0.01, 100, "gyro-scale-1e2-too-small"),
            (1000, 0.001, "gyro-scale-1e3-too-large"), (1.15, 1, nil), (0.85, 1, nil),
        ] as [(Double, Double, String?)], [9.80665, 1])
    func gyroscopeUnit(_ unit: (Double, Double, String?), gravity: Double) {
        var check = GyroscopeUnitCheck()
        for (index, (up, rate)) in Self.turning.enumerated() {
            let time = Int64(index) * 20_000 + 1_000_000
            check.update(rate: rate * unit.0, time: time)
            _ = check.update(acceleration: up * gravity, time: time)
        }
        #expect(abs(check.factor / unit.1 - 1) < 1e-9)
        #expect(check.finding(SensorDescription(id: "g", kind: .gyroscope, name: "chip"))?.code == unit.2)
        #expect(check.finding(SensorDescription(id: "a", kind: .accelerometer, name: "chip")) == nil)
    }

    @Test func `a gyroscope that measures something else, or stands still, is not taken for one of another unit`() {
        for turn in [Matrix3(Vector3(0, 1, 0), Vector3(0, 0, 1), Vector3(1, 0, 0)), .zero] {
            var check = GyroscopeUnitCheck()
            for (index, (up, rate)) in Self.turning.enumerated() {
                let time = Int64(index) * 20_000
                check.update(rate: turn * rate * 57, time: time)
                _ = check.update(acceleration: up * 9.8, time: time)
            }
            #expect(check.factor == 1)
        }
    }

    @Test("an axis that stands still while the others measure is dead", arguments: [0, 1, 2])
    func deadAxis(axis: Int) {
        var dead = DeadFieldCheck()
        var alive = DeadFieldCheck()
        for (index, (up, _)) in Self.turning.enumerated() {
            // North along x at first; noise of a count.
            var field = Vector3(up.z * 40 + 12, up.x * 40 - 300, up.y * 40)
            alive.update(field: field)
            field[axis] = index.isMultiple(of: 3) ? 7.1 : 7
            dead.update(field: field)
            dead.update(acceleration: up * 9.8)
            alive.update(acceleration: up * 9.8)
        }
        #expect(dead.isDead && dead.deadAxis == axis)
        #expect(!alive.isDead)
    }

    @Test(
        "hubs that count degrees or parts of them and print a scale in radians are read in degrees",
        arguments: [("0.017453293", 1.0), ("0.001745329", 0.1), ("0.000174533", 0.01), ("1", 1), ("0.1", 0.1)])
    func radians(scale: String, degrees: Double) throws {
        var unit = HubHeadingScale(scale: AttributeText.number(scale))
        for heading in [271.0, 3, 359, 90] {
            let read = unit.degrees(heading / degrees)
            #expect(abs(try #require(read) - heading) < 1e-9)
        }
    }

    @Test(
        "matrices that are no turn are told, turns that are not by a right angle are not",
        arguments: [
            ("1, 0, 0; 0, 1, 0; 0, 0, 0.5", true), ("2, 0, 0; 0, 2, 0; 0, 0, 2", true),
            ("1, 0.2, 0; 0, 1, 0; 0, 0, 1", true),
            ("0.866, 0.5, 0; -0.5, 0.866, 0; 0, 0, 1", false), ("0, 1, 0; -1, 0, 0; 0, 0, 1", false),
        ])
    func noTurn(text: String, isTold: Bool) throws {
        var device = DeviceDescription(uri: "local:", id: "iio:device0", name: "chip")
        device.channels = "xyz".map { .init(id: "magn_\($0)", isScanElement: true) }
        device.attributeNames = Set("xyz".map { "in_magn_\($0)_raw" })
        device.attributes = ["in_magn_scale": "0.001", "in_mount_matrix": text]
        let candidate = try #require(SensorCandidate.all(of: device, overrides: SensorOverrides()).first)
        #expect(candidate.findings.contains { $0.code == "magn-matrix-no-turn" } == isTold)
        #expect(candidate.refusal == nil)
    }
}
