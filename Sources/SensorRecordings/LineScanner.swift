internal import Geometry

/// Walks over the fields of one line. Between calls `position` is at the space before the next field or at the
/// line's end. The line is an argument of each call, so that the scanner holds no reference to it.
struct LineScanner {
    private(set) var position = 0

    /// A count of microseconds, the first field of a record.
    mutating func time(in line: Span<UInt8>) throws(RecordingDefect.Reason) -> Int64 {
        guard let time = DecimalText.integer(in: line, at: &position, allowsSign: false) else {
            throw .malformedTime(DecimalText.text(in: line, fieldRange(in: line)))
        }
        return time
    }

    /// A whole number of microseconds since the Unix epoch.
    mutating func realTime(in line: Span<UInt8>) throws(RecordingDefect.Reason) -> Int64 {
        try beginField("time", in: line)
        let start = position
        guard let time = DecimalText.integer(in: line, at: &position, allowsSign: true) else {
            throw .malformedNumber(field: "time", text: fieldText(from: start, in: line))
        }
        return time
    }

    /// A finite number.
    mutating func number(_ field: StaticString, in line: Span<UInt8>) throws(RecordingDefect.Reason) -> Double {
        try beginField(field, in: line)
        let start = position
        guard let value = DecimalText.number(in: line, at: &position) else {
            throw .malformedNumber(field: field.description, text: fieldText(from: start, in: line))
        }
        guard value.isFinite else { throw .notFinite(field: field.description) }
        return value
    }

    /// A finite number, or `-` for an unknown one.
    mutating func optionalNumber(
        _ field: StaticString, in line: Span<UInt8>
    ) throws(RecordingDefect.Reason) -> Double? {
        let next = position + 1
        if next < line.count, line[next] == UInt8(ascii: "-"),
            next + 1 == line.count || line[next + 1] == UInt8(ascii: " ")
        {
            position = next + 1
            return nil
        }
        return try number(field, in: line)
    }

    /// Three finite numbers.
    mutating func vector(in line: Span<UInt8>) throws(RecordingDefect.Reason) -> Vector3 {
        let x = try number("x", in: line)
        let y = try number("y", in: line)
        let z = try number("z", in: line)
        return Vector3(x, y, z)
    }

    /// Four finite numbers, scalar first, of length 1 within 1 %.
    mutating func quaternion(in line: Span<UInt8>) throws(RecordingDefect.Reason) -> Quaternion {
        let w = try number("qw", in: line)
        let x = try number("qx", in: line)
        let y = try number("qy", in: line)
        let z = try number("qz", in: line)
        let squaredLength = w * w + x * x + y * y + z * z
        guard squaredLength > 0.99 * 0.99, squaredLength < 1.01 * 1.01 else { throw .notUnitQuaternion }
        return Quaternion(w: w, x: x, y: y, z: z)
    }

    /// One word.
    mutating func word(_ field: StaticString, in line: Span<UInt8>) throws(RecordingDefect.Reason) -> String {
        let range = try wordRange(field, in: line)
        return try Self.validText(in: line, range)
    }

    /// The place of one word.
    mutating func wordRange(
        _ field: StaticString, in line: Span<UInt8>
    ) throws(RecordingDefect.Reason) -> Range<Int> {
        try beginField(field, in: line)
        let range = fieldRange(in: line)
        guard !range.isEmpty else { throw .missingField(field.description) }
        position = range.upperBound
        return range
    }

    /// Everything up to the line's end, at least one character.
    mutating func rest(_ field: StaticString, in line: Span<UInt8>) throws(RecordingDefect.Reason) -> String {
        try beginField(field, in: line)
        guard position < line.count else { throw .missingField(field.description) }
        let range = position..<line.count
        position = line.count
        return try Self.validText(in: line, range)
    }

    /// Checks that the line ends here.
    func end(in line: Span<UInt8>) throws(RecordingDefect.Reason) {
        guard position == line.count else {
            throw .surplusField(DecimalText.text(in: line, position..<min(line.count, position + 40)))
        }
    }

    /// True if the bytes of the range are the word's.
    static func equals(_ line: Span<UInt8>, _ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { letters in
            for (offset, letter) in letters.enumerated() where line[range.lowerBound + offset] != letter {
                return false
            }
            return true
        }
    }

    // MARK: - Private

    private mutating func beginField(
        _ field: StaticString, in line: Span<UInt8>
    ) throws(RecordingDefect.Reason) {
        guard position < line.count, line[position] == UInt8(ascii: " ") else {
            throw .missingField(field.description)
        }
        position += 1
    }

    private func fieldRange(in line: Span<UInt8>) -> Range<Int> {
        var end = position
        while end < line.count, line[end] != UInt8(ascii: " ") { end += 1 }
        return position..<end
    }

    private func fieldText(from start: Int, in line: Span<UInt8>) -> String {
        var end = start
        while end < line.count, end - start < 40, line[end] != UInt8(ascii: " ") { end += 1 }
        return DecimalText.text(in: line, start..<end)
    }

    private static func validText(
        in line: Span<UInt8>, _ range: Range<Int>
    ) throws(RecordingDefect.Reason) -> String {
        let text = line.extracting(range).withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) }
        guard let text else { throw .notUTF8 }
        return text
    }
}
