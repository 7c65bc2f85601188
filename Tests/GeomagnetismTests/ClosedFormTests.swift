import Foundation
import Geomagnetism
import Testing

/// Fields of which the answer can be written down, given to the models as coefficient files.
struct ClosedFormTests {
    static let radius = 6_371_200.0

    /// A place of the WGS 84 ellipsoid in the earth-centred frame and its local directions, in textbook form.
    struct Place {
        let position: SIMD3<Double>
        let north: SIMD3<Double>
        let east: SIMD3<Double>
        let down: SIMD3<Double>

        init(latitude: Double, longitude: Double, height: Double) {
            let phi = latitude * .pi / 180
            let lambda = longitude * .pi / 180
            let a = 6_378_137.0
            let b = a * (1 - 1 / 298.257223563)
            let n = a * a / sqrt(a * a * cos(phi) * cos(phi) + b * b * sin(phi) * sin(phi))
            position = SIMD3(
                (n + height) * cos(phi) * cos(lambda), (n + height) * cos(phi) * sin(lambda),
                (n * b * b / a / a + height) * sin(phi))
            north = SIMD3(-sin(phi) * cos(lambda), -sin(phi) * sin(lambda), cos(phi))
            east = SIMD3(-sin(lambda), cos(lambda), 0)
            down = SIMD3(-cos(phi) * cos(lambda), -cos(phi) * sin(lambda), -sin(phi))
        }
    }

    static func dipoleFile(g10: Double, g11: Double, h11: Double) -> String {
        """
        2025.0 DIPOLE 01/01/2025
        1 0 \(g10) 0.0 0.0 0.0
        1 1 \(g11) \(h11) 0.0 0.0
        9999999999999999999999
        """
    }

    @Test(
        "A dipole's field is (a/r)³ (3 (m·r) r − m)",
        arguments: [(-29351.8, -1410.8, 4545.4), (30000, 0, 0), (0, 0, -20000), (0, 12345.6, 0)])
    func dipole(_ g10: Double, _ g11: Double, _ h11: Double) throws {
        let model = try MagneticModel(coefficientFile: Self.dipoleFile(g10: g10, g11: g11, h11: h11))
        let moment = SIMD3(g11, h11, g10)
        for latitude in stride(from: -90.0, through: 90, by: 15) {
            for longitude in stride(from: -180.0, through: 180, by: 45) {
                for height in [-1000.0, 0, 400_000] {
                    let place = Place(latitude: latitude, longitude: longitude, height: height)
                    let r = (place.position * place.position).sum().squareRoot()
                    let unit = place.position / r
                    let field = pow(Self.radius / r, 3) * (3 * (moment * unit).sum() * unit - moment)
                    let answer = try model.components(
                        latitude: latitude, longitude: longitude, height: height, year: 2025)
                    #expect(abs(answer.north - (field * place.north).sum()) < 1e-9)
                    #expect(abs(answer.east - (field * place.east).sum()) < 1e-9)
                    #expect(abs(answer.down - (field * place.down).sum()) < 1e-9)
                }
            }
        }
    }

    /// An SHC file with the degree n alone, zero but for one g.
    static func singleHarmonic(n: Int, m: Int, g: Double) -> String {
        var text = "# Single harmonic\n\(n) \(n) 1 2 1 2020.0 2030.0\n2025.0\n"
        for order in 0...n {
            text += "\(n) \(order) \(order == m ? g : 0)\n"
            if order > 0 { text += "\(n) -\(order) 0\n" }
        }
        return text
    }

    @Test("On the axis a zonal harmonic gives (n + 1) (a/r)ⁿ⁺² g outward", arguments: [1, 2, 13, 133, 790])
    func zonal(_ n: Int) throws {
        let model = try MagneticModel(coefficientFile: Self.singleHarmonic(n: n, m: 0, g: 1000))
        let polarRadius = 6_378_137.0 * (1 - 1 / 298.257223563)
        let outward = 1000 * Double(n + 1) * pow(Self.radius / polarRadius, Double(n + 2))
        let north = try model.components(latitude: 90, longitude: 33, height: 0, year: 2025)
        #expect(abs(north.down / -outward - 1) < 1e-10)
        let south = try model.components(latitude: -90, longitude: 33, height: 0, year: 2025)
        #expect(abs(south.down / ((n % 2 == 0 ? -1 : 1) * outward) - 1) < 1e-10)
        #expect(abs(north.north) < 1e-9 * outward)
        #expect(abs(north.east) < 1e-9 * outward)
    }

    @Test("On the equator a sectorial harmonic gives its closed form", arguments: [1, 2, 13, 133, 790])
    func sectorial(_ n: Int) throws {
        let model = try MagneticModel(coefficientFile: Self.singleHarmonic(n: n, m: n, g: 1000))
        // Schmidt's P(n,n) on the equator: √2 Π √((2k − 1)/2k), and 1 for n = 1.
        var legendre = 2.0.squareRoot()
        for k in 1...n { legendre *= (Double(2 * k - 1) / Double(2 * k)).squareRoot() }
        let scale = 1000 * legendre * pow(Self.radius / 6_378_137.0, Double(n + 2))
        for longitude in [0.0, 0.1, 17.3, -121] {
            let angle = Double(n) * longitude * .pi / 180
            let answer = try model.components(latitude: 0, longitude: longitude, height: 0, year: 2025)
            #expect(abs(answer.down + Double(n + 1) * scale * cos(angle)) < 1e-9 * scale * Double(n))
            #expect(abs(answer.east - Double(n) * scale * sin(angle)) < 1e-9 * scale * Double(n))
            #expect(abs(answer.north) < 1e-9 * scale * Double(n))
        }
    }

    @Test("Rates of D, I, H and F are the differences that the model shows over a short time")
    func ratesAreDerivatives() throws {
        let model = MagneticModel.wmm2025
        for (latitude, longitude) in [(52.0, 13.0), (-70.0, -140.0), (0.0, 0.0), (85.0, 100.0), (-12.0, 179.9)] {
            let now = try model.field(latitude: latitude, longitude: longitude, height: 0, year: 2027)
            let before = try model.field(latitude: latitude, longitude: longitude, height: 0, year: 2026.999)
            let after = try model.field(latitude: latitude, longitude: longitude, height: 0, year: 2027.001)
            let first = byLetter(before.elements)
            let second = byLetter(after.elements)
            for (letter, rate) in byLetter(now.rates) {
                let slope = (try #require(second[letter]) - (try #require(first[letter]))) / 0.002
                #expect(abs(rate - slope) < 1e-5, "\(letter) at \(latitude) \(longitude)")
            }
        }
    }

    @Test("A field without horizontal part has declination 0, inclination 90 and no infinite rates")
    func verticalField() throws {
        let field = try MagneticModel(coefficientFile: Self.dipoleFile(g10: -30000, g11: 0, h11: 0))
            .field(latitude: 90, longitude: 0, height: 0, year: 2025)
        #expect(field.elements.horizontal == 0)
        #expect(field.elements.declination == 0)
        #expect(field.elements.inclination == 90)
        #expect(field.rates.declination == 0)
        #expect(field.uncertainty.declination == 180)
        #expect(field.declinationAccuracy == 180)
        #expect(field.zone == .blackout)
    }
}
