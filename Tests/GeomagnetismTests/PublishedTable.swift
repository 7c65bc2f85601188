import Foundation
import Geomagnetism
import TestSupport
import Testing

/// A number of a table with half a unit of its last printed decimal.
struct Printed {
    let value: Double
    let half: Double

    init?(_ text: Substring, unit: Double, slack: Double) {
        guard let value = Double(text), value.isFinite else { return nil }
        self.value = value * unit
        let decimals = text.split(separator: ".").dropFirst().first?.count ?? 0
        half = 0.5 * pow(10, -Double(decimals)) * unit + slack
    }
}

/// A row of a published table of test values.
struct PublishedRow {
    let line: Int
    let year: Double
    let height: Double
    let latitude: Double
    let longitude: Double
    /// By the names of the columns: D I H X Y Z F, and dD … dF for the rates.
    let values: [String: Printed]
}

/// A table of data/geomagnetic/test-values and the order of its columns.
struct PublishedTable: CustomTestStringConvertible, Sendable {
    let model: String
    let file: String
    let columns: [String]
    let rowCount: Int
    /// What the table's dD and dI count in degrees: the WMM2010 table has them in minutes of arc.
    var angleRateUnit = 1.0
    /// How far dD and dI may be off beyond the last decimal: those of the WMM2020 report were first rounded to 0.1′
    /// (dI of its second row, 0.07499° by every implementation, is 4.5′ and so printed as 0.08°).
    var angleRateSlack = 0.0

    var testDescription: String { file }

    private static let random = "D I H X Y Z F dD dI dH dX dY dZ dF".split(separator: " ").map(String.init)
    private static let report = "X Y Z H F I D GV dX dY dZ dH dF dI dD".split(separator: " ").map(String.init)
    private static let report2010 = "D I H X Y Z F GV dD dI dH dX dY dZ dF".split(separator: " ").map(String.init)

    static let all = [
        PublishedTable(model: "wmm2025", file: "WMM2025_TEST_VALUES.half.txt", columns: random, rowCount: 50),
        PublishedTable(model: "wmmhr2025", file: "WMMHR2025_TEST_VALUES.half.txt", columns: random, rowCount: 50),
        PublishedTable(model: "wmm2020", file: "WMM2020_TEST_VALUES.half.txt", columns: random, rowCount: 50),
        PublishedTable(model: "wmm2025", file: "WMM2025_report_table.txt", columns: report, rowCount: 12),
        PublishedTable(model: "wmmhr2025", file: "WMMHR2025_report_table.txt", columns: report, rowCount: 12),
        PublishedTable(
            model: "wmm2020", file: "WMM2020_report_table.txt", columns: report, rowCount: 15,
            angleRateSlack: 0.05 / 60),
        PublishedTable(model: "wmm2015v2", file: "WMM2015v2_report_table.txt", columns: report, rowCount: 12),
        PublishedTable(
            model: "wmm2010", file: "WMM2010_report_table.txt", columns: report2010, rowCount: 12,
            angleRateUnit: 1.0 / 60),
        PublishedTable(model: "igrf14", file: "IGRF14_reference.half.txt", columns: Array(random[..<7]), rowCount: 60),
    ]

    func rows() throws -> [PublishedRow] {
        let text = try String(
            contentsOf: Repository.file("data/geomagnetic/test-values/\(file)"), encoding: .utf8)
        var rows: [PublishedRow] = []
        // Rows that pygeomag added to the report's table bear zeros in place of rates.
        var added = false
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.hasPrefix("#") {
                if line.contains("Additional tests") { added = true }
                continue
            }
            let words = line.split(separator: " ")
            guard words.count == columns.count + 4, let year = Double(words[0]), let height = Double(words[1]),
                let latitude = Double(words[2]), let longitude = Double(words[3])
            else { continue }
            var values: [String: Printed] = [:]
            for (column, word) in zip(columns, words.dropFirst(4)) where !(added && column.hasPrefix("d")) {
                let isAngleRate = column == "dD" || column == "dI"
                values[column] = Printed(
                    word, unit: isAngleRate ? angleRateUnit : 1, slack: isAngleRate ? angleRateSlack : 0)
            }
            values["GV"] = nil
            rows.append(
                PublishedRow(
                    line: index + 1, year: year, height: height * 1000, latitude: latitude, longitude: longitude,
                    values: values))
        }
        return rows
    }
}

/// Elements by the letters of the tables.
func byLetter(_ elements: MagneticElements, prefix: String = "") -> [String: Double] {
    [
        prefix + "D": elements.declination, prefix + "I": elements.inclination, prefix + "H": elements.horizontal,
        prefix + "X": elements.north, prefix + "Y": elements.east, prefix + "Z": elements.down,
        prefix + "F": elements.total,
    ]
}
