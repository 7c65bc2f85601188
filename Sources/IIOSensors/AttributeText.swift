/// Reading the text of sysfs attributes: C locale, whatever white space and NULs the kernel or libiio leave around.
enum AttributeText {
    /// The text without white space and NULs at either end; `current_timestamp_clock` prints a newline too many.
    static func trimmed(_ text: some StringProtocol) -> String {
        let isPadding = { (character: Character) in character.isWhitespace || character == "\0" }
        let head = text.drop(while: isPadding)
        guard let last = head.lastIndex(where: { !isPadding($0) }) else { return "" }
        return String(head[...last])
    }

    /// A finite decimal number such as `0.000000010`, `-45` or `9.1e-05`; nil for anything else, so also for
    /// `nan`, `inf` and hexadecimal. All digits count.
    static func number(_ text: some StringProtocol) -> Double? {
        let digits = trimmed(text)
        let isDecimal = digits.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"),
                UInt8(ascii: "e"), UInt8(ascii: "E"):
                true
            default: false
            }
        }
        guard isDecimal, let value = Double(digits), value.isFinite else { return nil }
        return value
    }

    /// A number as a driver's store function parses it: integer if whole, else with at most six decimals and no
    /// exponent.
    static func decimal(_ value: Double) -> String {
        let micro = (value * 1_000_000).rounded()
        guard micro.isFinite, abs(micro) < 9e15 else { return "0" }
        let whole = Int64(micro) / 1_000_000
        let fraction = abs(Int64(micro) % 1_000_000)
        guard fraction != 0 else { return String(whole) }
        var digits = String(fraction)
        digits = String(repeating: "0", count: 6 - digits.count) + digits
        while digits.hasSuffix("0") { digits.removeLast() }
        return (value < 0 && whole == 0 ? "-" : "") + "\(whole).\(digits)"
    }
}
