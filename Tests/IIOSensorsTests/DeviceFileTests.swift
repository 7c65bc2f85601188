import Foundation
import Geometry
import LocateMeModel
import Testing

@testable import IIOSensors

/// Real devices (Tests/Rigs/devices/SOURCE.md): what is chosen, by which matrix, and the heading that known counts give.
@Suite("Real devices")
struct DeviceFileTests {
    private func choice(_ file: DeviceFile) -> SensorChoice {
        let candidates = file.devices.flatMap { SensorCandidate.all(of: $0, overrides: SensorOverrides()) }
        return SensorChoice(candidates)
    }

    @Test("all fifty files are read")
    func count() {
        #expect(DeviceFile.all.count == 50)
        #expect(DeviceFile.all.allSatisfy { !$0.devices.isEmpty })
    }

    @Test("the chosen magnetometer is the right one, with the right matrix", arguments: DeviceFile.all)
    func magnetometer(file: DeviceFile) throws {
        let name: String? = file.expected("magnetometer", "name")
        let chosen = file.devices.flatMap { SensorCandidate.all(of: $0, overrides: SensorOverrides()) }
            .filter { $0.description.kind == .magnetometer }
        guard let name else {
            // Nothing is said of one: whatever has the axes is described, with a reason if it is refused.
            #expect(chosen.allSatisfy { $0.refusal?.isEmpty != true })
            return
        }
        let candidate = try #require(chosen.first { $0.description.name == name })
        if let attribute: String = file.expected("magnetometer", "matrix_attribute") {
            #expect(candidate.description.matrixSource == attribute)
        }
        if let text: String = file.expected("magnetometer", "matrix") {
            #expect(MountMatrix(kernelText: text)?.matrix == candidate.description.mountMatrix)
        }
        if let determinant: Double = file.expected("magnetometer", "determinant") {
            #expect(abs(candidate.description.mountMatrix.determinant - determinant) < 1e-6)
            let told = candidate.findings.contains { $0.code == "magn-matrix-improper-det-minus-1" }
            #expect(told == (determinant < 0))
        }
    }

    @Test(
        "known counts give the known heading",
        arguments: DeviceFile.all.filter { ($0.expected("vectors") as [[String: Any]]?)?.isEmpty == false })
    func vectors(file: DeviceFile) throws {
        var overrides = SensorOverrides()
        // A devicetree with a misspelt property: the matrix is known, but only the configuration can say it.
        if let text: String = file.expected("magnetometer", "intended_matrix"), let name = file.devices.first?.name {
            overrides.mountMatrices["\(name)/magn"] = MountMatrix(kernelText: text)
        }
        let candidates = file.devices.flatMap { SensorCandidate.all(of: $0, overrides: overrides) }
        let magnetometer = try #require(candidates.first { $0.description.kind == .magnetometer && $0.refusal == nil })
        let vectors: [[String: Any]] = try #require(file.expected("vectors"))
        for vector in vectors {
            let raw = try #require(vector["magn_raw"] as? [NSNumber]).map(\.doubleValue)
            let expected = try #require(vector["heading_from_raw_deg"] as? NSNumber).doubleValue
            let field = magnetometer.transform.apply(Vector3(raw[0], raw[1], raw[2]))
            // Flat, screen up: north lies at (−sin h, cos h) in the device.
            let heading = atan2(-field.x, field.y) * 180 / .pi
            #expect(abs(remainder(heading - expected, 360)) < 0.01, "\(raw)")
            // The files' field is 0.21 G horizontal and 0.42 G down.
            #expect(abs(field.length - 46.96) < 1)
        }
    }

    @Test("findings that the device alone tells are told", arguments: DeviceFile.all)
    func findings(file: DeviceFile) throws {
        let expected: [String] = file.expected("findings") ?? []
        let told = Set(
            file.devices.flatMap { SensorCandidate.all(of: $0, overrides: SensorOverrides()) }
                .filter { $0.refusal == nil }.flatMap(\.findings).map(\.code))
        let fromTheTree: Set = [
            "magn-matrix-undeclared-identity-shown", "magn-matrix-improper-det-minus-1",
            "accel-matrix-improper-det-minus-1", "accel-sign-down", "hub-heading-scale-absurd",
        ]
        for code in fromTheTree.intersection(expected) { #expect(told.contains(code), "\(code)") }
        for code in ["magn-matrix-improper-det-minus-1", "accel-matrix-improper-det-minus-1", "accel-sign-down"]
        where told.contains(code) {
            #expect(expected.contains(code), "\(code)")
        }
    }

    @Test("the hub's sensors of one laptop are taken together, and the hub's own heading is left")
    func laptopHub() throws {
        let file = try #require(DeviceFile.all.first { $0.id == "thinkpad-yoga-260" })
        // The file names attributes only; Intel's hub shows these scales (hp-envy-x360 has the same drivers).
        let devices = file.devices.map { device in
            var device = device
            device.attributes["in_magn_scale"] = "0.001000"
            device.attributes["in_accel_scale"] = "0.009806650"
            device.attributes["in_anglvel_scale"] = "0.017453292"
            return device
        }
        let choice = SensorChoice(
            devices.flatMap { SensorCandidate.all(of: $0, overrides: SensorOverrides()) })
        #expect(choice.selected.map(\.description.name) == ["accel_3d", "magn_3d", "gyro_3d"])
        let hub = try #require(choice.candidates.first { $0.description.kind == .hubHeading })
        #expect(!hub.description.selected)
        #expect(hub.channels == ["rot_from_north_magnetic_tilt_comp"])
        let accelerometer = try #require(choice.selected.first { $0.description.kind == .accelerometer })
        // Face up the hub says −1 g (1000 counts of milli-g): the specific force is +9.81 on z.
        let up = accelerometer.transform.apply(Vector3(0, 0, -1000))
        #expect(abs(up.z - 9.80665) < 1e-9)
    }
}
