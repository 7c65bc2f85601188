import Foundation
import TestSupport
import Testing

@testable import HeadingControl

@Suite("headingctl estimate")
struct EstimateTests {
    /// A device that lies level and still, its top edge `heading` degrees from magnetic north, in a field of 20 µT
    /// horizontally and 43 µT down: in the device frame the horizontal part stands at −heading from the top edge.
    static func recording(
        heading: Double, seconds: Int = 20, header: [String] = ["#sensor magn test rate=50 calibrated=yes"],
        extra: [String] = []
    ) -> String {
        let angle = heading * .pi / 180
        var lines = ["#lmrec 1", "#start 2026-07-01T12:00:00Z", "#device test"] + header + extra
        for step in 0..<(seconds * 50) {
            let time = step * 20_000
            // A deterministic ripple in place of noise: real sensors never repeat a value exactly.
            let ripple = 0.01 * sin(Double(step) * 1.7)
            lines.append("\(time) accel \(0.01 * ripple) \(ripple) \(9.81 + ripple)")
            lines.append("\(time) gyro \(0.01 * ripple) \(-0.01 * ripple) \(0.01 * ripple)")
            lines.append("\(time) magn \(-20 * sin(angle) + ripple) \(20 * cos(angle) - ripple) \(-43 + ripple)")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Runs the command on a recording with the given text.
    static func estimate(_ words: [String], _ recording: String) throws -> Run.Result {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("test-\(UUID().uuidString).lmrec").path
        try recording.write(toFile: path, atomically: true, encoding: .utf8)
        defer { unlink(path) }
        return try Run.headingctl(["estimate"] + words + [path])
    }

    struct Table {
        let columns: [String]
        let rows: [[String]]

        init(_ csv: String) throws {
            let lines = csv.split(separator: "\n").map {
                $0.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
            }
            columns = try #require(lines.first)
            rows = Array(lines.dropFirst())
        }

        func values(_ name: String) throws -> [Double?] {
            let index = try #require(columns.firstIndex(of: name))
            return rows.map { Double($0[index]) }
        }

        func texts(_ name: String) throws -> [String] {
            let index = try #require(columns.firstIndex(of: name))
            return rows.map { $0[index] }
        }
    }

    /// The shortest turn between directions in degrees.
    static func difference(_ one: Double, _ other: Double) -> Double { abs(remainder(one - other, 360)) }

    @Test(
        "prints the columns of the format, and the heading that the field has", arguments: [0.0, 42, 137, 273, 359.99])
    func columns(heading: Double) throws {
        let result = try Self.estimate([], Self.recording(heading: heading))
        #expect(result.status == .success && result.errors.isEmpty, "\(result.errors)")
        let table = try Table(result.output)
        #expect(
            table.columns.joined(separator: ",")
                == "t_us,magnetic,true,accuracy,calibration,disturbed,field_ut,inclination,turn_rate,source,qw,qx,qy,qz"
        )
        #expect(table.rows.count == 1000 && table.rows.allSatisfy { $0.count == 14 })
        let magnetic = try #require(try table.values("magnetic").last ?? nil)
        let accuracy = try #require(try table.values("accuracy").last ?? nil)
        #expect(magnetic >= 0 && magnetic < 360 && accuracy > 0)
        #expect(Self.difference(magnetic, heading) < min(accuracy, 2), "\(magnetic) ± \(accuracy)")
        // |(20, 43)| and the dip atan(43/20) of the made-up field.
        #expect(abs(try #require(try table.values("field_ut").last ?? nil) - 47.42) < 0.5)
        #expect(abs(try #require(try table.values("inclination").last ?? nil) - 65.06) < 0.5)
        #expect(try table.texts("source").last == "fused-9")
        #expect(try table.texts("true").allSatisfy(\.isEmpty))
        // The top edge (0, 1, 0) turned by the quaternion points to the heading.
        let q = try ["qw", "qx", "qy", "qz"].map { try #require(try table.values($0).last ?? nil) }
        let east = 2 * (q[1] * q[2] - q[0] * q[3])
        let north = 1 - 2 * (q[1] * q[1] + q[3] * q[3])
        #expect(Self.difference(atan2(east, north) * 180 / .pi, magnetic) < 0.01)
    }

    @Test("fills the column of true headings by --declination, or by the model at the fix")
    func trueHeadings() throws {
        let plain = Self.recording(heading: 100)
        let given = try Table(Self.estimate(["--declination", "-10.5"], plain).output)
        let magnetic = try #require(try given.values("magnetic").last ?? nil)
        #expect(Self.difference(try #require(try given.values("true").last ?? nil), magnetic - 10.5) < 0.002)

        // GeographicLib's MagneticField -n wmm2025 answers "2026.4959 47.3769 8.5417 408" with a declination of 3.607°.
        let zurich = Self.recording(heading: 100, extra: ["0 fix 47.3769 8.5417 10 408 5 - - - -"])
        for words in [[], ["--model"], ["--model=wmm2025"]] {
            let table = try Table(Self.estimate(words, zurich).output)
            let magnetic = try #require(try table.values("magnetic").last ?? nil)
            let declination = remainder(try #require(try table.values("true").last ?? nil) - magnetic, 360)
            #expect(abs(declination - 3.607) < 0.01, "\(declination)")
        }
    }

    @Test(
        "leaves sensors out as asked",
        arguments: [
            (["--no-gyro"], "tilt"), (["--no-accel", "--no-gyro"], "flat"),
        ])
    func leftOut(words: [String], source: String) throws {
        let table = try Table(Self.estimate(words, Self.recording(heading: 60)).output)
        #expect(try table.texts("source").last == source)
        let magnetic = try #require(try table.values("magnetic").last ?? nil)
        if source == "flat" { #expect(magnetic == -1) } else { #expect(Self.difference(magnetic, 60) < 2) }
    }

    @Test("thins rows evenly without thinning samples")
    func rate() throws {
        let input = Self.recording(heading: 60)
        let all = try Table(Self.estimate([], input).output)
        let some = try Table(Self.estimate(["--rate", "5"], input).output)
        #expect(some.rows.count == 100)
        #expect(some.rows.allSatisfy(all.rows.contains))
    }

    @Test("prints the same as JSON objects, one a line")
    func json() throws {
        let input = Self.recording(heading: 60, seconds: 3)
        let table = try Table(Self.estimate([], input).output)
        let lines = try Self.estimate(["--json"], input).output.split(separator: "\n")
        #expect(lines.count == table.rows.count)
        for (line, row) in zip(lines, table.rows) {
            let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            for (column, text) in zip(table.columns, row) {
                switch object[column] {
                case is NSNull: #expect(text.isEmpty)
                case let word as String: #expect(word == text)
                case let number as NSNumber: #expect(number.doubleValue == Double(text))
                default: Issue.record("\(column) is missing")
                }
            }
        }
    }

    @Test("skips defective lines and says so, or stops at the first")
    func defects() throws {
        var lines = Self.recording(heading: 60, seconds: 2).split(separator: "\n").map(String.init)
        lines.insert("500 magn nan 1 2", at: 4)
        lines.insert("nonsense", at: 60)
        let input = lines.joined(separator: "\n") + "\n"
        let lenient = try Self.estimate([], input)
        #expect(lenient.status == .success)
        #expect(lenient.errors.contains(".lmrec: line 5: x is not a finite number, skipped"))
        #expect(lenient.errors.contains("2 defective lines skipped"))
        #expect(try Table(lenient.output).rows.count == 100)
        let strict = try Self.estimate(["--strict"], input)
        #expect(strict.status == .failure && strict.errors.contains("line 5"))
    }

    @Test("refuses what is no recording, of a later version, or not there")
    func refusals() throws {
        for input in ["", "a,b,c\n", "#lmrec 99\n", "\u{0}\u{1}\u{2}"] {
            let result = try Self.estimate([], input)
            #expect(result.status == .failure && result.errors.contains(".lmrec: line 1: "))
        }
        let missing = try Run.headingctl(["estimate", "/nowhere/x.lmrec"])
        #expect(missing.status == .failure && missing.errors.contains("No such file or directory"))
        let state = try Self.estimate(["--state-in", #filePath], Self.recording(heading: 1, seconds: 1))
        #expect(state.status == .failure && state.errors.contains("no usable heading state"))
    }

    @Test("warns of a recording without a magnetometer")
    func noMagnetometer() throws {
        let result = try Self.estimate([], "#lmrec 1\n0 accel 0 0 9.8\n")
        #expect(result.status == .success && result.errors.contains("no magnetometer sample"))
    }

    @Test("saves what was learned and starts from it")
    func state() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("estimate-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("state").path
        // An uncalibrated magnetometer with a hard iron of (30, −15, 20) µT, and the state that knows it.
        let hard = (30.0, -15.0, 20.0)
        let lines = Self.recording(heading: 200, header: ["#sensor magn test rate=50"]).split(separator: "\n").map {
            line -> String in
            let words = line.split(separator: " ")
            guard words.count == 5, words[1] == "magn", let x = Double(words[2]), let y = Double(words[3]),
                let z = Double(words[4])
            else { return String(line) }
            return "\(words[0]) magn \(x + hard.0) \(y + hard.1) \(z + hard.2)"
        }
        let input = lines.joined(separator: "\n") + "\n"
        try "locateme-state 1\nsoft-iron 1 0 0 0 1 0 0 0 1\nhard-iron 30 -15 20 0.5\n".write(
            toFile: path, atomically: true, encoding: .utf8)
        let next = folder.appendingPathComponent("next").path
        for option in ["--state-in", "--calibration"] {
            let result = try Self.estimate([option, path, "--state-out", next], input)
            #expect(result.status == .success && result.errors.isEmpty, "\(result.errors)")
            let magnetic = try #require(try Table(result.output).values("magnetic").last ?? nil)
            #expect(Self.difference(magnetic, 200) < 3)
            let saved = try String(contentsOfFile: next, encoding: .utf8)
            #expect(saved.hasPrefix("locateme-state 1\ndevice test\n"))
            // The recording starts at 2026-07-01T12:00:00Z and lasts 19.98 s.
            #expect(saved.contains("created 1782907219980000"))
            let again = try Self.estimate(["--state-in", next], input)
            #expect(Self.difference(try #require(try Table(again.output).values("magnetic").last ?? nil), 200) < 3)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["next", "state"])
        let unwritable = try Self.estimate(["--state-out", "/nowhere/state"], input)
        #expect(unwritable.status == .failure && unwritable.errors.contains("cannot write '/nowhere/state'"))
    }

    /// dharmab/skyeye#192.
    @Test(
        "date-unset: a recording of no plausible date gets today's declination and a warning",
        arguments: ["0001-01-01T00:00:00Z", "1970-01-01T00:00:10Z", "9999-01-01T00:00:00Z"])
    func dateUnset(date: String) throws {
        let text = Self.recording(heading: 30, extra: ["0 fix 52 8 1000 100 10 - - - -"])
            .replacingOccurrences(of: "#start 2026-07-01T12:00:00Z", with: "#start \(date)")
        let result = try Self.estimate(["--model"], text)
        #expect(result.status == .success)
        #expect(result.errors.contains("plausible date"), "\(result.errors)")
        let table = try Table(result.output)
        let magnetic = try #require(try table.values("magnetic").last ?? nil)
        let trueHeading = try #require(try table.values("true").last ?? nil)
        // 52°N 8°E: 3.5° east in 2026, a fifth of a degree more each year; −3° in 1970.
        #expect((2.5..<7).contains(trueHeading - magnetic), "\(trueHeading - magnetic)")
    }

    @Test("--prompts says when a service would ask for a calibration, and when it would not")
    func prompts() throws {
        let still = try Self.estimate(["--prompts"], Self.recording(heading: 30, seconds: 60, header: []))
        #expect(still.errors.contains("would ask for a calibration: never-calibrated"), "\(still.errors)")
        let calibrated = try Self.estimate(["--prompts"], Self.recording(heading: 30))
        #expect(calibrated.errors.contains("would not ask for a calibration"), "\(calibrated.errors)")
    }
}
