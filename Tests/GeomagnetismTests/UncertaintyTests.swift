import Foundation
import Geomagnetism
import Testing

struct UncertaintyTests {
    struct Constants: CustomTestStringConvertible {
        let model: String
        let year: Double
        let x, y, z, h, f, i, d, dh: Double
        var testDescription: String { model }
    }

    /// The table of data/geomagnetic/SOURCE.md (NOAA/CIRES software; the larger where two are given) and, for the
    /// IGRF, Beggan 2022 for X, Y, Z.
    static let constants = [
        Constants(
            model: "wmm2025", year: 2026, x: 137, y: 89, z: 141, h: 133, f: 138, i: 0.20, d: 0.26, dh: 5417),
        Constants(
            model: "wmmhr2025", year: 2026, x: 135, y: 85, z: 134, h: 130, f: 134, i: 0.19, d: 0.25, dh: 5205),
        Constants(
            model: "wmm2020", year: 2022, x: 131, y: 94, z: 157, h: 128, f: 148, i: 0.21, d: 0.26, dh: 5625),
        Constants(
            model: "wmm2015v2", year: 2016, x: 138, y: 89, z: 165, h: 133, f: 152, i: 0.22, d: 0.24, dh: 5432),
        Constants(
            model: "igrf14", year: 2000, x: 144, y: 136, z: 293, h: 144, f: 253, i: 0.34, d: 0.26,
            dh: 136 * 180 / .pi),
    ]

    @Test("Within its years a model's uncertainty is that of the error model", arguments: constants)
    func insideYears(_ expected: Constants) throws {
        let model = try MagneticModel.named(expected.model)
        for latitude in [-89.0, -60, -20, 0, 35, 70, 86] {
            let field = try model.field(latitude: latitude, longitude: 100, height: 0, year: expected.year)
            let sigma = field.uncertainty
            #expect(sigma.north == expected.x)
            #expect(sigma.east == expected.y)
            #expect(sigma.down == expected.z)
            #expect(sigma.horizontal == expected.h)
            #expect(sigma.total == expected.f)
            #expect(sigma.inclination == expected.i)
            let declination = sqrt(pow(expected.d, 2) + pow(expected.dh / field.elements.horizontal, 2))
            #expect(abs(sigma.declination - min(180, declination)) < 1e-12)
            #expect(field.declinationAccuracy == min(180, 1.96 * sigma.declination))
        }
    }

    @Test(
        "Zones follow the horizontal strength",
        arguments: [
            (1999.9, CompassZone.blackout), (2000, .caution), (5999.9, .caution), (6000, .normal), (0, .blackout),
            (Double.nan, .blackout),
        ])
    func zones(_ horizontal: Double, _ zone: CompassZone) {
        #expect(CompassZone(horizontal: horizontal) == zone)
    }

    @Test("Outside its years a model grows less sure, on either side and the more the further")
    func growsOutside() throws {
        let model = MagneticModel.wmm2025
        func accuracy(_ year: Double) throws -> Double {
            try model.field(latitude: 52, longitude: 13, height: 0, year: year).declinationAccuracy
        }
        let inside = try accuracy(2027)
        #expect(try accuracy(2030) < inside * 1.01)
        var last = inside
        for years in [1.0, 2, 5, 10, 40, 100] {
            let after = try accuracy(2030 + years)
            #expect(after > last)
            #expect(after <= 180)
            last = after
        }
        #expect(try accuracy(2020) > inside)
        #expect(try accuracy(1970) > 5)
    }

    /// Each WMM carried into the years of another: the measured difference (global root mean square on a 5° grid) must
    /// stay below the deviation that is stated for these years, and the statement must not be idle.
    @Test("The stated growth covers how far expired models were off")
    func growthCoversHistory() throws {
        let models = [MagneticModel.wmm2010, .wmm2015v2, .wmm2020, .wmm2025]
        var largestRatio = 0.0
        for old in models {
            for other in models where other.name != old.name {
                for year in [other.validYears.lowerBound, other.validYears.upperBound] {
                    var weight = 0.0
                    var east = 0.0
                    var down = 0.0
                    var sigma = MagneticElements(
                        declination: 0, inclination: 0, horizontal: 0, north: 0, east: 0, down: 0, total: 0)
                    for latitude in stride(from: -85.0, through: 85, by: 10) {
                        for longitude in stride(from: 0.0, to: 360, by: 10) {
                            let a = try old.field(latitude: latitude, longitude: longitude, height: 0, year: year)
                            let b = try other.components(
                                latitude: latitude, longitude: longitude, height: 0, year: year)
                            let share = cos(latitude * .pi / 180)
                            weight += share
                            east += share * pow(a.elements.east - b.east, 2)
                            down += share * pow(a.elements.down - b.down, 2)
                            sigma = a.uncertainty
                        }
                    }
                    let ratios = [sqrt(east / weight) / sigma.east, sqrt(down / weight) / sigma.down]
                    for ratio in ratios {
                        #expect(ratio < 1, "\(old.name) against \(other.name) in \(year)")
                        largestRatio = max(largestRatio, ratio)
                    }
                }
            }
        }
        #expect(largestRatio > 0.5)
    }

    @Test("The IGRF is less sure of the years before 1980, and least before 1945")
    func oldIGRF() throws {
        func sigma(_ year: Double) throws -> Double {
            try MagneticModel.igrf14.field(latitude: 52, longitude: 13, height: 0, year: year).uncertainty.east
        }
        #expect(try sigma(1980) == 136)
        #expect(try sigma(1962.5) > 136)
        // 136 and 100 nT in quadrature.
        #expect(abs(try sigma(1945) - 168.808) < 1e-3)
        #expect(try sigma(1900) == sigma(1945))
    }
}
