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

    /// The line filled with blanks on the right to `columns`.
    func padded(to columns: Int) -> StyledLine {
        var result = self
        result.append(String(repeating: " ", count: max(0, columns - self.columns)))
        return result
    }
}
