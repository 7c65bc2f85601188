import Testing

@testable import Simulation

@Suite struct RandomSourceTests {
    /// Outputs of the authors' C programs (prng.di.unimi.it: splitmix64.c, xoshiro256starstar.c), compiled with GCC: the
    /// state filled by SplitMix64 from the seed 1234567, then eight numbers of xoshiro256**.
    static let reference: [UInt64] = [
        3_504_822_795_582_309_479, 1_819_558_768_956_484_042, 1_250_851_346_055_027_673, 16_940_231_675_099_994_102,
        11_585_879_347_611_423_030, 8_134_400_763_355_999_650, 16_522_854_393_704_305_783, 6_681_395_768_013_188_110,
    ]

    @Test func numbersAreThoseOfTheReferenceProgram() {
        var random = RandomSource(seed: 1_234_567)
        let numbers = (0..<8).map { _ in random.next() }
        #expect(numbers == RandomSourceTests.reference)
    }

    @Test func theSameSeedGivesTheSameNumbersAndOtherStreamsOthers() {
        var first = RandomSource(seed: 5, stream: 1)
        var second = RandomSource(seed: 5, stream: 1)
        var other = RandomSource(seed: 5, stream: 2)
        let numbers = (0..<100).map { _ in first.normal() }
        #expect(numbers == (0..<100).map { _ in second.normal() })
        #expect(numbers != (0..<100).map { _ in other.normal() })
    }

    /// Bounds are five standard deviations of each estimate for 200 000 normal numbers.
    @Test(arguments: [UInt64(1), 2, 3])
    func normalNumbersHaveTheMomentsOfTheNormalDistribution(seed: UInt64) {
        var random = RandomSource(seed: seed)
        let count = 200_000.0
        var (sum, squares, cubes, fourths, within) = (0.0, 0.0, 0.0, 0.0, 0.0)
        for _ in 0..<Int(count) {
            let value = random.normal()
            sum += value
            squares += value * value
            cubes += value * value * value
            fourths += value * value * value * value
            if abs(value) < 1 { within += 1 }
        }
        #expect(abs(sum / count) < 5 / count.squareRoot())
        #expect(abs(squares / count - 1) < 5 * (2 / count).squareRoot())
        #expect(abs(cubes / count) < 5 * (15 / count).squareRoot())
        #expect(abs(fourths / count - 3) < 5 * (96 / count).squareRoot())
        // 68.2689 % lie within one standard deviation.
        #expect(abs(within / count - 0.682_689) < 5 * (0.2166 / count).squareRoot())
    }

    @Test func uniformNumbersStayInTheirRange() {
        var random = RandomSource(seed: 9)
        let numbers = (0..<100_000).map { _ in random.uniform() }
        #expect(numbers.allSatisfy { $0 >= 0 && $0 < 1 })
        // Five standard deviations of the mean of 100 000 uniform numbers: 5 / √(12 · 100 000).
        let mean: Double = numbers.reduce(0, +) / 100_000
        #expect(abs(mean - 0.5) < 0.004_56)
    }
}
