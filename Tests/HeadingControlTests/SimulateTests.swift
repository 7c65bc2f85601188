import Foundation
import TestSupport
import Testing

@testable import HeadingControl

@Suite("headingctl simulate and recordings")
struct SimulateTests {
    private static func folder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("simulate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }

    private static func simulate(_ words: [String], _ path: String) throws -> [String] {
        let result = try Run.headingctl(["simulate", path, "--start", "2026-07-01T12:00:00Z"] + words)
        #expect(result.status == .success && result.errors.isEmpty, "\(result.errors)")
        return try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    @Test("writes a recording that its own reader takes without a complaint, and the same again for the same seed")
    func deterministic() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("a.lmrec").path
        let first = try Self.simulate(["--walk", "turn", "--for", "4s"], path)
        #expect(first.contains("#start 2026-07-01T12:00:00.000000Z"))
        let again = try Self.simulate(["--walk", "turn", "--for", "4s", "--force"], path)
        #expect(again == first)
        let other = try Self.simulate(["--walk", "turn", "--for", "4s", "--force", "--seed", "2"], path)
        #expect(other != first)
        let estimate = try Run.headingctl(["estimate", "--strict", path])
        #expect(estimate.status == .success && estimate.errors.isEmpty)
        // 50 Hz for 4 s, both ends included, and the line with the names.
        #expect(estimate.output.split(separator: "\n").count == 202)
    }

    @Test(
        "leaves out what is asked to be left out",
        arguments: [
            ("--no-gyro", "gyro"), ("--no-accel", "accel"), ("--no-fix", "fix"), ("--no-truth", "truth"),
        ])
    func leftOut(flag: String, kind: String) throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let lines = try Self.simulate([flag, "--for", "2s"], folder.appendingPathComponent("a.lmrec").path)
        let kinds = Set(
            lines.filter { !$0.hasPrefix("#") }.compactMap {
                $0.split(separator: " ").dropFirst().first.map(String.init)
            })
        #expect(kinds == Set(["gyro", "accel", "magn", "fix", "truth"]).subtracting([kind]))
    }

    @Test("keeps the file that is there, unless forced, and says so")
    func existing() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("a.lmrec").path
        try "precious".write(toFile: path, atomically: true, encoding: .utf8)
        let refused = try Run.headingctl(["simulate", path])
        #expect(
            refused.status == .failure && refused.errors.contains("File exists") && refused.errors.contains("--force"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
    }

    @Test("tells what it wrote as one object")
    func json() throws {
        let folder = try Self.folder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("a.lmrec.gz").path
        let result = try Run.headingctl(["simulate", path, "--for", "2s", "--json", "--perfect"])
        let object = try #require(try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any])
        #expect(object["seconds"] as? Double == 2 && object["file"] as? String == path)
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)).prefix(2) == Data([0x1F, 0x8B]))
    }

    @Test(
        "refuses walks, places, irons and dates that do not exist",
        arguments: [
            ["--walk", "moonwalk"], ["--walk", "47,8"], ["--walk", "47,8 91,8"], ["--hard-iron", "1,2"],
            ["--hard-iron", "1,2,x"],
            ["--hard-iron", "1e5,0,0"], ["--start", "yesterday"], ["--seed", "-1"], ["--for", "0"], ["--json"],
        ])
    func refusals(words: [String]) throws {
        let result = try Run.headingctl(["simulate"] + words)
        #expect(result.status == .usage && result.output.isEmpty, "\(result.errors)")
    }

    @Test(
        "lets rows pass evenly, at most so many a second",
        arguments: [(10.0, 101), (3.0, 31), (50.0, 501), (1000.0, 501), (0.5, 6)])
    func thinning(rate: Double, rows: Int) {
        // 50 Hz with a jitter of 4 ms for 10 s.
        var thinning = RowThinning(rateHertz: rate)
        let kept = (0...500).filter { thinning.keeps(Int64($0) * 20_000 + Int64($0 * 7919 % 4000)) }
        #expect(abs(kept.count - rows) <= 1, "\(kept.count)")
        var none = RowThinning(rateHertz: nil)
        #expect((0..<10).allSatisfy { none.keeps($0) })
    }
}
