/// A valid D-Bus object path: `/`, or `/` and elements of [A-Za-z0-9_] joined by `/`.
public struct ObjectPath: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The text of the path.
    public let text: String

    /// A path, nil if the text is none.
    public init?(_ text: String) {
        guard Self.isValid(text) else { return nil }
        self.text = text
    }

    /// A path written in the program; traps if it is none.
    public init(stringLiteral text: String) {
        precondition(Self.isValid(text), "'\(text)' is not an object path")
        self.text = text
    }

    /// The text.
    public var description: String { text }

    /// A path below this one. `element` must be of [A-Za-z0-9_]; nil otherwise.
    public func appending(_ element: String) -> ObjectPath? {
        ObjectPath(text == "/" ? "/" + element : text + "/" + element)
    }

    /// The path above; nil for `/`.
    public var parent: ObjectPath? {
        guard text != "/", let slash = text.lastIndex(of: "/") else { return nil }
        return ObjectPath(slash == text.startIndex ? "/" : String(text[..<slash]))
    }

    /// True if `self` is `ancestor` or lies below it.
    public func isWithin(_ ancestor: ObjectPath) -> Bool {
        if ancestor.text == "/" || text == ancestor.text { return true }
        return text.utf8.count > ancestor.text.utf8.count && text.hasPrefix(ancestor.text + "/")
    }

    private static func isValid(_ text: String) -> Bool {
        guard text.utf8.first == UInt8(ascii: "/") else { return false }
        if text == "/" { return true }
        var previousIsSlash = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "/"):
                if previousIsSlash { return false }
                previousIsSlash = true
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
                previousIsSlash = false
            default:
                return false
            }
        }
        return !previousIsSlash
    }
}
