/// Reads the configuration file: `[section]` lines, `key = value` lines, comments after `#` or `;` at the start of
/// a line. Keys and values are what `docs/configuration.md` lists.
public enum ConfigurationText {
    /// One `key = value` with where it stands.
    struct Entry: Hashable {
        var section: String
        var key: String
        var value: String
        var line: Int
    }

    /// Applies a file's text to a configuration.
    ///
    /// Returns warnings about keys that are not known, so that a file for a newer version still works. Throws at the
    /// first line that cannot be read and at the first value that is wrong; both name the file and the line.
    public static func apply(
        _ text: String, file: String, to configuration: inout DaemonConfiguration
    ) throws(UsageError) -> [String] {
        var complaints: [UsageError] = []
        let warnings = apply(text, file: file, to: &configuration, complaints: &complaints)
        if let first = complaints.first { throw first }
        return warnings
    }

    /// As the other, but goes on after what is wrong, which is added to `complaints`.
    public static func apply(
        _ text: String, file: String, to configuration: inout DaemonConfiguration, complaints: inout [UsageError]
    ) -> [String] {
        var warnings: [String] = []
        for entry in entries(of: text, file: file, complaints: &complaints) {
            let place = "\(file):\(entry.line)"
            guard let setting = Setting(rawValue: entry.key), let section = setting.section else {
                warnings.append("\(place): unknown key '\(entry.key)', ignoring")
                continue
            }
            guard section == entry.section else {
                warnings.append("\(place): '\(entry.key)' belongs into section [\(section)], ignoring")
                continue
            }
            do {
                try configuration.set(setting, to: entry.value)
            } catch {
                complaints.append(UsageError("\(place): \(entry.key): \(error)"))
            }
        }
        return warnings
    }

    /// The settings of a file; lines that are none are added to `complaints`.
    static func entries(of text: String, file: String, complaints: inout [UsageError]) -> [Entry] {
        var entries: [Entry] = []
        var section = ""
        var number = 0
        for raw in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
            number += 1
            let line = raw.trimmingBlanks
            if line.isEmpty || line.first == "#" || line.first == ";" { continue }
            if line.first == "[" {
                guard line.last == "]", line.count > 2 else {
                    complaints.append(UsageError("\(file):\(number): '\(line)' is no section; write [name]"))
                    continue
                }
                section = line.dropFirst().dropLast().trimmingBlanks
                continue
            }
            guard let equals = line.firstIndex(of: "=") else {
                complaints.append(UsageError("\(file):\(number): '\(line)' is no setting; write key = value"))
                continue
            }
            let key = line[..<equals].trimmingBlanks
            guard !key.isEmpty else {
                complaints.append(UsageError("\(file):\(number): a key is missing before '='"))
                continue
            }
            entries.append(
                Entry(
                    section: section, key: key, value: line[line.index(after: equals)...].trimmingBlanks, line: number))
        }
        return entries
    }
}
