/// A value of RFC 8259, written on one line. Object members keep the order given.
enum JSONValue: Sendable {
    /// null.
    case null
    /// true or false.
    case bool(Bool)
    /// An integer.
    case integer(Int64)
    /// A number rounded to at most that many decimals; null if it is NaN or infinite.
    case number(Double, decimals: Int)
    /// A string.
    case string(String)
    /// A list.
    case array([JSONValue])
    /// Members in order.
    case object([(String, JSONValue)])

    /// The value as one line without a line break.
    var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value, let decimals):
            text += value.isFinite ? DecimalText.trimmed(value, decimals: decimals) : "null"
        case .string(let value): Self.write(value, to: &text)
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, (name, value)) in members.enumerated() {
                if index > 0 { text += "," }
                Self.write(name, to: &text)
                text += ":"
                value.write(to: &text)
            }
            text += "}"
        }
    }

    /// Escapes what RFC 8259 section 7 demands, and U+007F…U+009F, U+2028 and U+2029, which break terminals and
    /// line-wise readers.
    private static func write(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
