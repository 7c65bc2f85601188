import func Glibc.vsnprintf

/// Numbers as text with a fixed number of decimals, the same in every command and every locale: a point, no
/// grouping, no exponent, "nan" and "inf" for what is not finite, never "-0".
enum DecimalText {
    /// Text of a value rounded to 0…12 decimals, ties to even on the exact binary value as printf does.
    static func fixed(_ value: Double, decimals: Int) -> String {
        var bytes: [UInt8] = []
        append(value, decimals: decimals, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The same with zeros at the end, and then the point, left out: 2.50 is "2.5", 3.0 is "3".
    static func trimmed(_ value: Double, decimals: Int) -> String {
        var text = fixed(value, decimals: decimals)
        guard text.utf8.contains(UInt8(ascii: ".")) else { return text }
        while text.hasSuffix("0") { text.removeLast() }
        if text.hasSuffix(".") { text.removeLast() }
        return text
    }

    /// Appends what `fixed` returns. Does not allocate beyond the buffer's growth for |value|·10^decimals < 2⁵⁰.
    static func append(_ value: Double, decimals: Int, to bytes: inout [UInt8]) {
        let places = min(max(decimals, 0), 12)
        guard value.isFinite else {
            bytes.append(contentsOf: (value.isNaN ? "nan" : value < 0 ? "-inf" : "inf").utf8)
            return
        }
        let scaled = value.magnitude * powersOfTen[places]
        guard scaled < 0x1p50 else { return appendExactly(value, places, to: &bytes) }
        let whole = scaled.rounded(.down)
        // The product is off by at most half a unit in its last place, 2⁻⁴ here at worst; nearer to a tie than
        // that the exact value must decide.
        guard (scaled - whole - 0.5).magnitude > max(scaled * 0x1p-52, 0x1p-60) else {
            return appendExactly(value, places, to: &bytes)
        }
        let units = UInt64(whole) + (scaled - whole > 0.5 ? 1 : 0)
        if value < 0, units > 0 { bytes.append(UInt8(ascii: "-")) }
        append(units, places, to: &bytes)
    }

    /// Appends an integer.
    static func append(_ value: Int64, to bytes: inout [UInt8]) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        append(value.magnitude, 0, to: &bytes)
    }

    private static let powersOfTen: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12]

    /// Decimal digits of `units`, the last `places` of them behind a point.
    private static func append(_ units: UInt64, _ places: Int, to bytes: inout [UInt8]) {
        let start = bytes.count
        var rest = units
        var digits = 0
        while rest > 0 || digits <= places {
            if digits == places, places > 0 { bytes.append(UInt8(ascii: ".")) }
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
            digits += 1
        }
        bytes[start...].reverse()
    }

    private static func appendExactly(_ value: Double, _ places: Int, to bytes: inout [UInt8]) {
        // Enough for the 309 digits before the point of the largest double.
        let text = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 340) { buffer in
            let length = withVaList([Int32(places), value]) { vsnprintf(buffer.baseAddress, buffer.count, "%.*f", $0) }
            return buffer[..<max(0, min(Int(length), buffer.count - 1))].map { UInt8(bitPattern: $0) }
        }
        let isZero = !text.contains { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
        bytes.append(contentsOf: isZero && text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...])
    }
}
