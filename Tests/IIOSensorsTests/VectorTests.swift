import Foundation
import Geometry
import TestSupport
import Testing

/// Fields and gravity of known poses through real libiio, every matrix spelling and buffer format.
@Suite("Vectors through libiio", .needsIIORig())
struct VectorTests {
    /// Device axes x, y, z in the earth frame (east, north, up) at heading 0, for six attitudes.
    private static let attitudes: [(String, Matrix3)] = [
        ("face up", Matrix3(Vector3(1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, 1))),
        ("face down", Matrix3(Vector3(-1, 0, 0), Vector3(0, 1, 0), Vector3(0, 0, -1))),
        ("upright", Matrix3(Vector3(1, 0, 0), Vector3(0, 0, 1), Vector3(0, -1, 0))),
        ("upside down", Matrix3(Vector3(-1, 0, 0), Vector3(0, 0, -1), Vector3(0, -1, 0))),
        ("left edge up", Matrix3(Vector3(0, 0, -1), Vector3(0, 1, 0), Vector3(1, 0, 0))),
        ("half raised", Matrix3(Vector3(1, 0, 0), Vector3(0, 0.6, 0.8), Vector3(0, -0.8, 0.6))),
    ]

    /// Field (µT) and specific force (m/s²) in the device frame for 6 attitudes × 8 headings.
    static let poses: [(field: Vector3, force: Vector3)] = attitudes.flatMap { _, axes in
        (0..<8).map { step in
            let heading = Double(step) * .pi / 4
            // The device turned clockwise seen from above: an earth vector seen from it turns the other way.
            let turn = Matrix3(
                Vector3(cos(heading), -sin(heading), 0), Vector3(sin(heading), cos(heading), 0), Vector3(0, 0, 1))
            let toDevice = axes * turn
            return (toDevice * Vector3(0, 20, -44), toDevice * Vector3(0, 0, 9.80665))
        }
    }

    struct Format: Sendable {
        var type: String
        var order: String
        /// Gauss per count, as text.
        var scale: String
    }

    static let formats = [
        Format(type: "le:s16/16>>0", order: "xyz", scale: "0.000146000"),
        Format(type: "be:s16/16>>0", order: "xzy", scale: "0.000333333"),
        Format(type: "le:s12/16>>4", order: "zyx", scale: "0.000500000"),
        Format(type: "be:s24/32>>8", order: "xzy", scale: "0.000133000"),
        Format(type: "le:s32/32>>0", order: "yxz", scale: "0.000000010"),
    ]

    static let spellings = ["mount_matrix", "in_mount_matrix", "in_magn_mount_matrix"]

    @Test(
        "48 poses arrive within half a count, whatever the matrix spelling and the buffer's format",
        arguments: spellings, formats)
    func poses(spelling: String, format: Format) throws {
        let magneticText = "0, 1, 0; -0.984807753012208, 0, 0.173648177666930; 0.173648177666930, 0, 0.984807753012208"
        let forceText = "-1, 0, 0; 0, -1, 0; 0, 0, 1"
        let magnetic = try #require(MountMatrix(kernelText: magneticText)?.matrix)
        let scale = try #require(Double(format.scale)) * 100
        let forceScale = 0.009582
        let magnetometer = IIORigDevice.threeAxis(
            "magn", name: "chip", scale: format.scale, type: format.type, order: format.order,
            attributes: [spelling: magneticText, "in_magn_offset": "5"])
        let accelerometer = IIORigDevice.threeAxis(
            "accel", name: "accel", scale: "0.009582", type: "le:s12/16>>4",
            attributes: [spelling.replacingOccurrences(of: "magn", with: "accel"): forceText])
        let rig = try IIORig(devices: [magnetometer, accelerometer])
        // Counts are what a chip would give: the transposed matrix brings the device's vector into the chip.
        let field = try rig.feed(0, hertz: 200) { number in
            let chip = magnetic.transposed * Self.poses[number % Self.poses.count].field
            return Self.counts("magn", chip, scale, offset: 5)
        }
        let force = try rig.feed(1, hertz: 200) { number in
            let vector = Self.poses[number % Self.poses.count].force
            return Self.counts("accel", Vector3(-vector.x, -vector.y, vector.z), forceScale, offset: 0)
        }
        defer {
            field.stop()
            force.stop()
        }
        let probe = try Probe(in: rig)
        try probe.ask("start 200")
        try probe.wait("100 samples of both", seconds: 30) {
            $0.samples("magn").count > 100 && $0.samples("accel").count > 100
        }
        let lines = probe.lines
        // Half a count per axis, mixed by the matrix: √3/2 counts at most.
        try check(lines.samples("magn"), Self.poses.map(\.field), tolerance: 0.87 * scale)
        try check(lines.samples("accel"), Self.poses.map(\.force), tolerance: 0.87 * forceScale)
        let sensors = try probe.ask("sensors")
        #expect(sensors.contains { $0.contains("magn magnetometer true true \(spelling)") })
    }

