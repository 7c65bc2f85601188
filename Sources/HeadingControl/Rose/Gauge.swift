/// A scale on one line with zero in its middle and a mark where a value is.
enum Gauge {
    /// A scale of an odd number of columns (even ones lose one) for −limit…limit. Values beyond stick to the ends;
    /// NaN shows the empty scale.
    static func centred(_ value: Double, limit: Double, columns: Int, ink: Ink, unicode: Bool) -> StyledLine {
        let half = max(1, (columns - 1) / 2)
        let position =
            value.isFinite && limit > 0 ? Int((min(max(value / limit, -1), 1) * Double(half)).rounded()) : nil
        var line = StyledLine()
        for offset in -half...half {
            if offset == position {
                line.append(unicode ? "●" : "o", ink)
            } else if offset == 0 {
                line.append(unicode ? "┼" : "+", .faint)
            } else {
                line.append(unicode ? "─" : "-", .faint)
            }
        }
        return line
    }

    /// The same scale with a bar from the middle to the value.
    static func bar(_ value: Double, limit: Double, columns: Int, ink: Ink, unicode: Bool) -> StyledLine {
        let half = max(1, (columns - 1) / 2)
        let reach = value.isFinite && limit > 0 ? Int((min(max(value / limit, -1), 1) * Double(half)).rounded()) : 0
        var line = StyledLine()
        for offset in -half...half {
            if offset == 0 {
                line.append(unicode ? "┼" : "+", .faint)
            } else if (offset > 0) == (reach > 0), reach != 0, offset.magnitude <= reach.magnitude {
                line.append(unicode ? "━" : "=", ink)
            } else {
                line.append(unicode ? "─" : "-", .faint)
            }
        }
        return line
    }

    /// Filled and empty places, as for a quality of 0…`of`.
    static func steps(_ count: Int, of total: Int, ink: Ink, unicode: Bool) -> StyledLine {
        var line = StyledLine()
        line.append(String(repeating: unicode ? "■" : "#", count: min(max(count, 0), total)), ink)
        line.append(String(repeating: unicode ? "□" : ".", count: min(max(total - count, 0), total)), .faint)
        return line
    }
}
