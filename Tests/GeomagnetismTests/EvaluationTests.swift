import Geomagnetism
import LocateMeModel
import Testing

struct EvaluationTests {
    @Test("The longitude wraps", arguments: [-720.0, -360, 360, 720, 36000])
    func longitudeWraps(_ turns: Double) throws {
        for longitude in [0.0, 13.5, -122.25, 180] {
            let model = MagneticModel.wmm2025
            let here = try model.components(latitude: 37.5, longitude: longitude, height: 10, year: 2026)
            let there = try model.components(latitude: 37.5, longitude: longitude + turns, height: 10, year: 2026)
            #expect(abs(here.north - there.north) < 1e-8)
            #expect(abs(here.east - there.east) < 1e-8)
            #expect(abs(here.down - there.down) < 1e-8)
        }
    }

    @Test("Huge longitudes are answered", arguments: [1e9, -1e15, 1e300, Double.greatestFiniteMagnitude])
    func hugeLongitude(_ longitude: Double) throws {
        let field = try MagneticModel.wmm2025.field(latitude: 10, longitude: longitude, height: 0, year: 2026)
        #expect((20_000...70_000).contains(field.elements.total))
    }

    @Test("At a pole the vector is one and the same, seen from the longitude given", arguments: [90.0, -90])
    func poles(_ latitude: Double) throws {
        let model = MagneticModel.wmm2025
        let zero = try model.field(latitude: latitude, longitude: 0, height: 0, year: 2025)
        for longitude in stride(from: -180.0, through: 180, by: 30) {
            let turned = try model.field(latitude: latitude, longitude: longitude, height: 0, year: 2025)
            #expect(abs(turned.elements.horizontal - zero.elements.horizontal) < 1e-8)
            #expect(abs(turned.elements.down - zero.elements.down) < 1e-8)
            let expected = zero.elements.declination + (latitude > 0 ? longitude : -longitude)
            let difference = (turned.elements.declination - expected).remainder(dividingBy: 360)
            #expect(abs(difference) < 1e-9)
        }
    }

    @Test("The two sides of the date line agree")
    func dateLine() throws {
        for latitude in stride(from: -80.0, through: 80, by: 20) {
            let east = try MagneticModel.wmm2025.components(latitude: latitude, longitude: 180, height: 0, year: 2026)
            let west = try MagneticModel.wmm2025.components(latitude: latitude, longitude: -180, height: 0, year: 2026)
            #expect(abs(east.north - west.north) < 1e-9)
            #expect(abs(east.east - west.east) < 1e-9)
            #expect(east.down == west.down)
        }
    }

    struct Refused: CustomTestStringConvertible {
        let latitude, longitude, height, year: Double
        let code: GeomagnetismError.Code
        let fragment: String
        var testDescription: String { "\(latitude) \(longitude) \(height) \(year)" }
    }

    @Test(
        "Input that has no answer is refused in words",
        arguments: [
            Refused(latitude: .nan, longitude: 0, height: 0, year: 2026, code: .latitudeOutOfRange, fragment: "nan"),
            Refused(
                latitude: 90.0001, longitude: 0, height: 0, year: 2026, code: .latitudeOutOfRange, fragment: "90.0001"),
            Refused(
                latitude: -.infinity, longitude: 0, height: 0, year: 2026, code: .latitudeOutOfRange, fragment: "-inf"),
            Refused(latitude: 0, longitude: .nan, height: 0, year: 2026, code: .longitudeNotFinite, fragment: "nan"),
            Refused(
                latitude: 0, longitude: .infinity, height: 0, year: 2026, code: .longitudeNotFinite, fragment: "inf"),
            Refused(
                latitude: 0, longitude: 0, height: -1001, year: 2026, code: .heightOutOfRange, fragment: "-1001"),
            Refused(
                latitude: 0, longitude: 0, height: 850_001, year: 2026, code: .heightOutOfRange, fragment: "850000"),
            Refused(latitude: 0, longitude: 0, height: .nan, year: 2026, code: .heightOutOfRange, fragment: "nan"),
            Refused(latitude: 0, longitude: 0, height: 0, year: .nan, code: .yearOutOfRange, fragment: "WMM-2025"),
            Refused(latitude: 0, longitude: 0, height: 0, year: 2131, code: .yearOutOfRange, fragment: "2030"),
            Refused(latitude: 0, longitude: 0, height: 0, year: 1900, code: .yearOutOfRange, fragment: "1900"),
        ])
    func refuses(_ input: Refused) {
        let error = #expect(throws: GeomagnetismError.self) {
            try MagneticModel.wmm2025.field(
                latitude: input.latitude, longitude: input.longitude, height: input.height, year: input.year)
        }
        #expect(error?.code == input.code)
        #expect(error?.message.contains(input.fragment) == true, "\(error?.message ?? "")")
    }

    @Test(
        "Dates outside a model's years are answered with a flag",
        arguments: [
            (2024.5, ModelValidity.notYetValid(years: 0.5)), (2025, .valid), (2027.5, .valid), (2030, .valid),
            (2031.5, .expired(years: 1.5)), (1970, .notYetValid(years: 55)),
        ])
    func flags(_ year: Double, _ expected: ModelValidity) throws {
        let field = try MagneticModel.wmm2025.field(latitude: 50, longitude: 8, height: 0, year: year)
        #expect(field.validity == expected)
        #expect(field.validity.isValid == (expected == .valid))
    }

    @Test("The earth field is in microtesla with the 95 % bound of the declination")
    func earthField() throws {
        // First row of WMM2025_TEST_VALUES: H 1504.298146 nT, Z 56194.288771 nT, atan2(Y, X) = -99.774602 degrees.
        let field = try MagneticModel.wmm2025.earthField(latitude: 89, longitude: -121, height: 28_000, year: 2025)
        #expect(abs(field.horizontal - 1.504298146) < 1e-6)
        #expect(abs(field.down - 56.194288771) < 1e-6)
        #expect(abs(field.declination - -99.774602) < 1e-5)
        // sqrt(0.26² + (5417/1504.298)²) · 1.96
        #expect(abs(field.declinationAccuracy - 7.0764) < 1e-3)
    }
}
