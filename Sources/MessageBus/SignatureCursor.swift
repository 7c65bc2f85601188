/// A place in a signature: what a writer may write next. Works on signatures that are known to be valid.
struct SignatureCursor {
    private let text: String
    private var position: Int
    private let start: Int
    private let end: Int
    /// True for the elements of an array: after the last type the first comes again.
    private let repeats: Bool

    /// All of a valid signature.
    init(_ text: String, repeats: Bool) {
        self.init(text: text, start: 0, end: text.utf8.count, repeats: repeats)
    }

    private init(text: String, start: Int, end: Int, repeats: Bool) {
        self.text = text
        self.start = start
        self.position = start
        self.end = end
        self.repeats = repeats
    }

    /// True if nothing more has to be written.
    var isComplete: Bool { position == (repeats ? start : end) }

    /// The rest of the signature, for error texts.
    var remainder: String { slice(position, end) }

    /// Takes a basic type or a variant. False if something else comes next.
    mutating func take(_ code: UInt8) -> Bool {
        guard position < end, byte(position) == code else { return false }
        advance(to: position + 1)
        return true
    }

    /// Takes a structure `(…)` or a dictionary entry `{…}`; returns a cursor for what is inside.
    mutating func takeBracketed(_ opening: UInt8) -> SignatureCursor? {
        guard position < end, byte(position) == opening else { return nil }
        let after = endOfType(at: position)
        let inside = SignatureCursor(text: text, start: position + 1, end: after - 1, repeats: false)
        advance(to: after)
        return inside
    }

    /// Takes an array whose elements are of the given type; returns a cursor for the elements.
    mutating func takeArray(of element: String) -> SignatureCursor? {
        guard position < end, byte(position) == UInt8(ascii: "a") else { return nil }
        let after = endOfType(at: position)
        guard slice(position + 1, after) == element else { return nil }
        let inside = SignatureCursor(text: text, start: position + 1, end: after, repeats: true)
        advance(to: after)
        return inside
    }

    private mutating func advance(to next: Int) { position = repeats && next == end ? start : next }

    private func endOfType(at begin: Int) -> Int {
        var index = begin
        while index < end, byte(index) == UInt8(ascii: "a") { index += 1 }
        var depth = 0
        while index < end {
            switch byte(index) {
            case UInt8(ascii: "("), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
            index += 1
            if depth == 0 { break }
        }
        return index
    }

    private func byte(_ offset: Int) -> UInt8 {
        let bytes = text.utf8
        return bytes[bytes.index(bytes.startIndex, offsetBy: offset)]
    }

    private func slice(_ from: Int, _ to: Int) -> String {
        let bytes = text.utf8
        let first = bytes.index(bytes.startIndex, offsetBy: from)
        return String(text[first..<bytes.index(bytes.startIndex, offsetBy: to)])
    }
}
