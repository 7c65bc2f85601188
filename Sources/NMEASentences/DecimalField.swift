/// A decimal number without sign and exponent, such as `5147.946`, with its parts.
struct DecimalField {
    /// The part before the point.
    let whole: Int64
    /// The part after it, [0, 1).
    let fraction: Double
    /// Digits before the point.
    let integerDigits: Int
    /// Digits after the point.
    let decimals: Int

    /// Reads digits with at most one point among them. Digits that make no difference to a `Double` are checked and left out.
    init(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(NMEADefect) {
        var whole: Int64 = 0
        var numerator: Int64 = 0
        var denominator = 1.0
        var index = range.lowerBound
        while index < range.upperBound, bytes[index] != UInt8(ascii: ".") {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10, whole < 100_000_000_000_000 else { throw .fieldMalformed }
            whole = whole * 10 + Int64(digit)
            index += 1
        }
        integerDigits = index - range.lowerBound
        if index < range.upperBound { index += 1 }
        decimals = range.upperBound - index
        guard integerDigits + decimals > 0 else { throw .fieldMalformed }
        while index < range.upperBound {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { throw .fieldMalformed }
            if denominator < 1e15 {
                numerator = numerator * 10 + Int64(digit)
                denominator *= 10
            }
            index += 1
        }
        self.whole = whole
        fraction = Double(numerator) / denominator
    }

    /// The number.
    var value: Double { Double(whole) + fraction }
}
