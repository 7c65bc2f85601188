/// One line of a picture: pieces of text with their inks.
struct StyledLine: Hashable, Sendable {
    /// A piece of one ink.
    struct Span: Hashable, Sendable {
        /// Without control characters.
        var text: String
        /// What it is.
        var ink: Ink
    }

    /// From left to right.
    private(set) var spans: [Span] = []

    /// An empty line.
    init() {}

    /// A line of one ink.
    init(_ text: String, _ ink: Ink = .plain) { append(text, ink) }

    /// Adds a piece; neighbours of one ink are joined.
    mutating func append(_ text: String, _ ink: Ink = .plain) {
        guard !text.isEmpty else { return }
        if let last = spans.indices.last, spans[last].ink == ink {
            spans[last].text += text
        } else {
            spans.append(Span(text: text, ink: ink))
        }
    }

    /// Adds another line's pieces.
    mutating func append(_ line: StyledLine) {
        for span in line.spans { append(span.text, span.ink) }
    }

    /// The text without inks.
    var text: String { spans.map(\.text).joined() }

    /// Terminal columns.
    var columns: Int { spans.reduce(0) { $0 + TextWidth.columns($1.text) } }

    /// The line cut to at most `columns`, with `mark` at the end if something was lost.
    func cut(to columns: Int, mark: String = "…") -> StyledLine {
        guard self.columns > columns else { return self }
        var result = StyledLine()
        var room = columns - TextWidth.columns(mark)
        guard room >= 0 else { return result }
        for span in spans {
            let piece = TextWidth.cut(span.text, to: room, mark: "")
            result.append(piece, span.ink)
            room -= TextWidth.columns(piece)
            if piece != span.text { break }
        }
        result.append(mark, spans.last?.ink ?? .plain)
        return result
    }

    /// Lines of at most `columns`, broken at blanks, all but the first with `indent` blanks before them; words that are longer
    /// stay whole.
    func wrapped(to columns: Int, indent: Int) -> [StyledLine] {
        guard self.columns > columns, indent < columns else { return [self] }
        var lines: [StyledLine] = []
        var line = StyledLine()
        var hasWord = false
        for (text, ink) in words {
            if hasWord, line.columns + TextWidth.columns(text) > columns, text.first != " " {
                lines.append(line.withoutEnd)
                line = StyledLine(String(repeating: " ", count: indent))
            }
            line.append(text, ink)
            // The label and the blanks after it are no place to break.
            hasWord = hasWord || line.columns > indent
        }
        return lines + [line.withoutEnd]
    }

    /// Words and the blanks between them, each a piece of one ink; what follows another ink without a blank is a piece too.
    private var words: [(text: String, ink: Ink)] {
        var words: [(text: String, ink: Ink)] = []
        for span in spans {
            var word = ""
            for character in span.text {
                if let last = word.last, (last == " ") != (character == " ") {
                    words.append((word, span.ink))
                    word = ""
                }
                word.append(character)
            }
            if !word.isEmpty { words.append((word, span.ink)) }
        }
        return words
    }

    /// The line without blanks at its end.
    private var withoutEnd: StyledLine {
        var result = self
        while let last = result.spans.last, last.text.last == " " {
            let kept = String(last.text.reversed().drop { $0 == " " }.reversed())
            result.spans.removeLast()
            result.append(kept, last.ink)
        }
        return result
    }

    /// The line filled with blanks on the right to `columns`.
    func padded(to columns: Int) -> StyledLine {
        var result = self
        result.append(String(repeating: " ", count: max(0, columns - self.columns)))
        return result
    }
}
