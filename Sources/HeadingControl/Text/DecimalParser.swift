/// Numbers that people type: an optional sign, decimal digits with at most one point, an optional exponent. No
/// blanks, no grouping, no hexadecimal, no "nan" or "inf", in every locale the same.
enum DecimalParser {
    /// The value of the text, nil if it is anything else or too large for a double.
    static func number(_ text: some StringProtocol) -> Double? {
        var digits = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): break
            default: return nil
            }
        }
        guard digits > 0, let value = Double(text), value.isFinite else { return nil }
        return value
    }
}
