import Foundation
import Geometry
import LocateMeModel
import SensorRecordings
import Simulation
import TestSupport
import Testing

@testable import HeadingControl

@Suite("headingctl doctor and mount")
struct DoctorTests {
    /// A quarter turn about z: what a chip delivers that lies so.
    private static let quarter = Matrix3(Vector3(0, 1, 0), Vector3(-1, 0, 0), Vector3(0, 0, 1))

    private static func run(_ words: [String]) throws -> TestSupport.Command {
        try TestSupport.Command.run(
            ProgramTests.path, words, environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus"])
    }

    /// A recording of the three poses with their marks and of a tumble, by chips mounted as given.
    private static func recording(magnetometer: Matrix3 = .identity, accelerometer: Matrix3 = .identity) throws -> URL {
        let field = EarthField(declination: 3, declinationAccuracy: 0.4, horizontal: 21.5, down: 43)
        var lines = ["#lmrec 1", "#sensor magn af8133j", "#sensor accel mpu6500", "0 fix 47.37 8.54 10 400 10 - - - -"]
        var time: Int64 = 0
        func write(_ kind: String, _ vector: Vector3) {
            lines.append("\(time) \(kind) \(vector.x) \(vector.y) \(vector.z)")
        }
        for (mark, up) in [("flat", Vector3(0, 0, 1)), ("upright", Vector3(0, 1, 0)), ("right", Vector3(1, 0, 0))] {
            for step in 0..<100 {
                time += 20_000
                write("accel", accelerometer * up * 9.80665)
                if step == 50 { lines.append("\(time) mark \(mark)") }
            }
        }
        let walk = try #require(Walk(name: "tumble"))
        let start = time + 20_000
        for sample in WalkSimulation(walk: walk, field: field).compactMap(\.sample) {
            time = start + sample.bootMicroseconds
            switch sample.reading {
            case .magneticField(let field): write("magn", magnetometer * field)
            case .acceleration(let force): write("accel", accelerometer * force)
            default: break
            }
        }
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("poses-\(UUID().uuidString).lmrec")
        try (lines.joined(separator: "\n") + "\n").write(to: url, atomically: true, encoding: .utf8)
        return url
    }

    private static func objects(_ text: String) throws -> [[String: Any]] {
        try text.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    @Test func `Nothing is wrong with a recording of a phone that is right, and the status is 0`() throws {
        let result = try Self.run(["doctor", "--from", Repository.file("data/recordings/nexus5-tumble.lmrec.gz").path])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.hasPrefix("Nothing wrong was found"))
    }

    @Test func `A magnetometer that is turned is found, with status 1 and the matrix`() throws {
        let url = try Self.recording(magnetometer: Self.quarter)
        defer { try? FileManager.default.removeItem(at: url) }
        let plain = try Self.run(["doctor", "--from", url.path])
        #expect(plain.status == 1)
        #expect(plain.output.hasPrefix("error: magn: "), "\(plain.output)")
        #expect(plain.errors.contains("wrong with the compass"))
        let json = try Self.run(["doctor", "--json", "--from", url.path])
        let findings = try Self.objects(json.output)
        #expect(findings.compactMap { $0["code"] as? String } == ["accel-and-magn-frames-differ"])
        #expect((findings.first?["remedy"] as? String)?.contains("0, -1, 0; 1, 0, 0; 0, 0, 1") == true)
    }

    @Test func `mount prints the line for udev of the chip that is mounted wrong`() throws {
        let url = try Self.recording(magnetometer: Self.quarter)
        defer { try? FileManager.default.removeItem(at: url) }
        let result = try Self.run(["mount", "--from", url.path])
        #expect(result.status == 0, "\(result.errors)")
        #expect(result.output.hasPrefix("The accelerometer's matrix is right; the magnetometer's is wrong."))
        #expect(
            result.output.contains(
                "\nlocateme:name:af8133j:*\n LOCATEME_MOUNT_MATRIX=0, -1, 0; 1, 0, 0; 0, 0, 1\n"), "\(result.output)")
    }

    @Test func `mount says when the accelerometer's matrix is the wrong one`() throws {
        let url = try Self.recording(accelerometer: Self.quarter)
        defer { try? FileManager.default.removeItem(at: url) }
        let result = try Self.run(["mount", "--from", url.path])
        #expect(result.output.hasPrefix("The accelerometer's matrix is the wrong one; the magnetometer's is right."))
        #expect(
            result.output.contains(
                "\nlocateme:name:mpu6500:*\n LOCATEME_MOUNT_MATRIX=0, -1, 0; 1, 0, 0; 0, 0, 1\n"), "\(result.output)")
        let json = try #require(try Self.objects(try Self.run(["mount", "--json", "--from", url.path]).output).first)
        #expect(json["accelerometer_wrong"] as? Bool == true && json["magnetometer_wrong"] as? Bool == false)
    }

    @Test func `mount finds nothing wrong where nothing is, and refuses a recording that does not tell`() throws {
        let url = try Self.recording()
        defer { try? FileManager.default.removeItem(at: url) }
        let right = try Self.run(["mount", "--from", url.path])
        #expect(right.output.hasPrefix("Both matrices are right."), "\(right.output)")
        #expect(!right.output.contains("hwdb"))
        let walk = try Self.run(["mount", "--from", Repository.file("data/recordings/nexus5-walk.lmrec.gz").path])
        #expect(walk.status == 1 && walk.errors.contains("does not tell"), "\(walk.errors)")
    }

    @Test("doctor without a service watches the devices and finds what is wrong with them", .needsIIORig())
    func devices() throws {
        let rig = try IIORig(devices: [
            .threeAxis("magn", name: "chip", scale: "0.000146000"),
            .threeAxis("accel", name: "tilt", scale: "0.000598"),
        ])
        // One hertz where fifty are wanted: the driver ignores what is written to it.
        let feeds = try [
            rig.feed(0, hertz: 4) { number in ["magn_x": Int64(number % 7), "magn_y": 1370, "magn_z": -3014] },
            rig.feed(1, hertz: 50) { number in ["accel_x": Int64(number % 5), "accel_y": 0, "accel_z": 16399] },
        ]
        defer { feeds.forEach { $0.stop() } }
        let command = rig.command(for: [ProgramTests.path, "doctor", "--local", "--json", "--for", "6s"])
        let result = try TestSupport.Command.run(
            command[0], Array(command.dropFirst()), environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus"])
        let codes = try Self.objects(result.output).compactMap { $0["code"] as? String }
        #expect(result.status == 1, "\(result.errors) \(result.output)")
        #expect(codes.contains("rate-too-low"), "\(codes)")
    }
}
