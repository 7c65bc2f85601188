internal import LocateMe

/// What a guided calibration looks like: the covered sphere and what to do next.
struct GuidedCalibrationView {
    /// The newest progress, nil before the first.
    var progress: CalibrationProgress?
    /// True for a turn on the level.
    let isFlat: Bool

    /// The picture, at most `columns` wide.
    func lines(columns: Int, rows: Int, unicode: Bool) -> [StyledLine] {
        var lines = [StyledLine("Calibrating the compass", .strong), StyledLine()]
        let bins = progress?.bins ?? []
        if isFlat {
            lines.append(sectors(bins, unicode: unicode))
        } else {
            let size = max(4, min(11, rows - 9, (columns - 8) / 4))
            for line in CoverageGlobe.lines(bins: bins, size: size, unicode: unicode) {
                var indented = StyledLine("  ")
                indented.append(line)
                lines.append(indented)
            }
        }
        lines.append(StyledLine())
        var figures = StyledLine("covered ", .faint)
        figures.append(Self.percent(progress?.coverage ?? 0), .strong)
        figures.append("   residual ", .faint)
        let residual = progress?.residual ?? .nan
        figures.append(residual.isFinite ? DecimalText.fixed(residual, decimals: 1) + " µT" : "unknown", .plain)
        figures.append("   samples ", .faint)
        figures.append(String(progress?.samples ?? 0), .plain)
        lines.append(figures)
        lines.append(StyledLine(progress?.hint ?? "Waiting for the magnetometer.", .plain))
        lines.append(StyledLine())
        lines.append(StyledLine("Ctrl-C ends without a change", .faint))
        return lines.map { $0.cut(to: columns) }
    }

    /// One line without a picture.
    var text: String {
        guard let progress else { return "waiting for the magnetometer" }
        let residual = progress.residual.isFinite ? DecimalText.fixed(progress.residual, decimals: 1) : "?"
        return
            "covered \(Self.percent(progress.coverage)), residual \(residual) µT, \(progress.samples) samples: \(progress.hint)"
    }

    /// The same as an object.
    var json: JSONValue {
        .object([
            ("coverage", .number(progress?.coverage ?? 0, decimals: 3)),
            ("residual", .number(progress?.residual ?? .nan, decimals: 3)),
            ("samples", .integer(Int64(progress?.samples ?? 0))), ("hint", .string(progress?.hint ?? "")),
        ])
    }

    private func sectors(_ bins: [Double], unicode: Bool) -> StyledLine {
        var line = StyledLine("  ")
        for bin in bins.isEmpty ? [Double](repeating: 0, count: 20) : bins {
            line.append(
                bin > 0 ? unicode ? "■ " : "# " : unicode ? "□ " : ". ", bin >= 0.99 ? .good : bin > 0 ? .fair : .faint)
        }
        return line
    }

    private static func percent(_ share: Double) -> String { DecimalText.fixed(share * 100, decimals: 0) + " %" }
}
