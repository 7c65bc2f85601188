internal import LocateMeModel

/// Where the fields of a sentence lie, and readers that accept what the field may be and nothing else.
struct SentenceFields {
    static let capacity = 40

    private var starts = InlineArray<40, UInt16>(repeating: 0)
    /// Number of fields, the address not counted.
    private(set) var count = 0

    /// Cuts the bytes from `start`, where the first field begins, up to `end`. More fields than any type has are malformed.
    init(_ bytes: Span<UInt8>, from start: Int, to end: Int) throws(NMEADefect) {
        starts[0] = UInt16(start)
        var index = start
        while index < end {
            if bytes[index] == UInt8(ascii: ",") {
                count += 1
                guard count < Self.capacity - 1 else { throw .malformed }
                starts[count] = UInt16(index + 1)
            }
            index += 1
        }
        count += 1
        starts[count] = UInt16(end + 1)
    }

    /// The bytes of a field without blanks around; empty beyond the last field.
    func range(_ field: Int, _ bytes: Span<UInt8>) -> Range<Int> {
        guard field < count else { return 0..<0 }
        var start = Int(starts[field])
        var end = Int(starts[field + 1]) - 1
        while start < end, bytes[start] == UInt8(ascii: " ") { start += 1 }
        while end > start, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
        return start..<end
    }

    /// The single letter or digit of a field, 0 if it is empty.
    func letter(_ field: Int, _ bytes: Span<UInt8>) throws(NMEADefect) -> UInt8 {
        let range = range(field, bytes)
        guard !range.isEmpty else { return 0 }
        guard range.count == 1 else { throw .fieldMalformed }
        return bytes[range.lowerBound]
    }

    /// A decimal number without sign; NaN if the field is empty.
    func number(_ field: Int, _ bytes: Span<UInt8>) throws(NMEADefect) -> Double {
        let range = range(field, bytes)
        guard !range.isEmpty else { return .nan }
        return try DecimalField(bytes, range).value
    }

    /// A decimal number that may be negative; NaN if the field is empty.
    func signedNumber(_ field: Int, _ bytes: Span<UInt8>) throws(NMEADefect) -> Double {
        let range = range(field, bytes)
        guard !range.isEmpty else { return .nan }
        let isNegative = bytes[range.lowerBound] == UInt8(ascii: "-")
        let start = isNegative || bytes[range.lowerBound] == UInt8(ascii: "+") ? 1 : 0
        let value = try DecimalField(bytes, range.lowerBound + start..<range.upperBound).value
        return isNegative ? -value : value
    }

    /// A whole number of at most `digits` digits; nil if the field is empty.
    func integer(_ field: Int, _ bytes: Span<UInt8>, digits: Int) throws(NMEADefect) -> Int? {
        let range = range(field, bytes)
        guard !range.isEmpty else { return nil }
        guard range.count <= digits else { throw .fieldMalformed }
        return try Self.digits(bytes, range)
    }

    /// `hhmmss` with any number of decimals; nil if the field is empty.
    func time(_ field: Int, _ bytes: Span<UInt8>) throws(NMEADefect) -> TimeOfDay? {
        let range = range(field, bytes)
        guard !range.isEmpty else { return nil }
        let number = try DecimalField(bytes, range)
        guard number.integerDigits == 6 else { throw .fieldMalformed }
        let (hour, minute, second) = (number.whole / 10_000, number.whole / 100 % 100, number.whole % 100)
        let isLeapSecond = hour == 23 && minute == 59 && second == 60
        guard hour < 24, minute < 60, second < 60 || isLeapSecond else { throw .fieldMalformed }
        let micro = Int64((number.fraction * 1e6).rounded(.down))
        return TimeOfDay(microseconds: (hour * 3600 + minute * 60 + second) * 1_000_000 + min(micro, 999_999))
    }

    /// `ddmmyy` as days since 1970-01-01; nil if the field is empty. Years from 80, when GPS time begins, are of the last
    /// century; what else may be wrong with a receiver's date is decided elsewhere.
    func day(_ field: Int, _ bytes: Span<UInt8>) throws(NMEADefect) -> Int64? {
        let range = range(field, bytes)
        guard !range.isEmpty else { return nil }
        guard range.count == 6 else { throw .fieldMalformed }
        let number = try Self.digits(bytes, range)
        let year = number % 100
        return try Self.day(
            year: year < 80 ? 2000 + year : 1900 + year, month: number / 100 % 100, day: number / 10_000)
    }

    /// Days since 1970-01-01 of a date that exists.
    static func day(year: Int, month: Int, day: Int) throws(NMEADefect) -> Int64 {
        guard (1970...9999).contains(year), (1...12).contains(month), day >= 1,
            day <= UTCDate.days(inMonth: month, of: year)
        else { throw .fieldMalformed }
        return UTCDate(year: year, month: month, day: day).realMicroseconds / TimeOfDay.day
    }

    /// A coordinate in two fields, `dddmm.mmmm` and hemisphere: degrees and the number of decimals; NaN if both are empty. The
    /// sign comes from the hemisphere alone, and the degrees are all that stands before the last two whole digits.
    func coordinate(
        _ field: Int, _ bytes: Span<UInt8>, positive: UInt8, negative: UInt8, limit: Double
    ) throws(NMEADefect) -> (degrees: Double, decimals: Int) {
        let range = range(field, bytes)
        let hemisphere = try letter(field + 1, bytes)
        // A receiver without a fix may leave the hemisphere standing; nothing is known then.
        guard !range.isEmpty else {
            guard hemisphere == 0 || hemisphere == positive || hemisphere == negative else { throw .fieldMalformed }
            return (.nan, 0)
        }
        guard hemisphere == positive || hemisphere == negative else { throw .fieldMalformed }
        let number = try DecimalField(bytes, range)
        guard number.integerDigits >= 1, number.whole < 100_000 else { throw .fieldMalformed }
        let minutes = Double(number.whole % 100) + number.fraction
        let degrees = Double(number.whole / 100) + minutes / 60
        guard minutes < 60, degrees <= limit else { throw .fieldMalformed }
        return (hemisphere == positive ? degrees : -degrees, number.decimals)
    }

    private static func digits(_ bytes: Span<UInt8>, _ range: Range<Int>) throws(NMEADefect) -> Int {
        var value = 0
        for index in range {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit < 10 else { throw .fieldMalformed }
            value = value * 10 + Int(digit)
        }
        return value
    }
}
