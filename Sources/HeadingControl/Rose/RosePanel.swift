internal import LocateMeModel

/// The numbers beside the dial: big digits first, then lines in order; where rows are few, the less important ones
/// are left out.
struct RosePanel {
    private let state: RoseState
    private let columns: Int
    private let unicode: Bool

    /// How much a line matters: those with higher numbers go first.
    private struct Row {
        var rank: Int
        var line: StyledLine
    }

    /// Columns that all lines need to be complete.
    static let fullColumns = 34
    /// Columns below which a panel makes no sense.
    static let leastColumns = 14

    /// A panel of a width.
    init(_ state: RoseState, columns: Int, unicode: Bool) {
        self.state = state
        self.columns = columns
        self.unicode = unicode
    }

    /// Green up to 5°, yellow up to 15°, red beyond: what one can steer by, walk by, and not use.
    static func ink(accuracy: Double) -> Ink { accuracy <= 5 ? .good : accuracy <= 15 ? .fair : .bad }

    /// At most `rows` lines of at most the panel's columns.
    func lines(rows: Int) -> [StyledLine] {
        var kept = (digits() + facts()).map { Row(rank: $0.rank, line: $0.line.cut(to: columns, mark: ellipsis)) }
        while kept.count > rows, let worst = kept.map(\.rank).max(),
            let index = kept.lastIndex(where: { $0.rank == worst })
        {
            kept.remove(at: index)
        }
        // A gap at either end separates nothing.
        while kept.first?.line.spans.isEmpty == true { kept.removeFirst() }
        while kept.last?.line.spans.isEmpty == true { kept.removeLast() }
        return kept.map(\.line)
    }

    private var ellipsis: String { unicode ? "…" : "~" }
    /// True if labels are shortened and scales left out.
    private var isNarrow: Bool { columns < 28 }
    private var ink: Ink { state.isLive ? .strong : .faint }

    private func digits() -> [Row] {
        let number = state.shown.map { Wording.headingNumber($0, decimals: 0) } ?? "---"
        let padded = String(repeating: "0", count: max(0, 3 - number.count)) + number
        let side = [
            StyledLine(state.shown.map(Cardinal.name) ?? "", ink),
            StyledLine(state.shown == nil ? "" : state.showsTrue ? "true" : "magnetic", .faint),
            accuracyText,
        ]
        let tall = BigDigits.lines(state.shown == nil ? padded : padded + "°", unicode: unicode)
        let isTooWide = TextWidth.columns(tall[0]) > columns
        guard !isTooWide else {
            var line = StyledLine(state.shown.map { ascii(Wording.heading($0)) } ?? "no heading", ink)
            line.append("  ")
            line.append(side[0])
            return [Row(rank: 0, line: line), Row(rank: 0, line: accuracyText)]
        }
        return zip(tall, side).map { text, note in
            var line = StyledLine(text, ink)
            if TextWidth.columns(text) + 2 + note.columns <= columns {
                line.append("  ")
                line.append(note)
            }
            return Row(rank: 0, line: line)
        }
    }

    private var accuracyText: StyledLine {
        guard let accuracy = state.accuracy else { return StyledLine() }
        return StyledLine(ascii(Wording.accuracy(accuracy)), state.isLive ? Self.ink(accuracy: accuracy) : .faint)
    }

    private func facts() -> [Row] {
        var rows: [Row] = [gap(9)]
        if let heading = state.heading, state.magnetic != nil {
            rows += headings(heading) + [gap(10)] + fieldRows(heading) + [gap(11)] + stateRows(heading)
        }
        if let fix = state.fix, fix.horizontalAccuracy >= 0 { rows += [gap(12)] + place(fix) }
        rows.append(gap(13))
        if !state.title.isEmpty, !isNarrow {
            rows.append(row(8, "from", StyledLine(ascii(TextWidth.clean(state.title, unicode: unicode)), .faint)))
        }
        if state.heading != nil {
            let age = state.ageSeconds
            let isOld = age > RoseState.staleSeconds
            rows.append(
                row(
                    5, "updated", short: "age", StyledLine(TimeText.span(seconds: age), isOld ? .bad : .faint),
                    isNarrow ? [] : [StyledLine(" ago", isOld ? .bad : .faint)]))
        }
        return rows
    }

    private func headings(_ heading: Heading) -> [Row] {
        var rows = [
            row(
                state.showsTrue ? 1 : 3, "magnetic", short: "magn.",
                StyledLine(ascii(Wording.heading(heading.magnetic)), ink),
                [StyledLine(" \(Cardinal.name(heading.magnetic))", .faint)])
        ]
        if let trueHeading = state.trueHeading {
            let declination = StyledLine(ascii("  decl. \(Wording.declination(heading.declination))"), .faint)
            rows.append(
                row(
                    state.showsTrue ? 3 : 1, "true", StyledLine(ascii(Wording.heading(trueHeading)), ink),
                    [StyledLine(" \(Cardinal.name(trueHeading))", .faint)]
                        + (heading.declination.isFinite ? [declination] : [])))
        } else {
            rows.append(row(6, "true", StyledLine(isNarrow ? "unknown" : "no place known yet", .faint)))
        }
        if heading.turnRate.isFinite {
            let text = StyledLine(ascii(turnText(heading.turnRate)), ink)
            // The square root makes slow turns visible and leaves room for fast ones.
            let shown = (heading.turnRate < 0 ? -1 : 1) * heading.turnRate.magnitude.squareRoot()
            let bar = Gauge.bar(shown, limit: 90.0.squareRoot(), columns: 15, ink: .pointer, unicode: unicode)
            rows.append(row(4, "turning", short: "turn", text, column: 9, [bar]))
        }
        return rows
    }

