import Foundation

/// Damaged copies of sound inputs, the same again for the same seed: bytes changed, left out, doubled, moved between inputs,
/// cut off.
///
/// `LOCATEME_FUZZ_SECONDS` makes the tests that use it run for so long with another seed each time, and print the input that
/// they are at when they are ended; without it they try a few thousand.
public struct Mutator {
    private var state: UInt64
    private let seeds: [[UInt8]]
    /// Bytes that matter to texts of all kinds.
    private static let special =
        Array("$*,.\r\n!\\\"{}[]:<>&;/=-+0123456789AVNSEW \u{0}".utf8) + [0x80, 0xff, 0xfe, 0xef]

    /// Mutations of the given inputs.
    public init(_ seeds: [[UInt8]], seed: UInt64) {
        self.seeds = seeds
        state = seed | 1
    }

    /// Calls `body` with one damaged input after the other.
    public static func run(_ seeds: [[UInt8]], count: Int = 3000, _ body: ([UInt8]) -> Void) {
        let seconds = ProcessInfo.processInfo.environment["LOCATEME_FUZZ_SECONDS"].flatMap(Double.init)
        let end = seconds.map { Date(timeIntervalSinceNow: $0) }
        var mutator = Mutator(seeds, seed: end == nil ? 0x9e37_79b9 : UInt64.random(in: 1 ... .max))
        var done = 0
        while end.map({ Date() < $0 }) ?? (done < count) {
            body(mutator.next())
            done += 1
        }
        if end != nil { print("\(done) inputs tried") }
    }

    /// The next damaged input.
    public mutating func next() -> [UInt8] {
        var bytes = seeds[random(seeds.count)]
        if bytes.count > 4000 {
            let start = random(bytes.count - 4000)
            bytes = Array(bytes[start..<start + 4000])
        }
        for _ in 0...random(6) { mutate(&bytes) }
        return bytes
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        guard !bytes.isEmpty else {
            bytes.append(UInt8(truncatingIfNeeded: random(256)))
            return
        }
        let index = random(bytes.count)
        switch random(8) {
        case 0: bytes[index] = UInt8(truncatingIfNeeded: random(256))
        case 1: bytes[index] ^= 1 << UInt8(random(8))
        case 2: bytes[index] = Self.special[random(Self.special.count)]
        case 3: bytes.insert(Self.special[random(Self.special.count)], at: index)
        case 4: bytes.removeSubrange(index..<min(bytes.count, index + 1 + random(20)))
        case 5:
            bytes.insert(contentsOf: bytes[index..<min(bytes.count, index + 1 + random(60))], at: random(bytes.count))
        case 6:
            let other = seeds[random(seeds.count)]
            guard !other.isEmpty else { return }
            let start = random(other.count)
            bytes.insert(contentsOf: other[start..<min(other.count, start + 1 + random(80))], at: index)
        default:
            if random(10) == 0 { bytes.removeSubrange(index...) } else { bytes[index] = bytes[random(bytes.count)] }
        }
    }

    /// xorshift64 (G. Marsaglia, Journal of Statistical Software 8(14), 2003).
    private mutating func random(_ limit: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(limit))
    }
}
