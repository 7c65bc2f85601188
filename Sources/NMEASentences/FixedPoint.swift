/// Numbers as text with a fixed number of decimals: a point, no exponent, never "-0".
enum FixedPoint {
    /// A finite value rounded to `decimals` and cut off at ±10⁹, with at least so many digits before the point.
    static func text(_ value: Double, decimals: Int, digits: Int = 1) -> String {
        var scale = 1
        for _ in 0..<decimals { scale *= 10 }
        let parts = Int((min(abs(value), 1e9) * Double(scale)).rounded())
        let sign = value < 0 && parts > 0 ? "-" : ""
        let whole = sign + padded(parts / scale, digits)
        return decimals == 0 ? whole : whole + "." + padded(parts % scale, decimals)
    }

    /// The same without zeros at the end: 2.50 is "2.5", 3.0 is "3".
    static func trimmed(_ value: Double, decimals: Int) -> String {
        var text = Substring(text(value, decimals: decimals))
        guard text.utf8.contains(UInt8(ascii: ".")) else { return String(text) }
        while text.last == "0" { text.removeLast() }
        if text.last == "." { text.removeLast() }
        return String(text)
    }

    /// A number that is not negative, with at least so many digits.
    static func padded(_ value: Int, _ width: Int) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }
}
