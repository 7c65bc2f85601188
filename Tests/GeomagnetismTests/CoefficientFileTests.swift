import Foundation
import Geomagnetism
import TestSupport
import Testing

struct CoefficientFileTests {
    static func text(_ file: String) throws -> String {
        try String(contentsOf: Repository.file("data/geomagnetic/\(file)"), encoding: .utf8)
    }

    @Test(
        "The published files are read",
        arguments: [
            ("WMM_2025.COF", "wmm2025", "WMM-2025", "11/13/2024", 12),
            ("WMM_2015v2.COF", "wmm2015v2", "WMM-2015v2", "09/18/2018", 12),
            ("WMMHR_2025.COF", "wmmhr2025", "WMMHR-2025", "11/13/2024", 133),
            ("igrf14coeffs.txt", "igrf14", "IGRF-14", nil, 13),
        ] as [(String, String, String, String?, Int)])
    func reads(_ file: String, _ name: String, _ displayName: String, _ release: String?, _ degree: Int) throws {
        let model = try MagneticModel(coefficientFile: try Self.text(file))
        #expect(model.name == name)
        #expect(model.displayName == displayName)
        #expect(model.releaseDate == release)
        #expect(model.degree == degree)
        let a = try model.field(latitude: 20, longitude: 30, height: 40, year: 2026)
        let b = try MagneticModel.named(name).field(latitude: 20, longitude: 30, height: 40, year: 2026)
        #expect(a == b)
    }

    @Test("Line ends of DOS and a byte order mark do no harm")
    func lineEnds() throws {
        let text = try Self.text("WMM_2025.COF")
        let dos = "\u{FEFF}" + text.replacingOccurrences(of: "\n", with: "\r\n")
        let model = try MagneticModel(coefficientFile: dos)
        #expect(model.displayName == "WMM-2025")
    }

    @Test("A file cut after any line is refused", arguments: ["WMM_2025.COF", "igrf14coeffs.txt", "IGRF14.shc"])
    func truncatedAnywhere(_ file: String) throws {
        let lines = try Self.text(file).split(separator: "\n")
        // The COF format closes with two rows of nines, of which one is enough.
        let complete = lines.count - (file.hasSuffix("COF") ? 1 : 0)
        var accepted: [Int] = []
        for count in 0..<complete {
            let cut = lines[..<count].joined(separator: "\n")
            if (try? MagneticModel(coefficientFile: cut)) != nil { accepted.append(count) }
        }
        // The IGRF table says nowhere where it ends: whole degrees from 10 on cannot be told from a complete file.
        let whole = file.hasPrefix("igrf14") ? [10, 11, 12].map { 4 + $0 * ($0 + 2) } : []
        #expect(accepted == whole)
        #expect((try? MagneticModel(coefficientFile: lines.joined(separator: "\n"))) != nil)
    }

    struct Broken: CustomTestStringConvertible {
        let title: String
        let text: String
        let line: Int?
        let fragment: String
        var testDescription: String { title }
    }