    private static func counts(_ kind: String, _ chip: Vector3, _ scale: Double, offset: Double) -> [String: Int64] {
        var scan: [String: Int64] = [:]
        for (axis, name) in "xyz".enumerated() {
            scan["\(kind)_\(name)"] = Int64((chip[axis] / scale - offset).rounded())
        }
        return scan
    }

    /// Samples must be the poses in their order, from anywhere on, with none between left out.
    private func check(_ samples: [ProbeSample], _ poses: [Vector3], tolerance: Double) throws {
        let vectors = samples.map { Vector3($0.values[0], $0.values[1], $0.values[2]) }
        let first = try #require(vectors.first)
        let matching = poses.indices.filter { (poses[$0] - first).length <= tolerance }
        let fits = matching.contains { start in
            vectors.enumerated().allSatisfy { index, vector in
                (poses[(start + index) % poses.count] - vector).length <= tolerance
            }
        }
        #expect(fits, "first \(first), candidates \(matching)")
        #expect(zip(samples, samples.dropFirst()).allSatisfy { $0.time < $1.time })
    }

    @Test("raw values that are polled give the same vectors", arguments: [0, 11, 22, 33, 47])
    func polled(pose: Int) throws {
        let magnetic = try #require(MountMatrix(kernelText: "0, 1, 0; -1, 0, 0; 0, 0, 1")?.matrix)
        let (field, force) = Self.poses[pose]
        let chip = Self.counts("magn", magnetic.transposed * field, 0.0146, offset: 0)
        let down = Self.counts("accel", -force, 0.00980665, offset: 0)
        let rig = try IIORig(devices: [
            .threeAxis(
                "magn", name: "ak09916", scale: "0.000146", type: nil,
                attributes: [
                    "in_mount_matrix": "0, 1, 0; -1, 0, 0; 0, 0, 1", "in_magn_x_raw": "\(chip["magn_x"] ?? 0)",
                    "in_magn_y_raw": "\(chip["magn_y"] ?? 0)", "in_magn_z_raw": "\(chip["magn_z"] ?? 0)",
                ]),
            // A HID hub: gravity's pull, the opposite sign.
            .threeAxis(
                "accel", name: "accel_3d", scale: "0.009806650", type: nil,
                attributes: [
                    "in_accel_x_raw": "\(down["accel_x"] ?? 0)", "in_accel_y_raw": "\(down["accel_y"] ?? 0)",
                    "in_accel_z_raw": "\(down["accel_z"] ?? 0)",
                ]),
        ])
        let probe = try Probe(in: rig)
        try probe.ask("start 50")
        try probe.wait("samples of both") { $0.samples("magn").count > 2 && $0.samples("accel").count > 2 }
        let magn = try #require(probe.lines.samples("magn").last).values
        let accel = try #require(probe.lines.samples("accel").last).values
        #expect((Vector3(magn[0], magn[1], magn[2]) - field).length < 0.87 * 0.0146)
        #expect((Vector3(accel[0], accel[1], accel[2]) - force).length < 0.87 * 0.00980665)
    }
}
