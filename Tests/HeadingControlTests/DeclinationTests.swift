import Foundation
import TestSupport
import Testing

@testable import HeadingControl

@Suite("headingctl declination")
struct DeclinationTests {
    /// Random questions all over the earth, poles, date line and the ends of the model's years included.
    private static func questions() -> String {
        var state: UInt64 = 7
        func next(_ low: Double, _ high: Double) -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return low + (high - low) * Double(state >> 11) * 0x1p-53
        }
        var lines = ["2025 90 0 0", "2029.999 -90 180 0", "2027 0 -180 600000", "2026-11-30 0 0 -1000"]
        for _ in 0..<300 {
            lines.append("\(next(2025, 2030)) \(next(-90, 90)) \(next(-180, 180)) \(next(-1000, 600_000).rounded())")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    @Test(
        "prints what GeographicLib's MagneticField prints", .needs(.program("MagneticField")),
        arguments: ["wmm2025", "wmmhr2025", "igrf14"])
    func geographicLib(model: String) throws {
        let questions = Self.questions()
        let ours = try Run.headingctl(["declination", "--model", model, "--input", "-"], input: questions)
        #expect(ours.status == .success && ours.errors.isEmpty, "\(ours.errors)")
        let theirs = try TestSupport.Command.run(
            try #require(Requirement.path(of: "MagneticField")),
            // The tool reads "2026-11-30" as a date too, and -p 4 gives nT with 4 decimals, degrees with 5.
            ["-n", model, "-d", Repository.file("data/geomagnetic/geographiclib").path, "-p", "4"], input: questions)
        #expect(theirs.status == 0, "\(theirs.errors)")
        let rows = ours.output.split(separator: "\n").map { $0.split(separator: " ").compactMap { Double($0) } }
        let expected = theirs.output.split(separator: "\n").map { $0.split(separator: " ").compactMap { Double($0) } }
        #expect(rows.count == 304 && expected.count == 304)
        for (row, other) in zip(rows, expected) {
            try #require(row.count == 8 && other.count == 7)
            // One unit of the other's last decimal; at the poles, where H is small, the declination turns faster.
            for index in 0..<7 {
                #expect(abs(row[index] - other[index]) <= (index < 2 ? 1.1e-5 : 2e-4), "\(row) \(other)")
            }
            #expect(row[7] > 0 && row[7] <= 180)
        }
    }

    @Test("prints degrees with six decimals and nT with four")
    func precision() throws {
        let row = try Run.headingctl(["declination", "--input", "-"], input: "2026.5 47 8 400\n").output
        let decimals = row.split(whereSeparator: \.isWhitespace).map { $0.split(separator: ".").last?.count ?? 0 }
        #expect(decimals == [6, 6, 4, 4, 4, 4, 4, 6])
    }

    @Test("answers line by line and says which lines it cannot answer")
    func badLines() throws {
        let input =
            "# a comment\n\n2026 47 8 400\r\nnonsense\n2026 91 0 0\n2026 0 0 1e7\n9999 0 0 0\n2026-02-30 1 2 3\n2026\t47N,8E"
        let result = try Run.headingctl(["declination", "--input", "-"], input: input)
        let rows = result.output.split(separator: "\n")
        #expect(rows.count == 7)
        #expect(rows.map { $0.hasPrefix("nan") } == [false, true, true, true, true, true, false])
        for line in 4...8 { #expect(result.errors.contains("standard input: line \(line): ")) }
        #expect(result.status == .failure)
    }

    @Test(
        "reads places in the spellings people use",
        arguments: [
            ("47.5 8.25", "47.5N 8.25E"), ("-33.9 18.4", "33.9S E18.4"), ("47:30 8:15", "47:30:00N 8:15:00E"),
            ("-47:30:36 -8", "s47.51 8w"), ("-.5 -0.5", "0:30S 0:30W"),
        ])
    func spellings(one: String, other: String) throws {
        func answer(_ place: String) throws -> String {
            let words = place.split(separator: " ").map(String.init)
            let result = try Run.headingctl(["declination"] + words + ["0", "2026.5", "--json"])
            #expect(result.status == .success, "\(result.errors)")
            return result.output
        }
        #expect(try answer(one) == answer(other))
    }

    @Test(
        "refuses places, heights and dates that do not exist",
        arguments: [
            ["91", "0"], ["0", "361"], ["47N5", "8"], ["47:60", "8"], ["47.5:30", "8"], ["N47S", "8"], ["-47S", "8"],
            ["8E", "47N"],
            ["0", "0", "1e9"], ["0", "0", "0", "yesterday"], ["0", "0", "2026-02-30"],
            ["0", "0", "2026-01-01", "2026.5"], ["0"], [],
            ["0", "0", "0", "2026", "0"], ["0", "0", "--model", "wmm1999"], ["0", "0", "--input", "-"],
            ["0", "0", "--model", "igrf14", "--magnetic-model", "x"],
        ])
    func refusals(words: [String]) throws {
        let result = try Run.headingctl(["declination"] + words)
        #expect(result.status == .usage && result.output.isEmpty && result.errors.hasPrefix("headingctl: "))
    }

    @Test("takes the model made for the date, and says when there is none")
    func models() throws {
        for (year, model) in [("1950", "IGRF-14"), ("2012", "WMM-2010"), ("2021", "WMM-2020"), ("2026", "WMM-2025")] {
            let output = try Run.headingctl(["declination", "1", "2", "0", year]).output
            #expect(output.uppercased().contains(model) && !output.contains("widened"), "\(year): \(output)")
        }
        #expect(try Run.headingctl(["declination", "1", "2", "0", "2033"]).output.contains("ended 3.0 years before"))
        #expect(try Run.headingctl(["declination", "86", "-90", "2026-01-01"]).output.contains("zone"))
    }

    @Test("reads a newer coefficient file, and refuses one that is broken")
    func coefficientFile() throws {
        let path = Repository.file("data/geomagnetic/WMM_2025.COF").path
        let place = ["47", "8", "0", "2026.5", "--json"]
        let embedded = try Run.headingctl(["declination", "--model", "wmm2025"] + place)
        #expect(try Run.headingctl(["declination", "--magnetic-model", path] + place).output == embedded.output)
        let broken = try Run.headingctl(["declination", "--magnetic-model", #filePath] + place)
        #expect(broken.status == .failure && broken.errors.contains("coefficient file"))
        let missing = try Run.headingctl(["declination", "--magnetic-model", "/nowhere/WMM.COF"] + place)
        #expect(missing.status == .failure && missing.errors.contains("No such file"))
    }
}