    static let row = "1 0 -29351.8 0.0 12.0 0.0"
    static let header = "2025.0 WMM-2025 11/13/2024"
    static let end = "9999999999999999999999"
    static let broken = [
        Broken(title: "empty", text: "", line: nil, fragment: "empty"),
        Broken(title: "blank", text: " \n\n\t\n", line: nil, fragment: "empty"),
        Broken(title: "comments only", text: "# a\n# b\n", line: nil, fragment: "empty"),
        Broken(title: "prose", text: "Dear reader,\nthis is\n", line: 1, fragment: "begins no coefficient file"),
        Broken(title: "web page", text: "\n<html>\n<body>", line: 2, fragment: "begins no coefficient file"),
        Broken(title: "binary", text: "2025\u{0}", line: 1, fragment: "binary"),
        Broken(title: "header only", text: header, line: 1, fragment: "truncated"),
        Broken(title: "no end", text: "\(header)\n\(row)\n1 1 1 1 1 1\n", line: 4, fragment: "truncated"),
        Broken(title: "half a degree", text: "\(header)\n\(row)\n\(end)", line: 3, fragment: "truncated"),
        Broken(
            title: "text behind the end", text: "\(header)\n\(row)\n1 1 1 1 1 1\n\(end)\n2 0 1 0 1 0", line: 5,
            fragment: "after the closing"),
        Broken(title: "NaN", text: "\(header)\n1 0 nan 0 0 0", line: 2, fragment: "not a finite number: 'nan'"),
        Broken(title: "infinity", text: "\(header)\n1 0 1 0 inf 0", line: 2, fragment: "not a finite number"),
        Broken(title: "overflow", text: "\(header)\n1 0 1e999 0 0 0", line: 2, fragment: "not a finite number"),
        Broken(title: "too large", text: "\(header)\n1 0 1e7 0 0 0", line: 2, fragment: "impossibly large"),
        Broken(title: "hexadecimal", text: "\(header)\n1 0 0x10 0 0 0", line: 2, fragment: "not a finite number"),
        Broken(title: "missing column", text: "\(header)\n1 0 1 0 1", line: 2, fragment: "6 columns"),
        Broken(title: "column too many", text: "\(header)\n\(row) 7", line: 2, fragment: "6 columns"),
        Broken(title: "missing row", text: "\(header)\n\(row)\n2 0 1 0 1 0", line: 3, fragment: "row is missing"),
        Broken(title: "doubled row", text: "\(header)\n\(row)\n\(row)", line: 3, fragment: "row is missing, doubled"),
        Broken(title: "huge degree", text: "\(header)\n1000000 0 1 0 1 0", line: 2, fragment: "790"),
        Broken(title: "negative degree", text: "\(header)\n-1 0 1 0 1 0", line: 2, fragment: "790"),
        Broken(title: "degree overflow", text: "\(header)\n99999999999 0 1 0 1 0", line: 2, fragment: "degree"),
        Broken(title: "h of order 0", text: "\(header)\n1 0 1 5 1 0", line: 2, fragment: "order 0 must be 0"),
        Broken(title: "epoch", text: "20.25 WMM-2025 11/13/2024\n\(row)", line: 1, fragment: "1000 to 3000"),
        Broken(title: "IGRF without epochs", text: "c/s deg ord IGRF\n", line: 2, fragment: "truncated"),
        Broken(title: "IGRF without columns", text: "g/h n m 1900.0\n", line: 1, fragment: "epochs and the forecast"),
        Broken(
            title: "IGRF epochs", text: "g/h n m 1905.0 1900.0 1900-05\ng 1 0 1 2 3", line: 1, fragment: "ascend"),
        Broken(title: "IGRF letter", text: "g/h n m 1900.0 1905.0\nk 1 0 1 2", line: 2, fragment: "g or h"),
        Broken(title: "IGRF columns", text: "g/h n m 1900.0 1905.0\ng 1 0 1", line: 2, fragment: "5 columns"),
        Broken(
            title: "IGRF without h", text: "g/h n m 1900.0 1905.0\ng 1 0 1 2\ng 1 1 1 2\ng 2 0 1 2", line: 4,
            fragment: "degree 1 order 1"),
        Broken(
            title: "SHC huge degree", text: "1 100000 1 2 1 2020 2030\n2025\n1 0 1", line: 1, fragment: "790"),
        Broken(title: "SHC degrees", text: "5 3 1 2 1 2020 2030\n2025\n", line: 1, fragment: "make no model"),
        Broken(title: "SHC epochs", text: "1 1 0 2 1 2020 2030\n2025\n", line: 1, fragment: "make no model"),
        Broken(title: "SHC spline", text: "1 1 2 6 1 2020 2030\n2020 2025\n", line: 1, fragment: "order 6"),
        Broken(title: "SHC header only", text: "1 1 1 2 1 2020 2030\n", line: 2, fragment: "truncated"),
        Broken(title: "SHC epoch line", text: "1 1 2 2 1 2020 2030\n2020\n", line: 2, fragment: "2 epochs"),
        Broken(
            title: "SHC order of epochs", text: "1 1 2 2 1 2020 2030\n2025 2025\n", line: 2, fragment: "ascend"),
        Broken(
            title: "SHC validity", text: "1 1 1 2 1 2030 2020\n2025\n1 0 1\n1 1 1\n1 -1 1", line: 1,
            fragment: "before it starts"),
        Broken(title: "SHC cut", text: "1 1 1 2 1 2020 2030\n2025\n1 0 1\n1 1 1", line: 4, fragment: "truncated"),
        Broken(
            title: "SHC row too many", text: "1 1 1 2 1 2020 2030\n2025\n1 0 1\n1 1 1\n1 -1 1\n2 0 1", line: 6,
            fragment: "after the last"),
        Broken(
            title: "SHC values", text: "1 1 2 2 1 2020 2030\n2020 2025\n1 0 1", line: 3, fragment: "2 values"),
        Broken(
            title: "SHC smallest integer", text: "1 1 1 2 1 2020 2030\n2025\n1 -9223372036854775808 1", line: 3,
            fragment: "not a whole number"),
    ]

    @Test("A broken file is refused with the line and what is wrong", arguments: broken)
    func refuses(_ file: Broken) {
        let error = #expect(throws: ModelFileError.self) { try MagneticModel(coefficientFile: file.text) }
        #expect(error?.line == file.line)
        #expect(error?.message.contains(file.fragment) == true, "\(error?.message ?? "")")
        #expect(error?.description.contains("Get the coefficient file again") == true)
    }

    @Test("A file larger than any coefficient file is refused")
    func tooLarge() {
        let error = #expect(throws: ModelFileError.self) {
            try MagneticModel(coefficientFile: [UInt8](repeating: 0x20, count: 40_000_001))
        }
        #expect(error?.message.contains("40000001 bytes") == true)
    }
}
