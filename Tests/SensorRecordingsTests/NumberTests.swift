import Foundation
import LocateMeModel
import SensorRecordings
import Testing

/// Numbers are compared bit by bit with strtod of the C library, which rounds correctly.
@Suite struct NumberTests {
    static func parse(_ text: String) -> Double? {
        guard case .sample(let sample)? = Recordings.decode(lines: ["0 temp \(text)"]).records.first?.content,
            case .temperature(degreesCelsius: let value) = sample.reading
        else { return nil }
        return value
    }

    @Test(arguments: [
        "0", "-0", "0.0", "+1.5", ".5", "5.", "00012.500", "1e3", "1E3", "1e+3", "1e-3", "123456789012345678",
        "9007199254740993", "9007199254740992.5", "18446744073709551615", "18446744073709551616", "0.1", "0.3",
        "21.301199999999998", "-43.800000000000004", "3.141592653589793", "2.2250738585072014e-308", "5e-324",
        "2.4703282292062327e-324", "1.7976931348623157e308", "1e22", "1e23", "8.5e22", "4.35e-19", "1e-19", "1e-20",
        "9999999999999999999", "0.9999999999999999999", "123456.78901234567890123", "0.000000000000000000001",
        "6.62607015e-34", "1.00000000000000011102230246251565", "1.00000000000000011102230246251566",
        "9007199254740993e0", "900719925474099300e-2", "4503599627370497.5", "1e00000000000000000001",
        "0e99999", "0.000e-99999",
    ])
    func aDecimalNumberIsReadAsStrtodReadsIt(text: String) throws {
        let value = try #require(Self.parse(text))
        #expect(value.bitPattern == strtod(text, nil).bitPattern)
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func shortestTextsOfRandomDoublesAreReadBack(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        for _ in 0..<3000 {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            #expect(try #require(Self.parse(value.description)).bitPattern == value.bitPattern)
        }
    }

    @Test(arguments: [UInt64(11), 12, 13])
    func randomDigitsAreReadAsStrtodReadsThem(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        for _ in 0..<3000 {
            let digits = Int.random(in: 1...22, using: &random)
            var text = random.next() & 1 == 0 ? "-" : ""
            let point = Int.random(in: 0...digits, using: &random)
            for index in 0..<digits {
                if index == point { text += "." }
                text += String(Int.random(in: 0...9, using: &random))
            }
            if random.next() & 3 == 0 { text += "e\(Int.random(in: -30...30, using: &random))" }
            #expect(try #require(Self.parse(text), "\(text)").bitPattern == strtod(text, nil).bitPattern, "\(text)")
        }
    }

    /// Halfway cases: m + ½ ulp exactly, and one digit to either side of it.
    @Test(arguments: [UInt64(21), 22])
    func numbersHalfwayBetweenTwoDoublesRoundToEven(seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        for _ in 0..<2000 {
            // An odd 54-bit integer lies exactly between two doubles.
            let halfway = (1 << 53) + (random.next() >> 12 | 1)
            for power in [0, 1, 3, 5, 8] {
                for offset in [-1, 0, 1] as [Int64] {
                    let scaled = Decimal(halfway) * pow(10, power) + Decimal(offset)
                    let text = "\(scaled)e-\(power)"
                    #expect(try #require(Self.parse(text)).bitPattern == strtod(text, nil).bitPattern, "\(text)")
                }
            }
        }
    }
}
