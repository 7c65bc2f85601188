import Foundation
import Geometry
import LocateMeModel
import SensorRecordings
import TestSupport
import Testing

@testable import HeadingControl

@Suite("headingctl sensors and record")
struct RecordTests {
    /// Polled sensors: a magnetometer of 0.15 µT a count (IIO counts in gauss) and an accelerometer.
    private static func rig() throws -> IIORig {
        try IIORig(devices: [
            .threeAxis(
                "magn", name: "testmag", scale: "0.0015", type: nil,
                attributes: ["in_magn_x_raw": "100", "in_magn_y_raw": "-20", "in_magn_z_raw": "-300"]),
            .threeAxis("accel", name: "testacc", scale: "0.01", type: nil, attributes: ["in_accel_z_raw": "981"]),
            .threeAxis("accel", name: "otheracc", scale: "0.01", type: nil, parent: "platform/elsewhere"),
        ])
    }

    private static func run(_ rig: IIORig, _ words: [String], input: String? = nil) throws -> TestSupport.Command {
        let command = rig.command(for: [ProgramTests.path] + words)
        return try TestSupport.Command.run(
            command[0], Array(command.dropFirst()), environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere/bus"],
            input: input)
    }

    @Test("lists sensors, says which are used and why the others are not", .needsIIORig())
    func sensors() throws {
        let rig = try Self.rig()
        let plain = try Self.run(rig, ["sensors"])
        #expect(plain.status == 0, "\(plain.errors)")
        for word in [
            "testmag", "testacc", "otheracc", "not used: ", "mount matrix 1,0,0; 0,1,0; 0,0,1 (identity)",
            "from local:",
        ] {
            #expect(plain.output.contains(word), "\(word) is missing in \(plain.output)")
        }
        let json = try Self.run(rig, ["sensors", "--local", "--json"])
        let objects = try json.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let sensors = objects.filter { $0["id"] != nil }
        #expect(sensors.compactMap { $0["name"] as? String }.sorted() == ["otheracc", "testacc", "testmag"])
        #expect(sensors.filter { $0["selected"] as? Bool == true }.count == 2)
        #expect(
            sensors.allSatisfy {
                ($0["mount_matrix"] as? [Double])?.count == 9 && ($0["reason"] as? String)?.isEmpty == false
            })
    }

    @Test("ends with status 5 and what to do where there is no magnetometer", .needsIIORig())
    func noMagnetometer() throws {
        let rig = try IIORig(devices: [.threeAxis("accel", name: "testacc", scale: "0.01", type: nil)])
        for words in [["sensors"], ["record", "/dev/null", "--force", "--for", "1s"]] {
            let result = try Self.run(rig, words)
            #expect(result.status == 5 && result.errors.contains("magnetometer"), "\(words): \(result.errors)")
        }
    }

    @Test("records polled sensors with marks, in order, in µT and m/s²", .needsIIORig())
    func record() throws {
        let rig = try Self.rig()
        let path = rig.root.appendingPathComponent("out.lmrec").path
        let result = try Self.run(
            rig, ["record", path, "--for", "1500ms", "--rate", "20", "--note", "a test", "--device", "rig", "--json"],
            input: "facing east\n\n\u{1B}[2Jodd\u{7}\n")
        #expect(result.status == 0, "\(result.errors)")
        var decoder = RecordingDecoder(mode: .strict)
        let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        decoder.feed(bytes.span)
        decoder.endInput()
        var records: [Record] = []
        while let record = try decoder.next() { records.append(record) }
        #expect(decoder.header.device == "rig" && decoder.header.notes == ["a test"])
        #expect(decoder.header.startRealMicroseconds != nil)
        #expect(decoder.header.streams.map(\.kind).sorted() == ["accel", "magn"])
        var kinds: [String: Int] = [:]
        for record in records {
            switch record.content {
            case .sample(let sample):
                kinds[RecordingSummary.kind(sample.reading), default: 0] += 1
                if case .magneticField(let field) = sample.reading {
                    // 100, −20 and −300 counts of 0.0015 G, and 100 µT a gauss.
                    #expect(abs(field.x - 15) < 1e-9 && abs(field.y + 3) < 1e-9 && abs(field.z + 45) < 1e-9)
                }
                if case .acceleration(let force) = sample.reading { #expect(abs(force.z - 9.81) < 1e-9) }
            case .mark(let text): #expect(["facing east", "mark 1", "·[2Jodd·"].contains(text), "\(text)")
            default: Issue.record("unexpected record \(record)")
            }
        }
        #expect(kinds["magn", default: 0] >= 10 && kinds["accel", default: 0] >= 10, "\(kinds)")
        #expect(records.filter { if case .mark = $0.content { true } else { false } }.count == 3)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect((object["records"] as? [String: Int])?["magn"] == kinds["magn"])
    }

    @Test("ends cleanly at SIGINT with a complete file", .needsIIORig())
    func interrupted() throws {
        let rig = try Self.rig()
        let path = rig.root.appendingPathComponent("out.lmrec.gz").path
        let command = rig.command(for: [ProgramTests.path, "record", path, "--rate", "20"])
        let running = try TestSupport.Command.start(command[0], Array(command.dropFirst()))
        let deadline = Date().addingTimeInterval(20)
        while (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0 < 300, Date() < deadline {
            usleep(20_000)
        }
        running.signal(SIGINT)
        let result = running.wait()
        #expect(result.status == 0, "\(result.errors)")
        let estimate = try Run.headingctl(["estimate", "--strict", path])
        #expect(estimate.status == .success && estimate.errors.isEmpty, "\(estimate.errors)")
        #expect(estimate.output.split(separator: "\n").count > 10)
    }

    @Test("puts records of several sensors into order, and drops what comes too late")
    func sequencer() {
        func record(_ time: Int64) -> Record { Record(microseconds: time, content: .noFix) }
        var sequencer = SampleSequencer(patienceMicroseconds: 100)
        for time in [10, 50, 20, 20, 40] as [Int64] { sequencer.add(record(time)) }
        #expect(sequencer.take(at: 120).map(\.microseconds) == [10, 20, 20])
        sequencer.add(record(30))
        sequencer.add(record(19))
        #expect(sequencer.take(at: 145).map(\.microseconds) == [30, 40])
        #expect(sequencer.takeAll().map(\.microseconds) == [50])
        #expect(sequencer.dropped == 1 && sequencer.takeAll().isEmpty)
    }

    @Test("makes marks of typed lines, whatever is typed")
    func marks() {
        var reader = MarkReader()
        #expect(reader.add("facing".utf8) == [])
        #expect(reader.add("  east \n\n \t \nx\r\n".utf8) == ["facing east", "mark 1", "·", "x·"])
        #expect(reader.add([0xFF, 0x0A]).map(\.count) == [1])
        #expect(reader.add(Array(repeating: UInt8(ascii: "y"), count: 5000) + [0x0A]).map(\.count) == [1000])
    }
}
