internal import Geometry
internal import LocateMeModel

/// Sensors and findings as machines and people read them.
enum SensorReport {
    /// A sensor as one object.
    static func json(_ sensor: SensorDescription) -> JSONValue {
        .object([
            ("id", .string(sensor.id)), ("kind", .string(sensor.kind.rawValue)), ("name", .string(sensor.name)),
            ("selected", .bool(sensor.selected)), ("reason", .string(sensor.reason)), ("driver", text(sensor.driver)),
            ("path", text(sensor.path)), ("label", text(sensor.label)), ("location", text(sensor.location)),
            ("mount_matrix", .array(elements(sensor.mountMatrix).map { .number($0, decimals: 6) })),
            ("matrix_source", .string(sensor.matrixSource)),
            ("rates_hz", .array(sensor.ratesHertz.map { .number($0, decimals: 3) })),
            ("buffered", .bool(sensor.buffered)),
            ("triggers", .array(sensor.triggers.map { .string($0) })),
            ("scale", .array([sensor.scale.x, sensor.scale.y, sensor.scale.z].map { .number($0, decimals: 12) })),
        ])
    }

    /// A finding as one object.
    static func json(_ finding: Finding) -> JSONValue {
        .object([
            ("code", .string(finding.code)), ("severity", .string(finding.severity.rawValue)),
            ("sensor", text(finding.sensor)),
            ("text", .string(finding.text)), ("remedy", text(finding.remedy)),
        ])
    }

    /// A sensor for people: what it is and whether it is used, then the facts.
    static func lines(_ sensor: SensorDescription) -> [StyledLine] {
        var first = StyledLine(TextWidth.padded(title(sensor.kind), to: 15))
        first.append(TextWidth.padded(TextWidth.clean(sensor.name), to: 18), .strong)
        first.append(sensor.selected ? "used" : "not used", sensor.selected ? .good : .faint)
        if !sensor.reason.isEmpty {
            first.append(": \(TextWidth.clean(sensor.reason))", sensor.selected ? .plain : .faint)
        }
        var facts = [sensor.id]
        if !sensor.driver.isEmpty { facts.append("driver \(sensor.driver)") }
        if !sensor.location.isEmpty { facts.append("location \(sensor.location)") }
        if !sensor.label.isEmpty { facts.append("label \(sensor.label)") }
        facts.append(sensor.buffered ? "buffered" : "polled")
        if !sensor.ratesHertz.isEmpty {
            facts.append(sensor.ratesHertz.map { DecimalText.trimmed($0, decimals: 3) }.joined(separator: ", ") + " Hz")
        }
        if !sensor.triggers.isEmpty { facts.append("triggers " + sensor.triggers.joined(separator: ", ")) }
        return [
            first, detail(facts.joined(separator: ", ")),
            detail("mount matrix \(matrix(sensor.mountMatrix)) (\(sensor.matrixSource))"),
        ]
    }

    /// A finding for people.
    static func lines(_ finding: Finding) -> [StyledLine] {
        let ink: Ink = finding.severity == .error ? .bad : finding.severity == .warning ? .fair : .plain
        var line = StyledLine("\(finding.severity.rawValue): ", ink)
        if !finding.sensor.isEmpty { line.append("\(TextWidth.clean(finding.sensor)): ") }
        line.append(TextWidth.clean(finding.text))
        return finding.remedy.isEmpty
            ? [line] : [line, StyledLine("  " + Diagnosis.sentence(TextWidth.clean(finding.remedy)), .faint)]
    }

    private static func title(_ kind: SensorKind) -> String {
        kind == .hubHeading ? "hub heading" : kind.rawValue
    }

    private static func detail(_ text: String) -> StyledLine {
        StyledLine(String(repeating: " ", count: 15) + TextWidth.clean(text), .faint)
    }

    private static func matrix(_ matrix: Matrix3) -> String {
        let numbers = elements(matrix).map { DecimalText.trimmed($0, decimals: 3) }
        return stride(from: 0, to: 9, by: 3).map { numbers[$0..<$0 + 3].joined(separator: ",") }.joined(separator: "; ")
    }

    private static func elements(_ matrix: Matrix3) -> [Double] { (0..<9).map { matrix[$0 / 3, $0 % 3] } }

    private static func text(_ text: String) -> JSONValue { text.isEmpty ? .null : .string(text) }
}
