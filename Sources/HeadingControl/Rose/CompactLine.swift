internal import LocateMeModel

/// The compass on one line, for status bars, narrow terminals and pipes.
enum CompactLine {
    /// At most `width` columns; facts that do not fit are left out from the right.
    static func render(_ state: RoseState, width: Int, unicode: Bool) -> StyledLine {
        var line = StyledLine()
        for (index, part) in parts(state, unicode: unicode).enumerated() {
            let separator = index == 0 ? "" : "  "
            guard line.columns + separator.count + part.columns <= width else { break }
            line.append(separator)
            line.append(part)
        }
        return line.spans.isEmpty ? (parts(state, unicode: unicode).first ?? line).cut(to: width, mark: "") : line
    }

    private static func parts(_ state: RoseState, unicode: Bool) -> [StyledLine] {
        guard let heading = state.heading, let shown = state.shown, let accuracy = state.accuracy else {
            return [StyledLine("no heading", .bad)]
                + (state.notice.isEmpty ? [] : [StyledLine(TextWidth.clean(state.notice, unicode: unicode), .faint)])
        }
        let isLive = state.isLive
        var first = StyledLine(arrow(shown, unicode), isLive ? .north : .faint)
        first.append(" ")
        first.append(degrees(Wording.heading(shown), unicode), isLive ? .strong : .faint)
        first.append(" " + TextWidth.padded(Cardinal.name(shown), to: 3), isLive ? .strong : .faint)
        first.append(state.showsTrue ? " true" : " magnetic", .faint)
        var parts = [
            first,
            StyledLine(
                degrees(Wording.accuracy(accuracy), unicode), isLive ? RosePanel.ink(accuracy: accuracy) : .faint),
        ]
        if !isLive { parts.append(StyledLine("\(TimeText.span(seconds: state.ageSeconds)) old", .bad)) }
        if heading.disturbed { parts.append(StyledLine("disturbed", .alert)) }
        if state.showsTrue {
            parts.append(StyledLine(degrees(Wording.heading(heading.magnetic), unicode) + " magnetic"))
        } else if let trueHeading = state.trueHeading {
            parts.append(StyledLine(degrees(Wording.heading(trueHeading), unicode) + " true"))
        }
        parts.append(StyledLine(Wording.quality(heading.calibration), heading.calibration >= .good ? .good : .fair))
        if heading.fieldStrength.isFinite {
            parts.append(StyledLine(Wording.microtesla(heading.fieldStrength, unicode: unicode), .faint))
        }
        if heading.inclination.isFinite {
            parts.append(StyledLine("dip " + degrees(Wording.degrees(heading.inclination), unicode), .faint))
        }
        if heading.turnRate.isFinite {
            let text = DecimalText.fixed(heading.turnRate, decimals: 0) + "°/s"
            parts.append(StyledLine("turn " + degrees(text, unicode), .faint))
        }
        return parts
    }

    private static func degrees(_ text: String, _ unicode: Bool) -> String {
        guard !unicode else { return text }
        return String(text.compactMap { $0 == "±" ? "~" : $0 == "–" ? "-" : $0.isASCII ? $0 : nil })
    }

    /// Where north is, seen from the device's direction: eight arrows.
    private static func arrow(_ heading: Double, _ unicode: Bool) -> String {
        let arrows = unicode ? ["↑", "↖", "←", "↙", "↓", "↘", "→", "↗"] : ["^", "\\", "<", "/", "v", "\\", ">", "/"]
        let turns = heading / 360
        return arrows[Int(((turns - turns.rounded(.down)) * 8).rounded()) % 8]
    }
}
