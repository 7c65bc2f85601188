public import LocateMeModel
public import MessageBus

extension Finding {
    /// One row of `Compass1.Diagnose`.
    public var dictionary: [String: BusValue] {
        [
            "Code": .string(code), "Severity": .string(severity.rawValue), "Sensor": .string(sensor),
            "Text": .string(text), "Remedy": .string(remedy),
        ]
    }

    /// From a row of `Compass1.Diagnose`; nil if it has no code or text. An unknown severity counts as a warning.
    public init?(_ entries: [String: BusValue]) {
        guard let code = entries["Code"]?.stringValue, let text = entries["Text"]?.stringValue else { return nil }
        self.init(
            code: code, severity: entries["Severity"]?.stringValue.flatMap(Severity.init) ?? .warning,
            sensor: entries["Sensor"]?.stringValue ?? "", text: text, remedy: entries["Remedy"]?.stringValue ?? "")
    }
}
