internal import Geometry
internal import LocateMeModel

/// The rows of a table of quirks.
struct QuirkTable: Hashable, Sendable {
    /// A text that is no table: where and why.
    struct Fault: Error, Hashable, Sendable {
        var line: Int
        var text: String
    }

    /// The rows in the text's order.
    let rows: [SensorQuirk]

    /// The table of the program. A test proves that it can be read.
    static let builtIn = (try? QuirkTable(QuirkText.table)) ?? QuirkTable(rows: [])

    private init(rows: [SensorQuirk]) { self.rows = rows }

    /// Reads a table. Strict: an unknown or repeated key, a value that is wrong, a row without a match, an effect,
    /// `why` or `source` throws with the line.
    init(_ text: String) throws(Fault) {
        var rows: [SensorQuirk] = []
        var keys: Set<String> = []
        var start = 0
        for (index, raw) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            let number = index + 1
            let line = AttributeText.trimmed(raw)
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("[") {
                if let last = rows.last { try Self.check(last, keys, line: start) }
                let id = String(line.dropFirst().dropLast())
                guard line.hasSuffix("]"), !id.isEmpty, !rows.contains(where: { $0.id == id }) else {
                    throw Fault(line: number, text: "'\(line)' is no new [name]")
                }
                var row = SensorQuirk()
                row.id = id
                rows.append(row)
                keys = []
                start = number
                continue
            }
            guard !rows.isEmpty, let equals = line.firstIndex(of: "=") else {
                throw Fault(line: number, text: "'\(line)' is neither [name] nor key = value")
            }
            let key = AttributeText.trimmed(line[..<equals])
            let value = AttributeText.trimmed(line[line.index(after: equals)...])
            guard !value.isEmpty, keys.insert(key).inserted else {
                throw Fault(line: number, text: "'\(key)' has no value or stands there twice")
            }
            guard Self.set(key, value, &rows[rows.count - 1]) else {
                throw Fault(line: number, text: "'\(key)' is unknown, or cannot be '\(value)'")
            }
        }
        if let last = rows.last { try Self.check(last, keys, line: start) }
        self.rows = rows
    }

    /// Rows for a device, later ones over earlier ones.
    func rows(for device: DeviceDescription) -> [SensorQuirk] { rows.filter { $0.isFor(device) } }

    // MARK: - Private

    private static let matchKeys: Set = ["name", "driver", "path", "label", "machine"]
    private static let wordKeys: Set = ["why", "source"]

    private static func check(_ row: SensorQuirk, _ keys: Set<String>, line: Int) throws(Fault) {
        if row.matches.isEmpty { throw Fault(line: line, text: "[\(row.id)] is for no device") }
        if row.why.isEmpty || row.source.isEmpty {
            throw Fault(line: line, text: "[\(row.id)] lacks why or source")
        }
        if keys.subtracting(matchKeys).subtracting(wordKeys).isEmpty {
            throw Fault(line: line, text: "[\(row.id)] has no effect")
        }
    }

    private static func set(_ key: String, _ value: String, _ row: inout SensorQuirk) -> Bool {
        switch key {
        case _ where matchKeys.contains(key):
            row.matches[key] = value.split(separator: " ").map(String.init)
        case "accel-sign":
            guard value == "up" || value == "down" else { return false }
            row.accelerometerSign = value == "up" ? 1 : -1
        case "magn-scale", "accel-scale", "anglvel-scale":
            let words = value.split(separator: " ")
            guard words.count == 3, words[1] == "below", let factor = AttributeText.number(words[0]), factor > 0,
                let limit = AttributeText.number(words[2]), limit > 0
            else { return false }
            row.scales[String(key.dropLast("-scale".count))] = SensorQuirk.ScaleRepair(factor: factor, below: limit)
        case "magn-matrix", "accel-matrix", "anglvel-matrix":
            guard let matrix = MountMatrix(kernelText: value) else { return false }
            row.matrices[String(key.dropLast("-matrix".count))] = matrix
        case "hwdb-matrix":
            guard value == "ignored" else { return false }
            row.ignoresHwdbMatrix = true
        case "rates":
            guard SamplingRates(value) != nil else { return false }
            row.rates = value
        case "magn-overflow":
            guard let count = AttributeText.number(value) else { return false }
            row.overflowCount = count
        case "raw-bytes":
            guard value == "doubtful" else { return false }
            row.doubtsBytes = true
        case "open-first":
            guard value == "accel" else { return false }
            row.opensAccelerometerFirst = true
        case "ignore": row.ignored = value
        case "why": row.why = value
        case "source": row.source = value
        default: return false
        }
        return true
    }
}
