import Foundation
import TestSupport
import Testing

@testable import Geomagnetism

struct BuiltInModelTests {
    @Test(
        "The embedded numbers are those of the coefficient file",
        arguments: [
            (EmbeddedModel.wmm2025, "WMM_2025.COF"), (.wmmhr2025, "WMMHR_2025.COF"), (.wmm2020, "WMM_2020.COF"),
            (.wmm2015v2, "WMM_2015v2.COF"), (.wmm2010, "WMM_2010.COF"), (.igrf14, "igrf14coeffs.txt"),
        ])
    func embeddedEqualsFile(_ embedded: EmbeddedModel, _ file: String) throws {
        let bytes = [UInt8](try Data(contentsOf: Repository.file("data/geomagnetic/\(file)")))
        var table = try CoefficientTable(file: bytes)
        table.sets = table.sets.map { $0.resized(to: $0.usedDegree) }
        #expect(embedded.table() == table)
    }

    @Test("The IGRF in SHC form is the same model")
    func shcEqualsText() throws {
        let bytes = [UInt8](try Data(contentsOf: Repository.file("data/geomagnetic/IGRF14.shc")))
        let model = try MagneticModel(coefficientFile: bytes)
        #expect(model.displayName == "IGRF-14")
        #expect(model.name == "igrf14")
        #expect(model.validYears == 1900...2030)
        for year in [1900.0, 1923.4, 1998, 2012.5, 2025, 2027.3, 2030, 2034, 1890] {
            let a = try model.components(latitude: 41, longitude: -73, height: 300, year: year)
            let b = try MagneticModel.igrf14.components(latitude: 41, longitude: -73, height: 300, year: year)
            #expect(abs(a.north - b.north) < 1e-6)
            #expect(abs(a.east - b.east) < 1e-6)
            #expect(abs(a.down - b.down) < 1e-6)
        }
    }

    @Test(
        "Models are found by name",
        arguments: [
            ("wmm2025", "WMM-2025", 2025.0...2030.0, 12), ("WMM-2025", "WMM-2025", 2025...2030, 12),
            ("wmmhr2025", "WMMHR-2025", 2025...2030, 133), ("wmm2020", "WMM-2020", 2020...2025, 12),
            ("wmm2015v2", "WMM-2015v2", 2015...2020, 12), ("wmm2015", "WMM-2015v2", 2015...2020, 12),
            ("wmm2010", "WMM-2010", 2010...2015, 12), ("igrf14", "IGRF-14", 1900...2030, 13),
            ("IGRF-14", "IGRF-14", 1900...2030, 13),
        ])
    func named(_ name: String, _ displayName: String, _ years: ClosedRange<Double>, _ degree: Int) throws {
        let model = try MagneticModel.named(name)
        #expect(model.displayName == displayName)
        #expect(model.validYears == years)
        #expect(model.degree == degree)
        #expect(MagneticModel.builtInNames.contains(model.name))
    }

    @Test(
        "An unknown name is refused with the list of those that exist", arguments: ["", "wmm2030", "emm2017", "\u{0}"])
    func unknownName(_ name: String) {
        let error = #expect(throws: GeomagnetismError.self) { try MagneticModel.named(name) }
        #expect(error?.code == .unknownModel)
        #expect(error?.message.contains("wmm2025, wmmhr2025") == true)
    }

    @Test(
        "The model of a year is chosen",
        arguments: [
            (1850, "igrf14"), (1900, "igrf14"), (2009.99, "igrf14"), (2010, "wmm2010"), (2014.99, "wmm2010"),
            (2015, "wmm2015v2"), (2019.99, "wmm2015v2"), (2020, "wmm2020"), (2024.99, "wmm2020"),
            (2025, "wmm2025"), (2029.99, "wmm2025"), (2035, "wmm2025"),
        ])
    func selection(_ year: Double, _ name: String) {
        #expect(MagneticModel.selectModel(forYear: year).name == name)
    }
}
