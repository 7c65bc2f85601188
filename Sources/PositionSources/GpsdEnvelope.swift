/// The outside of a message of gpsd: one JSON object on a line, whose first member is its class.
///
/// Of these, libgps is given reports alone, and only if `GpsdSyntax` knows them.
enum GpsdEnvelope {
    /// The class of the message, such as `TPV`; nil if the line is no message.
    static func messageClass(of line: ArraySlice<UInt8>) -> Substring? {
        let prefix = #"{"class":""#.utf8
        guard line.starts(with: prefix), isOneObject(line) else { return nil }
        let name = line.dropFirst(prefix.count).prefix { $0 != UInt8(ascii: "\"") }
        guard !name.isEmpty, name.count <= 32,
            name.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5a).contains($0) })
        else { return nil }
        return Substring(decoding: name, as: UTF8.self)
    }

    /// True if brackets balance, outside of texts, and the first one is closed by the last byte; if each object begins with a
    /// name or ends at once; and if there are no control characters.
    private static func isOneObject(_ line: ArraySlice<UInt8>) -> Bool {
        var depth = 0
        var isInText = false
        var isEscaped = false
        var opensObject = false
        for (index, byte) in zip(line.indices, line) {
            guard byte >= 0x20 else { return false }
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
                continue
            }
            if opensObject, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "}") { return false }
            opensObject = byte == UInt8(ascii: "{")
            switch byte {
            case UInt8(ascii: "\""): isInText = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth < 0 || depth == 0 && index != line.endIndex - 1 { return false }
            default: break
            }
        }
        return depth == 0 && !isInText
    }
}
