import func Glibc.cos
import func Glibc.log
import func Glibc.sin

/// Random numbers that are the same on every machine for the same seed: xoshiro256** by D. Blackman and S. Vigna
/// ("Scrambled Linear Pseudorandom Number Generators", 2021), its state filled by SplitMix64 as its authors advise.
public struct RandomSource: RandomNumberGenerator, Hashable, Sendable {
    private var state0: UInt64
    private var state1: UInt64
    private var state2: UInt64
    private var state3: UInt64
    /// The second of the two numbers that one Box–Muller step gives.
    private var spareNormal: Double?

    /// A source for a seed. Sources of the same seed and different streams are independent of each other, so that one
    /// sensor's rate does not change another's noise.
    public init(seed: UInt64, stream: UInt64 = 0) {
        var splitMix = seed ^ (stream &* 0xd134_2543_de82_ef95)
        func next() -> UInt64 {
            splitMix &+= 0x9e37_79b9_7f4a_7c15
            var word = splitMix
            word = (word ^ (word >> 30)) &* 0xbf58_476d_1ce4_e5b9
            word = (word ^ (word >> 27)) &* 0x94d0_49bb_1331_11eb
            return word ^ (word >> 31)
        }
        state0 = next()
        state1 = next()
        state2 = next()
        state3 = next()
    }

    /// The next 64 bits.
    public mutating func next() -> UInt64 {
        func rotate(_ word: UInt64, _ count: UInt64) -> UInt64 { word << count | word >> (64 - count) }
        let result = rotate(state1 &* 5, 7) &* 9
        let shifted = state1 << 17
        state2 ^= state0
        state3 ^= state1
        state1 ^= state2
        state0 ^= state3
        state2 ^= shifted
        state3 = rotate(state3, 45)
        return result
    }

    /// Uniform in [0, 1), a multiple of 2⁻⁵³.
    public mutating func uniform() -> Double { Double(next() >> 11) * 0x1p-53 }

    /// Normally distributed with mean 0 and standard deviation 1 (G. E. P. Box and M. E. Muller, 1958).
    public mutating func normal() -> Double {
        if let spare = spareNormal {
            spareNormal = nil
            return spare
        }
        // 1 − u is in (0, 1], so the logarithm is finite.
        let radius = (-2 * log(1 - uniform())).squareRoot()
        let angle = 2 * Double.pi * uniform()
        spareNormal = radius * sin(angle)
        return radius * cos(angle)
    }
}
