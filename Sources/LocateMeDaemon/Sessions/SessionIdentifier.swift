/// The name of a session: 128 random bits, so that nobody can guess a session that is not theirs.
struct SessionIdentifier: Hashable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// A new name from the system's random generator, which is getrandom(2).
    init() {
        var generator = SystemRandomNumberGenerator()
        high = generator.next()
        low = generator.next()
    }

    /// The name written as `description` writes it; nil for any other text.
    init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == 32, let high = Self.number(bytes[..<16]), let low = Self.number(bytes[16...]) else {
            return nil
        }
        self.high = high
        self.low = low
    }

    /// 32 lower-case hexadecimal digits.
    var description: String { Self.digits(high) + Self.digits(low) }

    private static func digits(_ number: UInt64) -> String {
        let text = String(number, radix: 16)
        return String(repeating: "0", count: 16 - text.count) + text
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        digits.reduce(0 as UInt64?) { sum, byte in
            guard let sum else { return nil }
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): return sum << 4 | UInt64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): return sum << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
    }
}
