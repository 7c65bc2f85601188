/// A number of a text file, written plainly: digits, sign, point and exponent; no "nan", "inf" or hexadecimal.
func strictDouble(_ bytes: ArraySlice<UInt8>) -> Double? {
    guard !bytes.isEmpty, bytes.count <= 40 else { return nil }
    for byte in bytes {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."),
            UInt8(ascii: "e"), UInt8(ascii: "E"):
            continue
        default: return nil
        }
    }
    guard let value = Double(String(decoding: bytes, as: UTF8.self)), value.isFinite else { return nil }
    return value
}

/// A whole number, written plainly.
func strictInt(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard !bytes.isEmpty, bytes.count <= 12 else { return nil }
    return Int(String(decoding: bytes, as: UTF8.self))
}

/// Bytes for an error message: at most 40, anything but printable ASCII as "?".
func printable(_ bytes: ArraySlice<UInt8>) -> String {
    let shown = bytes.prefix(40).map { (0x20...0x7E).contains($0) ? $0 : UInt8(ascii: "?") }
    return String(decoding: shown, as: UTF8.self) + (bytes.count > 40 ? "..." : "")
}

/// The lines of a coefficient file as words, with their numbers.
struct FileText {
    /// A line that holds at least one word.
    struct Line {
        /// Counted from 1.
        let number: Int
        /// The words between blanks.
        let words: [ArraySlice<UInt8>]

        /// The n-th word as a number, within limits.
        func number(_ index: Int, _ what: String, limit: Double) throws(ModelFileError) -> Double {
            guard index < words.count else {
                throw ModelFileError(line: number, "\(what) is missing: the line has only \(words.count) columns")
            }
            guard let value = strictDouble(words[index]) else {
                throw ModelFileError(line: number, "\(what) is not a finite number: '\(printable(words[index]))'")
            }
            guard abs(value) <= limit else {
                throw ModelFileError(line: number, "\(what) is impossibly large: \(printable(words[index]))")
            }
            return value
        }

        /// The n-th word as a whole number.
        func integer(_ index: Int, _ what: String) throws(ModelFileError) -> Int {
            guard index < words.count else {
                throw ModelFileError(line: number, "\(what) is missing: the line has only \(words.count) columns")
            }
            guard let value = strictInt(words[index]) else {
                throw ModelFileError(line: number, "\(what) is not a whole number: '\(printable(words[index]))'")
            }
            return value
        }

        /// Throws if n and m are not the pair that must come next.
        func expect(_ n: Int, _ m: Int, foundN: Int, foundM: Int) throws(ModelFileError) {
            guard n == foundN, m == foundM else {
                throw ModelFileError(
                    line: number,
                    "found degree \(foundN) order \(foundM) where degree \(n) order \(m) must come; a row is missing, "
                        + "doubled or out of order")
            }
        }
    }

    /// Lines with words, comments included.
    let lines: [Line]
    /// Number of the file's last line.
    let lineCount: Int

    /// Largest file that is read, in bytes: one of degree 790 in the COF format has about 19 million.
    static let maximumBytes = 40_000_000

    init(_ bytes: [UInt8]) throws(ModelFileError) {
        guard bytes.count <= Self.maximumBytes else {
            throw ModelFileError(line: nil, "the file has \(bytes.count) bytes, more than any coefficient file has")
        }
        let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
        var lines: [Line] = []
        var words: [ArraySlice<UInt8>] = []
        var number = 1
        var wordStart: Int?
        let first = bytes.starts(with: byteOrderMark) ? 3 : 0
        for position in first..<max(first, bytes.count) {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                if let start = wordStart { words.append(bytes[start..<position]) }
                wordStart = nil
                if byte == UInt8(ascii: "\n") {
                    if !words.isEmpty { lines.append(Line(number: number, words: words)) }
                    words.removeAll(keepingCapacity: true)
                    number += 1
                }
            case 0:
                throw ModelFileError(line: number, "a zero byte: this is a binary file, not a coefficient file in text")
            default:
                if wordStart == nil { wordStart = position }
            }
        }
        if let start = wordStart { words.append(bytes[start...]) }
        if !words.isEmpty { lines.append(Line(number: number, words: words)) }
        self.lines = lines
        lineCount = number
    }
}
