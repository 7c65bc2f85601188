import Foundation
import Geomagnetism
import TestSupport
import Testing

/// Tables of NOAA, of the technical reports and of the IGRF reference, see data/geomagnetic/SOURCE.md.
///
/// Allowed are 10⁻³ nT and 5·10⁻⁶ degrees (and the same a year for rates), plus half a unit of the last decimal where a
/// table prints fewer: the WMM2020 tables and the reports print forces to 0.1 nT and angles to 0.01°.
struct PublishedValuesTests {
    static let forceTolerance = 1e-3
    static let angleTolerance = 5e-6

    @Test("Every row of a published table is met", arguments: PublishedTable.all)
    func meetsTable(_ table: PublishedTable) throws {
        let model = try MagneticModel.named(table.model)
        let rows = try table.rows()
        #expect(rows.count == table.rowCount)
        for row in rows {
            let field = try model.field(
                latitude: row.latitude, longitude: row.longitude, height: row.height, year: row.year)
            let answers = byLetter(field.elements).merging(byLetter(field.rates, prefix: "d")) { first, _ in first }
            #expect(row.values.count >= 7)
            for (column, printed) in row.values {
                let answer = try #require(answers[column])
                let isAngle = column.hasSuffix("D") || column.hasSuffix("I")
                let base = isAngle ? Self.angleTolerance : Self.forceTolerance
                let tolerance = printed.half > 2e-6 ? base + printed.half : base
                #expect(
                    abs(answer - printed.value) <= tolerance,
                    "\(table.file):\(row.line) \(column): \(answer) for \(printed.value)")
            }
        }
    }

    @Test(
        "Declination and inclination agree with the printed components to 5e-6 degrees",
        arguments: PublishedTable.all.filter { $0.file.contains("2025_TEST") || $0.model == "igrf14" })
    func meetsAnglesOfComponents(_ table: PublishedTable) throws {
        let model = try MagneticModel.named(table.model)
        for row in try table.rows() {
            let field = try model.field(
                latitude: row.latitude, longitude: row.longitude, height: row.height, year: row.year)
            let x = try #require(row.values["X"]).value
            let y = try #require(row.values["Y"]).value
            let z = try #require(row.values["Z"]).value
            let degrees = 180 / Double.pi
            #expect(
                abs(field.elements.declination - atan2(y, x) * degrees) <= Self.angleTolerance,
                "\(table.file):\(row.line)")
            #expect(
                abs(field.elements.inclination - atan2(z, hypot(x, y)) * degrees) <= Self.angleTolerance,
                "\(table.file):\(row.line)")
        }
    }

    @Test("GeographicLib's answers are met, at poles, date line, heights, epochs and outside the years too")
    func meetsGeographicLib() throws {
        let text = try String(
            contentsOf: Repository.file("data/geomagnetic/test-values/geographiclib-points.txt"), encoding: .utf8)
        let letters = ["D", "I", "H", "X", "Y", "Z", "F", "dD", "dI", "dH", "dX", "dY", "dZ", "dF"]
        var count = 0
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            let numbers = words.dropFirst().compactMap { Double($0) }
            try #require(numbers.count == 18)
            let field = try MagneticModel.named(String(words[0])).field(
                latitude: numbers[1], longitude: numbers[2], height: numbers[3], year: numbers[0])
            let answers = byLetter(field.elements).merging(byLetter(field.rates, prefix: "d")) { first, _ in first }
            for (letter, expected) in zip(letters, numbers.dropFirst(4)) {
                let answer = try #require(answers[letter])
                #expect(abs(answer - expected) <= 1e-7, "\(letter) of \(line): \(answer)")
            }
            count += 1
        }
        #expect(count == 217)
    }
}
