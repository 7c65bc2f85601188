internal import CLibDBus

/// A valid D-Bus type signature: zero or more complete types, such as `a{sv}` or `xtd`.
public struct BusSignature: Hashable, Sendable, CustomStringConvertible, ExpressibleByStringLiteral {
    /// The text of the signature.
    public let text: String

    /// A signature, nil if the text is none (unknown codes, unclosed brackets, more than 255 bytes, too deep).
    public init?(_ text: String) {
        guard !text.utf8.contains(0), dbus_signature_validate(text, nil) != 0 else { return nil }
        self.text = text
    }

    /// A signature written in the program; traps if it is none.
    public init(stringLiteral text: String) {
        precondition(
            !text.utf8.contains(0) && dbus_signature_validate(text, nil) != 0, "'\(text)' is not a D-Bus signature")
        self.text = text
    }

    /// The text.
    public var description: String { text }

    /// True if it is exactly one complete type.
    public var isSingleType: Bool { dbus_signature_validate_single(text, nil) != 0 }
}
