import Foundation
import Testing

@testable import HeadingControl

@Suite("The terminal")
struct TerminalTests {
    @Test(
        "has the colours that the environment says",
        arguments: [
            ([:], ColourLevel.none), (["TERM": "dumb"], .none), (["TERM": "xterm"], .basic),
            (["TERM": "linux"], .basic),
            (["TERM": "xterm-256color"], .indexed), (["TERM": "tmux-256color", "COLORTERM": ""], .indexed),
            (["TERM": "xterm", "COLORTERM": "truecolor"], .full), (["TERM": "xterm", "COLORTERM": "24bit"], .full),
            (["TERM": "xterm-direct"], .full), (["TERM": "xterm-256color", "NO_COLOR": "1"], .none),
            // no-color.org: only a value that is not empty counts.
            (["TERM": "xterm-256color", "NO_COLOR": ""], .indexed),
        ] as [([String: String], ColourLevel)])
    func colours(environment: [String: String], level: ColourLevel) {
        #expect(ColourLevel.detect { environment[$0] } == level)
    }

    @Test(
        "is in UTF-8 if the first locale variable that is set says so",
        arguments: [
            ([:], false), (["LANG": "C"], false), (["LANG": "de_DE.UTF-8"], true), (["LANG": "en_US.utf8"], true),
            (["LC_ALL": "C", "LANG": "de_DE.UTF-8"], false),
            (["LC_ALL": "", "LC_CTYPE": "C.UTF-8", "LANG": "C"], true),
        ] as [([String: String], Bool)])
    func unicode(environment: [String: String], isUnicode: Bool) {
        #expect(Terminal.isUnicode { environment[$0] } == isUnicode)
    }

    @Test("has a size in any case")
    func size() {
        let file = open("/dev/null", O_RDWR)
        defer { close(file) }
        #expect(Terminal.size(of: file) { _ in nil } == Terminal.Size(columns: 80, rows: 24))
        let environment = ["COLUMNS": "100", "LINES": "nonsense"]
        #expect(Terminal.size(of: file) { environment[$0] } == Terminal.Size(columns: 100, rows: 24))
    }

    @Test("gets no escape sequence without colours, and balanced ones with", arguments: ColourLevel.allCases)
    func palette(level: ColourLevel) {
        let palette = Palette(level: level)
        var line = StyledLine("plain ")
        for ink in Ink.allCases { line.append("x", ink) }
        let text = palette.encode(line)
        if level == .none { #expect(text == line.text) }
        var plain = text
        while let range = plain.range(of: "\u{1B}\\[[0-9;]*m", options: .regularExpression) {
            plain.removeSubrange(range)
        }
        #expect(plain == line.text)
        if level != .none { #expect(text.hasSuffix("\u{1B}[0m")) }
    }

    @Test("breaks lines that are too long at blanks, under their text, and keeps their inks")
    func wrapped() {
        var line = StyledLine("problems     ", .faint)
        line.append("warning: too much iron", .fair)
        line.append(" nearby", .plain)
        #expect(line.wrapped(to: 80, indent: 13) == [line])
        let lines = line.wrapped(to: 30, indent: 13)
        #expect(lines.map(\.text) == ["problems     warning: too much", "             iron nearby"])
        #expect(lines[0].spans.map(\.ink) == [.faint, .fair])
        #expect(lines[1].spans.map(\.ink) == [.plain, .fair, .plain])
        // A word that is longer than a line stays whole; nothing is lost, whatever the width.
        for width in 14...50 {
            let words = line.wrapped(to: width, indent: 13).flatMap { $0.text.split(separator: " ") }
            #expect(words.joined(separator: " ") == "problems warning: too much iron nearby")
        }
    }

    @Test("cuts styled lines to columns", arguments: 0...12)
    func cut(columns: Int) {
        var line = StyledLine("ab漢", .good)
        line.append("cd字ef", .bad)
        let cut = line.cut(to: columns)
        #expect(cut.columns <= columns)
        #expect(columns < line.columns || cut == line)
    }
}
