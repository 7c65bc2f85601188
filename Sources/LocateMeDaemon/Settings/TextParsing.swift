/// Strict readers of what people write on a command line or in a configuration.
extension Double {
    /// A finite decimal number such as `-12.5` or `1e-3`; nil for anything else, also `inf`, `nan` and hexadecimal.
    init?(strict text: some StringProtocol) {
        let allowed = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: ".")
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "e")
                || byte == UInt8(ascii: "E")
        }
        guard allowed, let number = Double(String(text)), number.isFinite else { return nil }
        self = number
    }
}

extension StringProtocol {
    /// The text without blanks, tabs and line ends at both ends.
    var trimmingBlanks: String {
        var rest = self[...]
        while let first = rest.first, first.isWhitespace { rest = rest.dropFirst() }
        while let last = rest.last, last.isWhitespace { rest = rest.dropLast() }
        return String(rest)
    }
}
