/// The grammar of a position or sky report of gpsd: JSON (RFC 8259) as gpsd writes it, without blanks; one class, first of
/// all; numbers, words and texts as values, and one list of such objects, `satellites`, which have no class.
///
/// libgps 3.22 loops for ever over much else: texts that are no JSON, and JSON with objects where it knows none.
struct GpsdSyntax {
    private let bytes: ArraySlice<UInt8>
    private var index: Int

    private init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        index = bytes.startIndex
    }

    /// True if the whole line is such a report.
    static func isReport(_ line: ArraySlice<UInt8>) -> Bool {
        var syntax = GpsdSyntax(line)
        return syntax.object(isInner: false) && syntax.index == line.endIndex
    }

    private mutating func object(isInner: Bool) -> Bool {
        guard take("{") else { return false }
        if take("}") { return true }
        var classes = 0
        repeat {
            guard let name = text(), take(":") else { return false }
            let isClass = name.elementsEqual("class".utf8)
            if isClass { classes += 1 }
            guard classes <= (isInner ? 0 : 1) else { return false }
            let isList = !isInner && name.elementsEqual("satellites".utf8)
            guard isList ? list() : scalar() else { return false }
        } while take(",")
        return take("}")
    }

    private mutating func list() -> Bool {
        guard take("[") else { return false }
        if take("]") { return true }
        repeat { guard object(isInner: true) else { return false } } while take(",")
        return take("]")
    }

    private mutating func scalar() -> Bool {
        guard index < bytes.endIndex else { return false }
        switch bytes[index] {
        case UInt8(ascii: "\""): return text() != nil
        case UInt8(ascii: "t"): return word("true")
        case UInt8(ascii: "f"): return word("false")
        case UInt8(ascii: "n"): return word("null")
        default: return number()
        }
    }

    /// A text in quotes, its escapes as they stand.
    private mutating func text() -> ArraySlice<UInt8>? {
        guard take("\"") else { return nil }
        let start = index
        while index < bytes.endIndex {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") { return bytes[start..<index - 1] }
            guard byte >= 0x20 else { return nil }
            guard byte == UInt8(ascii: "\\") else { continue }
            guard index < bytes.endIndex, "\"\\/bfnrtu".utf8.contains(bytes[index]) else { return nil }
            let isCode = bytes[index] == UInt8(ascii: "u")
            index += 1
            guard isCode else { continue }
            guard bytes.endIndex - index >= 4, bytes[index..<index + 4].allSatisfy(Self.isHexadecimal) else {
                return nil
            }
            index += 4
        }
        return nil
    }

    private mutating func number() -> Bool {
        _ = take("-")
        guard digits() else { return false }
        if take("."), !digits() { return false }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            return digits()
        }
        return true
    }

    private mutating func digits() -> Bool {
        let start = index
        while index < bytes.endIndex, bytes[index] &- 0x30 < 10 { index += 1 }
        return index > start
    }

    private mutating func word(_ word: StaticString) -> Bool {
        word.withUTF8Buffer { word in
            guard bytes[index...].starts(with: word) else { return false }
            index += word.count
            return true
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard index < bytes.endIndex, bytes[index] == UInt8(ascii: character) else { return false }
        index += 1
        return true
    }

    private static func isHexadecimal(_ byte: UInt8) -> Bool {
        byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 6
    }
}
