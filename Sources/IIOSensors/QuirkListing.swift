/// One row of the table of quirks for people.
public struct QuirkListing: Sendable {
    /// `[name]` of the row.
    public let id: String
    /// Its keys and values in the order of the table, without `why` and `source`.
    public let settings: [(key: String, value: String)]
    /// What is wrong with the devices.
    public let why: String
    /// Who says so.
    public let source: String

    /// Every row of the program's table.
    public static var all: [QuirkListing] {
        var rows: [(id: String, settings: [(key: String, value: String)])] = []
        for line in QuirkText.table.split(separator: "\n") {
            if line.hasPrefix("[") {
                rows.append((String(line.dropFirst().dropLast()), []))
            } else if let equals = line.firstIndex(of: "="), !rows.isEmpty {
                rows[rows.count - 1].settings.append(
                    (AttributeText.trimmed(line[..<equals]), AttributeText.trimmed(line[line.index(after: equals)...])))
            }
        }
        return rows.map { row in
            func value(_ key: String) -> String { row.settings.first { $0.key == key }?.value ?? "" }
            return QuirkListing(
                id: row.id, settings: row.settings.filter { $0.key != "why" && $0.key != "source" }, why: value("why"),
                source: value("source"))
        }
    }
}
