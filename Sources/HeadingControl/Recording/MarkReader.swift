internal import Glibc

/// Makes marks of the lines that somebody types.
struct MarkReader {
    private var buffer: [UInt8] = []
    private var number = 0

    /// Reads what is there and returns the texts of the lines that are complete; nil at the end of the input. A line
    /// without words is "mark" with a running number; control characters are left out, long lines cut.
    mutating func read(_ descriptor: Int32) -> [String]? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        if count < 0 { return errno == EAGAIN || errno == EINTR ? [] : nil }
        if count == 0 { return nil }
        return add(bytes[..<count])
    }

    /// The marks of some bytes of input.
    mutating func add(_ bytes: some Sequence<UInt8>) -> [String] {
        var marks: [String] = []
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                marks.append(text())
                buffer = []
            } else if buffer.count < 1000 {
                buffer.append(byte)
            }
        }
        return marks
    }

    private mutating func text() -> String {
        let line = TextWidth.clean(String(decoding: buffer, as: UTF8.self))
        let words = line.split(separator: " ").joined(separator: " ")
        guard words.isEmpty else { return words }
        number += 1
        return "mark \(number)"
    }
}
