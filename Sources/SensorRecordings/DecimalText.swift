/// Decimal numbers in ASCII text to doubles: correctly rounded, independent of the locale and without allocation
/// for up to 19 significant digits and exponents that real measurements have.
///
/// The text is m · 10^k with an integer m below 10^19. Three exact ways, then one that is general:
/// 1. m ≤ 2^53 and |k| ≤ 22: m and 10^|k| are doubles without error, so one operation rounds once
///    (W. D. Clinger, "How to Read Floating Point Numbers Accurately", 1990).
/// 2. 0 ≤ k ≤ 19: the 128-bit product; 3. −19 ≤ k < 0: a 64-bit quotient of the numbers shifted to full width. In
///    both, what is cut off only sets the lowest bit, which is enough to round to the nearest even double.
/// 4. Anything else: the standard library's conversion.
enum DecimalText {
    /// The number of a field that begins at `position` and ends before a space or at the end; `position` is then
    /// the place after the field. Nil if the field is no number; NaN or infinite if it spells that or overflows.
    static func number(in line: Span<UInt8>, at position: inout Int) -> Double? {
        let start = position
        let end = line.count
        var index = start
        var isNegative = false
        if index < end, line[index] == minus || line[index] == plus {
            isNegative = line[index] == minus
            index += 1
        }
        var mantissa: UInt64 = 0
        var significantDigits = 0
        var exponent = 0
        var hasDigits = false
        var afterPoint = false
        while index < end {
            let byte = line[index]
            let digit = byte &- zero
            if digit < 10 {
                hasDigits = true
                if significantDigits < 19 {
                    mantissa = mantissa &* 10 &+ UInt64(digit)
                    if mantissa != 0 { significantDigits += 1 }
                    if afterPoint { exponent -= 1 }
                } else {
                    significantDigits += 1
                }
            } else if byte == point, !afterPoint {
                afterPoint = true
            } else {
                break
            }
            index += 1
        }
        if hasDigits, index < end, line[index] | 0x20 == letterE {
            guard let written = writtenExponent(in: line, at: &index) else {
                return irregular(in: line, from: start, to: &position)
            }
            exponent += written
        }
        guard hasDigits, index == end || line[index] == space else {
            return irregular(in: line, from: start, to: &position)
        }
        position = index
        if significantDigits <= 19, let magnitude = simpleMagnitude(mantissa, exponent) {
            return isNegative ? -magnitude : magnitude
        }
        return Double(text(in: line, start..<index))
    }

    /// An integer field of digits only, with a leading `-` if `allowsSign`; nil for anything else and from 10^17 on.
    static func integer(in line: Span<UInt8>, at position: inout Int, allowsSign: Bool) -> Int64? {
        var index = position
        let end = line.count
        let isNegative = allowsSign && index < end && line[index] == minus
        if isNegative { index += 1 }
        let first = index
        var value: Int64 = 0
        while index < end {
            let digit = line[index] &- zero
            guard digit < 10 else { break }
            guard index - first < 17 else { return nil }
            value = value * 10 + Int64(digit)
            index += 1
        }
        guard index > first, index == end || line[index] == space else { return nil }
        position = index
        return isNegative ? -value : value
    }

    /// The bytes as a string, with replacement characters for what is not UTF-8.
    static func text(in line: Span<UInt8>, _ range: Range<Int>) -> String {
        line.extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
    }

    // MARK: - Private

    private static let zero = UInt8(ascii: "0")
    private static let minus = UInt8(ascii: "-")
    private static let plus = UInt8(ascii: "+")
    private static let point = UInt8(ascii: ".")
    private static let space = UInt8(ascii: " ")
    private static let letterE = UInt8(ascii: "e")

    private static let powersOfTen: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
        1e19, 1e20, 1e21, 1e22,
    ]
    private static let integerPowersOfTen: [UInt64] = [
        1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000, 10_000_000_000,
        100_000_000_000, 1_000_000_000_000, 10_000_000_000_000, 100_000_000_000_000, 1_000_000_000_000_000,
        10_000_000_000_000_000, 100_000_000_000_000_000, 1_000_000_000_000_000_000, 10_000_000_000_000_000_000,
    ]

    /// `e`, a sign if any, digits; more than four digits count as ±9999. Nil without digits.
    private static func writtenExponent(in line: Span<UInt8>, at position: inout Int) -> Int? {
        var index = position + 1
        var isNegative = false
        if index < line.count, line[index] == minus || line[index] == plus {
            isNegative = line[index] == minus
            index += 1
        }
        let first = index
        var value = 0
        while index < line.count {
            let digit = line[index] &- zero
            guard digit < 10 else { break }
            value = min(value * 10 + Int(digit), 9999)
            index += 1
        }
        guard index > first else { return nil }
        position = index
        return isNegative ? -value : value
    }

    private static func simpleMagnitude(_ mantissa: UInt64, _ exponent: Int) -> Double? {
        if mantissa == 0 { return 0 }
        if mantissa <= 1 << 53, exponent >= -22, exponent <= 22 {
            let exact = Double(mantissa)
            return exponent < 0 ? exact / powersOfTen[-exponent] : exact * powersOfTen[exponent]
        }
        guard exponent >= -19, exponent <= 19 else { return nil }
        return exponent < 0
            ? quotient(mantissa, integerPowersOfTen[-exponent]) : product(mantissa, integerPowersOfTen[exponent])
    }

    private static func product(_ mantissa: UInt64, _ power: UInt64) -> Double {
        let (high, low) = mantissa.multipliedFullWidth(by: power)
        guard high != 0 else { return Double(low) }
        let shift = high.leadingZeroBitCount
        let upper = shift == 0 ? high : high << UInt64(shift) | low >> UInt64(64 - shift)
        let rest = low << UInt64(shift)
        return Double(upper | (rest == 0 ? 0 : 1)) * powerOfTwo(64 - shift)
    }

    private static func quotient(_ mantissa: UInt64, _ power: UInt64) -> Double {
        let dividendShift = mantissa.leadingZeroBitCount
        let divisorShift = power.leadingZeroBitCount
        let dividend = mantissa << UInt64(dividendShift)
        // The dividend's upper word is below 2^63 ≤ the divisor, so the quotient fits; it has at least 63 bits.
        let (quotient, remainder) = (power << UInt64(divisorShift)).dividingFullWidth((dividend >> 1, dividend << 63))
        return Double(quotient | (remainder == 0 ? 0 : 1)) * powerOfTwo(divisorShift - dividendShift - 63)
    }

    private static func powerOfTwo(_ exponent: Int) -> Double { Double(bitPattern: UInt64(1023 + exponent) << 52) }

    /// NaN or infinity in the spellings of printf and of Python; nil for what is no number.
    private static func irregular(in line: Span<UInt8>, from start: Int, to position: inout Int) -> Double? {
        var end = start
        while end < line.count, line[end] != space { end += 1 }
        position = end
        guard end - start <= 9 else { return nil }
        switch text(in: line, start..<end).lowercased() {
        case "nan", "-nan", "+nan": return .nan
        case "inf", "+inf", "infinity", "+infinity": return .infinity
        case "-inf", "-infinity": return -.infinity
        default: return nil
        }
    }
}
