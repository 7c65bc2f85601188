/// How many terminal columns a text takes, and how to cut or clean it. Own tables, because wcwidth(3) depends on
/// the locale of the process.
enum TextWidth {
    /// Columns of the text: 2 for East Asian wide and fullwidth characters and emoji, 0 for combining marks and
    /// format characters, 1 for the rest, ambiguous ones included.
    static func columns(_ text: some StringProtocol) -> Int { text.reduce(0) { $0 + columns($1) } }

    /// Columns of one character: those of its widest scalar.
    static func columns(_ character: Character) -> Int {
        if let ascii = character.asciiValue { return ascii >= 0x20 && ascii != 0x7F ? 1 : 0 }
        var widest = 0
        for scalar in character.unicodeScalars {
            if isZeroWidth(scalar) { continue }
            // U+FE0F asks for the emoji form, which is wide.
            widest = max(widest, isWide(scalar) || scalar == "\u{FE0F}" ? 2 : 1)
        }
        return widest
    }

    /// The text without control characters and bidirectional overrides, so that names from outside cannot steer
    /// the terminal; each is replaced by "·" (or "?" if only ASCII may be shown).
    static func clean(_ text: String, unicode: Bool = true) -> String {
        var cleaned = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let isPrintable: Bool
            switch scalar.value {
            case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: isPrintable = false
            case 0x20..<0x7F: isPrintable = true
            default: isPrintable = unicode
            }
            cleaned.append(isPrintable ? scalar : unicode ? "·" : "?")
        }
        return String(cleaned)
    }

    /// The longest beginning that takes at most `columns`; if anything is lost, it ends in `mark`.
    static func cut(_ text: String, to columns: Int, mark: String = "…") -> String {
        guard Self.columns(text) > columns else { return text }
        let room = columns - Self.columns(mark)
        guard room >= 0 else { return "" }
        var kept = ""
        var used = 0
        for character in text {
            let width = Self.columns(character)
            if used + width > room { break }
            kept.append(character)
            used += width
        }
        return kept + mark
    }

    /// The text filled with blanks on the right to `columns`; longer texts stay as they are.
    static func padded(_ text: String, to columns: Int) -> String {
        text + String(repeating: " ", count: max(0, columns - Self.columns(text)))
    }

    /// Lines of at most `columns`, broken at blanks; words that are longer stand alone and stay whole.
    static func wrapped(_ text: String, to columns: Int) -> [String] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if line.isEmpty {
                line = String(word)
            } else if Self.columns(line) + 1 + Self.columns(word) <= columns {
                line += " " + word
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        if !line.isEmpty || lines.isEmpty { lines.append(line) }
        return lines
    }

    private static func isZeroWidth(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: true
        default: false
        }
    }

    /// Blocks whose East_Asian_Width is W or F (Unicode 15, EastAsianWidth.txt), joined where the gaps between them
    /// are unassigned or zero width.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x231A...0x231B, 0x2329...0x232A, 0x23E9...0x23EC, 0x23F0, 0x23F3, 0x25FD...0x25FE,
            0x2614...0x2615, 0x2648...0x2653, 0x267F, 0x2693, 0x26A1, 0x26AA...0x26AB, 0x26BD...0x26BE,
            0x26C4...0x26C5, 0x26CE, 0x26D4, 0x26EA, 0x26F2...0x26F3, 0x26F5, 0x26FA, 0x26FD, 0x2705,
            0x270A...0x270B, 0x2728, 0x274C, 0x274E, 0x2753...0x2755, 0x2757, 0x2795...0x2797, 0x27B0, 0x27BF,
            0x2B1B...0x2B1C, 0x2B50, 0x2B55, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
            0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0xFFE0...0xFFE6, 0x16FE0...0x18CD5, 0x1AFF0...0x1B2FB, 0x1F004, 0x1F0CF, 0x1F18E, 0x1F191...0x1F19A,
            0x1F200...0x1F320, 0x1F32D...0x1F335, 0x1F337...0x1F37C, 0x1F37E...0x1F393, 0x1F3A0...0x1F3CA,
            0x1F3CF...0x1F3D3, 0x1F3E0...0x1F3F0, 0x1F3F4, 0x1F3F8...0x1F43E, 0x1F440, 0x1F442...0x1F4FC,
            0x1F4FF...0x1F53D, 0x1F54B...0x1F54E, 0x1F550...0x1F567, 0x1F57A, 0x1F595...0x1F596, 0x1F5A4,
            0x1F5FB...0x1F64F, 0x1F680...0x1F6C5, 0x1F6CC, 0x1F6D0...0x1F6D2, 0x1F6D5...0x1F6D7, 0x1F6DC...0x1F6DF,
            0x1F6EB...0x1F6EC, 0x1F6F4...0x1F6FC, 0x1F7E0...0x1F7EB, 0x1F7F0, 0x1F90C...0x1F93A, 0x1F93C...0x1F945,
            0x1F947...0x1F9FF, 0x1FA70...0x1FAFF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
