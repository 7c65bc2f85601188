import Foundation
import Testing

@testable import HeadingControl

@Suite("Numbers and times as text")
struct TextTests {
    @Test("print numbers as printf does in the C locale")
    func decimals() {
        var state: UInt64 = 42
        for _ in 0..<20_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let places = Int(state >> 60) % 10
            // All magnitudes, and ties such as 0.125 through few mantissa bits.
            let raw = Double(bitPattern: state)
            let value = state & 1 == 0 ? Double(Int32(truncatingIfNeeded: state >> 20)) / 1024 : raw
            guard value.isFinite else { continue }
            var expected = Self.printf(value, places)
            if expected.hasPrefix("-"), !expected.contains(where: { ("1"..."9").contains($0) }) {
                expected.removeFirst()
            }
            #expect(DecimalText.fixed(value, decimals: places) == expected)
        }
    }

    /// The C library's own text, in the C locale since nothing here calls setlocale(3).
    private static func printf(_ value: Double, _ places: Int) -> String {
        var buffer = [CChar](repeating: 0, count: 400)
        let length = withVaList([Int32(places), value]) { vsnprintf(&buffer, buffer.count, "%.*f", $0) }
        return String(decoding: buffer.prefix(Int(length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @Test(
        "print the special numbers",
        arguments: [
            (Double.nan, "nan"), (.infinity, "inf"), (-.infinity, "-inf"), (-0.0, "0.00"), (-0.001, "0.00"),
            (0.005, "0.01"),
            (0.015, "0.01"), (0.125, "0.12"), (0.375, "0.38"), (-2.5, "-2.50"), (1e15, "1000000000000000.00"),
        ])
    func special(value: Double, text: String) {
        #expect(DecimalText.fixed(value, decimals: 2) == text)
    }

    @Test(
        "leave out zeros at the end",
        arguments: [(2.5, "2.5"), (3, "3"), (0, "0"), (100, "100"), (0.1234567, "0.123457")])
    func trimmed(value: Double, text: String) {
        #expect(DecimalText.trimmed(value, decimals: 6) == text)
    }

    @Test(
        "read numbers and nothing else",
        arguments: [
            ("1", 1.0), ("-1.5", -1.5), ("+2", 2), (".5", 0.5), ("5.", 5), ("1e3", 1000), ("1E-2", 0.01),
        ])
    func parse(text: String, value: Double) {
        #expect(DecimalParser.number(text) == value)
    }

    @Test(
        "refuse other texts as numbers",
        arguments: ["", " 1", "1 ", "nan", "inf", "0x10", "1,5", "1e999", "--1", "e", "1_0", "١"])
    func refuse(text: String) {
        #expect(DecimalParser.number(text) == nil)
    }

    @Test("print times as Foundation's ISO 8601 formatter does")
    func times() {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true, timeZone: .gmt)
        for seconds in stride(from: -6_000_000_000.0, through: 10_000_000_000, by: 86_399_123.25) {
            let text = TimeText.iso(microseconds: Int64(seconds * 1_000_000))
            #expect(text == Date(timeIntervalSince1970: seconds).formatted(style))
        }
        #expect(TimeText.iso(microseconds: -1) == "1969-12-31T23:59:59.999Z")
        #expect(TimeText.iso(microseconds: 1_796_040_000_123_999) == "2026-11-30T12:00:00.123Z")
    }

    @Test(
        "write spans in words",
        arguments: [
            (0.0, "0.0 s"), (9.94, "9.9 s"), (9.96, "10 s"), (59.4, "59 s"), (200, "3 min 20 s"), (3600, "1 h"),
            (18_120, "5 h 2 min"),
            (700_000, "8 d 2 h"), (-3, "0.0 s"), (.nan, "unknown"), (.infinity, "unknown"), (1e300, "ages"),
        ])
    func spans(seconds: Double, text: String) {
        #expect(TimeText.span(seconds: seconds) == text)
    }

    @Test(
        "never show 360 degrees",
        arguments: [(359.96, "0.0°"), (359.94, "359.9°"), (0, "0.0°"), (-1, "–"), (.nan, "–")])
    func headings(value: Double, text: String) {
        #expect(Wording.heading(value) == text)
    }

    @Test(
        "count the columns of a terminal",
        arguments: [
            // Widths by Unicode 15 EastAsianWidth.txt (W and F are two columns) and general categories Mn, Me, Cf (none).
            ("abc", 3), ("µT ±5°", 6), ("漢字", 4), ("ｱ", 1), ("ｆ", 2), ("e\u{301}", 1), ("🧭", 2), ("👩‍👩‍👧", 2),
            ("\u{200B}", 0), ("⠿█", 2),
            ("\u{1B}", 0), ("\r\n", 0), ("", 0),
        ])
    func columns(text: String, columns: Int) {
        #expect(TextWidth.columns(text) == columns)
    }

    @Test("cut texts to columns without ever exceeding them")
    func cut() {
        for columns in 0..<12 {
            for text in ["heading 273", "漢字漢字漢字", "e\u{301}e\u{301}e\u{301}e\u{301}", "🧭🧭🧭", ""] {
                let cut = TextWidth.cut(text, to: columns)
                #expect(TextWidth.columns(cut) <= columns)
                #expect(TextWidth.columns(text) > columns || cut == text)
            }
        }
        #expect(TextWidth.cut("heading 273", to: 8) == "heading…")
    }

    @Test("let no control character through", arguments: ["\u{1B}[2J", "a\u{202E}b", "\u{9B}31m", "x\ny", "\u{7F}"])
    func clean(text: String) {
        for scalar in TextWidth.clean(text).unicodeScalars {
            #expect(!(0..<0x20).contains(scalar.value) && !(0x7F..<0xA0).contains(scalar.value) && scalar != "\u{202E}")
        }
        #expect(TextWidth.clean(text, unicode: false).unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) })
    }

    @Test(
        "name the sixteen points of the compass",
        arguments: [
            (0.0, "N"), (11.24, "N"), (11.26, "NNE"), (45, "NE"), (90, "E"), (180, "S"), (273.4, "W"), (292.5, "WNW"),
            (348.7, "NNW"),
            (348.8, "N"), (359.99, "N"), (360, "N"), (-90, "W"), (.nan, ""),
        ])
    func cardinals(degrees: Double, name: String) {
        #expect(Cardinal.name(degrees) == name)
    }
}
