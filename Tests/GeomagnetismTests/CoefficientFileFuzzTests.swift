import Foundation
import Geomagnetism
import TestSupport
import Testing

/// Damaged files: an error or a model that answers, never a trap. The seed is fixed, so that a failure repeats.
struct CoefficientFileFuzzTests {
    struct Generator: RandomNumberGenerator {
        var state: UInt64
        /// SplitMix64 (Steele, Lea, Flood 2014).
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var z = state
            z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
            z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
            return z ^ (z >> 31)
        }
    }

    /// Loads the bytes and, if they make a model, asks it; says whether it did.
    func tryModel(_ bytes: [UInt8]) throws -> Bool {
        let model: MagneticModel
        do {
            model = try MagneticModel(coefficientFile: bytes)
        } catch {
            #expect(error.message.isEmpty == false)
            return false
        }
        let year = model.validYears.lowerBound
        let field = try model.components(latitude: 47, longitude: 11, height: 500, year: year)
        #expect(field.north.isFinite && field.east.isFinite && field.down.isFinite)
        #expect(model.displayName.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        return true
    }

    @Test(
        "Files with damaged bytes are read or refused",
        arguments: [("WMM_2025.COF", 600), ("igrf14coeffs.txt", 60), ("IGRF14.shc", 60)])
    func damaged(_ file: String, _ rounds: Int) throws {
        let original = [UInt8](try Data(contentsOf: Repository.file("data/geomagnetic/\(file)")))
        var random = Generator(state: 20_250_101)
        let alphabet = Array("0123456789+-.eE \n\tgh#n\u{0}".utf8) + [0x80, 0xC3, 0xFF]
        var refused = 0
        for round in 0..<rounds {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<min(bytes.count, round % 2 == 0 ? 300 : bytes.count), using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(alphabet[Int.random(in: 0..<alphabet.count, using: &random)], at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...80, using: &random)))
                }
                if bytes.isEmpty { break }
            }
            if try !tryModel(bytes) { refused += 1 }
        }
        #expect(refused > 0)
    }

    @Test("Random bytes are refused")
    func randomBytes() throws {
        var random = Generator(state: 7)
        let alphabet = Array("0123456789+-.eE  \n\ngh#nm/c\u{0}".utf8)
        for round in 0..<2000 {
            let count = Int.random(in: 0...200, using: &random)
            let bytes = (0..<count).map { _ in
                round % 2 == 0 ? UInt8.random(in: 0...255, using: &random) : alphabet.randomElement(using: &random) ?? 0
            }
            #expect(try !tryModel(bytes))
        }
    }

    @Test("Random text is no date, or a date of the calendar")
    func randomDates() {
        var random = Generator(state: 99)
        let alphabet = Array("0123456789-:.TZ+ ")
        for _ in 0..<3000 {
            let text = String(
                (0..<Int.random(in: 0...22, using: &random)).map { _ in
                    alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                })
            if let date = try? DecimalYear(parsing: text) { #expect((1..<10000).contains(date.value)) }
        }
    }
}
