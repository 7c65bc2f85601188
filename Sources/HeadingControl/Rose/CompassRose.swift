internal import LocateMeModel

/// The live compass as a picture for a terminal: a dial and a panel of numbers, laid out for the room there is.
/// Pure: the same state and size give the same picture.
enum CompassRose {
    /// How the picture may look.
    struct Style: Hashable, Sendable {
        /// True: braille dots, blocks and signs; false: ASCII only.
        var unicode: Bool
        /// What the last line says, such as the keys that work, as far as it fits; empty: no such line.
        var footer: [String] = []
    }

    /// Exactly `height` lines of at most `width` columns; none if there is no room at all.
    static func render(_ state: RoseState, width: Int, height: Int, style: Style) -> [StyledLine] {
        guard width > 0, height > 0 else { return [] }
        var bottom = notice(state, width: width, style: style)
        if !style.footer.isEmpty, height >= 12 {
            bottom.append(footer(style.footer, width: width))
        }
        bottom = Array(bottom.suffix(max(0, height - 1)))
        let room = height - bottom.count
        var body = body(state, width: width, height: room, style: style)
        body += Array(repeating: StyledLine(), count: max(0, room - body.count))
        return body.prefix(room) + bottom
    }

    private static func footer(_ parts: [String], width: Int) -> StyledLine {
        var text = ""
        for part in parts {
            let longer = text.isEmpty ? part : "\(text)   \(part)"
            guard TextWidth.columns(longer) <= width else { break }
            text = longer
        }
        return StyledLine(text, .faint)
    }

    /// Warnings over the whole width, at most two lines.
    private static func notice(_ state: RoseState, width: Int, style: Style) -> [StyledLine] {
        var text = state.notice
        if text.isEmpty, state.heading?.disturbed == true, state.isLive {
            text = "The magnetic field here is not the earth's: move away from metal and magnets."
        }
        guard !text.isEmpty, width >= 4 else { return [] }
        return TextWidth.wrapped(TextWidth.clean(text, unicode: style.unicode), to: width - 2).prefix(2).map {
            StyledLine(TextWidth.padded(" \(TextWidth.cut($0, to: width - 2, mark: ""))", to: width), .alert)
        }
    }

    private static func body(_ state: RoseState, width: Int, height: Int, style: Style) -> [StyledLine] {
        guard height >= 7, width >= 30 else {
            return [CompactLine.render(state, width: width, unicode: style.unicode)]
        }
        let isBeside = width >= 2 * min(height, 60) || width >= 60
        return isBeside
            ? beside(state, width: width, height: height, style: style)
            : below(state, width: width, height: height, style: style)
    }

    /// The dial on the left, the panel on its right, both centred in height.
    private static func beside(_ state: RoseState, width: Int, height: Int, style: Style) -> [StyledLine] {
        let gap = width >= 70 ? 2 : 1
        let least = max(RosePanel.leastColumns, min(RosePanel.fullColumns, width * 43 / 100))
        var rows = height
        while rows > 5, rows * 2 + gap + least > width { rows -= 1 }
        let dialColumns = rows * 2
        let panelColumns = min(RosePanel.fullColumns + 8, width - dialColumns - gap)
        let left = max(0, (width - dialColumns - gap - panelColumns) / 2)
        let dial = CompassDial(state, columns: dialColumns, rows: rows, unicode: style.unicode)
            .canvas.lines(unicode: style.unicode)
        let panel = RosePanel(state, columns: panelColumns, unicode: style.unicode).lines(rows: height)
        let dialTop = (height - rows) / 2
        let panelTop = (height - panel.count) / 2
        return (0..<height).map { row in
            var line = StyledLine(String(repeating: " ", count: left))
            if dial.indices.contains(row - dialTop) { line.append(dial[row - dialTop]) }
            if panel.indices.contains(row - panelTop) {
                line = line.padded(to: left + dialColumns + gap)
                line.append(panel[row - panelTop])
            }
            return line
        }
    }

    /// The dial above, the panel under it.
    private static func below(_ state: RoseState, width: Int, height: Int, style: Style) -> [StyledLine] {
        let rows = min(width / 2, max(7, height * 3 / 5))
        let dial = CompassDial(state, columns: rows * 2, rows: rows, unicode: style.unicode)
            .canvas.lines(unicode: style.unicode)
        let left = String(repeating: " ", count: (width - rows * 2) / 2)
        let panelColumns = min(RosePanel.fullColumns, width)
        let panelLeft = String(repeating: " ", count: (width - panelColumns) / 2)
        let panel = RosePanel(state, columns: panelColumns, unicode: style.unicode).lines(rows: max(0, height - rows))
        func indented(_ indent: String, _ line: StyledLine) -> StyledLine {
            var result = StyledLine(indent)
            result.append(line)
            return result
        }
        return dial.map { indented(left, $0) } + panel.map { indented(panelLeft, $0) }
    }
}