    private func turnText(_ rate: Double) -> String {
        DecimalText.fixed(rate.magnitude, decimals: rate.magnitude < 9.95 ? 1 : 0) + "°/s"
    }

    private func fieldRows(_ heading: Heading) -> [Row] {
        let strength = StyledLine(Wording.microtesla(heading.fieldStrength, unicode: unicode), ink)
        let dip = StyledLine(ascii(Wording.degrees(heading.inclination)), ink)
        return [
            row(
                2, "field", strength, column: 9,
                against(
                    heading.fieldStrength, model: heading.expectedField, limit: heading.expectedField * 0.5,
                    tolerance: heading.expectedField * 0.1, DecimalText.fixed(heading.expectedField, decimals: 1))),
            row(
                2, "dip", dip, column: 9,
                against(
                    heading.inclination, model: heading.expectedInclination, limit: 30, tolerance: 5,
                    ascii(Wording.degrees(heading.expectedInclination)))),
        ]
    }

    /// The scale with the model's value in its middle, and that value.
    private func against(
        _ value: Double, model: Double, limit: Double, tolerance: Double, _ text: String
    ) -> [StyledLine] {
        guard value.isFinite else { return [] }
        guard model.isFinite, limit > 0 else { return [StyledLine("no model yet", .faint)] }
        let off = value - model
        let ink: Ink = off.magnitude <= tolerance ? .good : off.magnitude <= 2.5 * tolerance ? .fair : .bad
        return [
            Gauge.centred(off, limit: limit, columns: 9, ink: state.isLive ? ink : .faint, unicode: unicode),
            StyledLine(" \(text)", .faint),
        ]
    }

    private func stateRows(_ heading: Heading) -> [Row] {
        let quality = heading.calibration
        let ink: Ink = quality >= .good ? .good : quality == .coarse ? .fair : .bad
        let steps = Gauge.steps(Int(quality.rawValue), of: 4, ink: state.isLive ? ink : .faint, unicode: unicode)
        let word = StyledLine(" \(Wording.quality(quality))", self.ink)
        var rows = [row(2, "calibr.", short: "cal.", steps, [word])]
        if heading.pitch.isFinite, heading.roll.isFinite {
            rows.append(
                row(
                    7, "tilt", StyledLine(ascii("pitch \(signed(heading.pitch))"), self.ink),
                    [StyledLine(ascii("  roll \(signed(heading.roll))"), self.ink)]))
        }
        rows.append(row(8, "sensors", short: "", StyledLine(heading.source.rawValue, .faint), []))
        return rows
    }

    private func place(_ fix: Fix) -> [Row] {
        var facts: [StyledLine] = []
        if fix.verticalAccuracy >= 0 {
            facts.append(StyledLine("  \(DecimalText.fixed(fix.altitude, decimals: 0)) m high", .faint))
        }
        if !fix.source.isEmpty {
            facts.append(StyledLine("  \(TextWidth.clean(fix.source, unicode: unicode))", .faint))
        }
        let accuracy = row(8, "", StyledLine(ascii(Wording.metres(accuracy: fix.horizontalAccuracy)), .faint), facts)
        let (latitude, longitude) = Wording.place(latitude: fix.latitude, longitude: fix.longitude)
        if isNarrow {
            return [
                row(4, "place", StyledLine(ascii(latitude))), row(4, "", StyledLine(ascii(longitude))), accuracy,
            ]
        }
        return [row(4, "place", StyledLine(ascii("\(latitude) \(longitude)"))), accuracy]
    }

    private func signed(_ value: Double) -> String {
        (value < -0.5 ? (unicode ? "−" : "-") : "+") + DecimalText.fixed(value.magnitude, decimals: 0) + "°"
    }

    private func gap(_ rank: Int) -> Row { Row(rank: rank, line: StyledLine()) }

    /// A label, a value, and further parts as far as they fit.
    private func row(
        _ rank: Int, _ label: String, short: String? = nil, _ value: StyledLine, column: Int = 0,
        _ parts: [StyledLine] = []
    ) -> Row {
        var line = StyledLine(TextWidth.padded(isNarrow ? short ?? label : label, to: isNarrow ? 6 : 9), .faint)
        line.append(value.padded(to: parts.isEmpty || isNarrow ? 0 : column))
        // Scales need the room of the wide form.
        for part in isNarrow && column > 0 ? [] : parts {
            guard line.columns + part.columns <= columns else { break }
            line.append(part)
        }
        return Row(rank: rank, line: line)
    }

    /// Signs that ASCII lacks become letters or go.
    private func ascii(_ text: String) -> String {
        guard !unicode else { return text }
        return String(
            text.compactMap { character -> Character? in
                switch character {
                case "±": "~"
                case "–", "−": "-"
                case "µ": "u"
                case "°": nil
                default: character.isASCII ? character : "?"
                }
            })
    }
}
