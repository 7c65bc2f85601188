internal import Geomagnetism

/// A model's answer as text.
struct FieldReport {
    let query: FieldQuery
    let field: MagneticField
    let model: MagneticModel

    /// "D I H N E D F dD" as GeographicLib's MagneticField prints them: degrees with 6 decimals, nT with 4, then the
    /// 95 % bound of the declination in degrees.
    var row: String {
        let elements = field.elements
        return Self.row([
            elements.declination, elements.inclination, elements.horizontal, elements.north, elements.east,
            elements.down, elements.total, field.declinationAccuracy,
        ])
    }

    /// The row of a question without an answer.
    static let emptyRow = row(Array(repeating: .nan, count: 8))

    private static func row(_ values: [Double]) -> String {
        zip(values, [6, 6, 4, 4, 4, 4, 4, 6]).map { DecimalText.fixed($0, decimals: $1) }.joined(separator: " ")
    }

    /// Everything as one object.
    var json: JSONValue {
        .object(
            [
                ("year", .number(query.date.value, decimals: 6)),
                ("date", query.date.isoDate.map { .string($0) } ?? .null),
                ("latitude", .number(query.latitude, decimals: 9)),
                ("longitude", .number(query.longitude, decimals: 9)),
                ("altitude_m", .number(query.altitude, decimals: 3)), ("model", .string(model.displayName)),
                ("valid", .bool(field.validity.isValid)), ("zone", .string(field.zone.rawValue)),
            ]
                + Self.members(field.elements)
                + [
                    ("declination_accuracy", .number(field.declinationAccuracy, decimals: 6)),
                    ("rates_per_year", .object(Self.members(field.rates))),
                    ("standard_deviations", .object(Self.members(field.uncertainty))),
                ])
    }

    private static func members(_ elements: MagneticElements) -> [(String, JSONValue)] {
        [
            ("declination", .number(elements.declination, decimals: 6)),
            ("inclination", .number(elements.inclination, decimals: 6)),
            ("horizontal_nt", .number(elements.horizontal, decimals: 4)),
            ("north_nt", .number(elements.north, decimals: 4)), ("east_nt", .number(elements.east, decimals: 4)),
            ("down_nt", .number(elements.down, decimals: 4)), ("total_nt", .number(elements.total, decimals: 4)),
        ]
    }

    /// For people: a table of value, 95 % bound and yearly change.
    var lines: [String] {
        let (latitude, longitude) = Wording.place(latitude: query.latitude, longitude: query.longitude)
        let date = query.date.isoDate ?? DecimalText.fixed(query.date.value, decimals: 3)
        let (value, rate, sigma) = (field.elements, field.rates, field.uncertainty)
        var lines = [
            "\(model.displayName) at \(latitude) \(longitude), \(DecimalText.trimmed(query.altitude, decimals: 1)) m above the "
                + "ellipsoid, \(date)",
            "                      value       95 %   per year",
            Self.line(
                "declination", value.declination, 1.96 * sigma.declination, rate.declination, 3, "°",
                value.declination < 0 ? "west" : "east"),
            Self.line(
                "inclination", value.inclination, 1.96 * sigma.inclination, rate.inclination, 3, "°",
                value.inclination < 0 ? "up" : "down"),
        ]
        let strengths: [(String, KeyPath<MagneticElements, Double>)] = [
            ("horizontal", \.horizontal), ("north", \.north), ("east", \.east), ("down", \.down), ("total", \.total),
        ]
        for (name, path) in strengths {
            lines.append(
                Self.line(name, value[keyPath: path], 1.96 * sigma[keyPath: path], rate[keyPath: path], 1, " nT", ""))
        }
        return lines + notes
    }

    /// What to know before trusting the numbers.
    var notes: [String] {
        var notes: [String] = []
        switch field.validity {
        case .valid: break
        case .expired(let years):
            notes.append(
                "The model ended \(DecimalText.fixed(years, decimals: 1)) years before this date; the bounds are widened."
            )
        case .notYetValid(let years):
            notes.append(
                "The model begins \(DecimalText.fixed(years, decimals: 1)) years after this date; the bounds are widened."
            )
        }
        switch field.zone {
        case .normal: break
        case .caution: notes.append("Caution zone: the horizontal field is weak, a compass is off by degrees here.")
        case .blackout: notes.append("Blackout zone: the horizontal field is too weak, a compass cannot be used here.")
        }
        return notes
    }

    private static func line(
        _ name: String, _ value: Double, _ bound: Double, _ rate: Double, _ decimals: Int, _ unit: String,
        _ side: String
    ) -> String {
        func right(_ text: String, _ columns: Int) -> String {
            String(repeating: " ", count: max(0, columns - TextWidth.columns(text))) + text
        }
        let shown = right(DecimalText.fixed(value, decimals: decimals) + unit, 14)
        let change = (rate > 0 ? "+" : "") + DecimalText.fixed(rate, decimals: decimals) + unit
        let line =
            TextWidth.padded(name, to: 13) + shown
            + right("±" + DecimalText.fixed(bound, decimals: decimals == 3 ? 2 : 0) + unit, 11)
            + right(change, 12)
        return side.isEmpty ? line : line + "   \(side)"
    }
}
