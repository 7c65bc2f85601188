internal import CLibDBus

/// Writes the body of a message, value by value. Containers are closures; inside an array or a variant the types
/// are checked against the declared signature, since libdbus would end the process over a mismatch.
public struct BusWriter: ~Copyable {
    private var iterator = DBusMessageIter()
    /// What may come next; nil: anything.
    private var expected: SignatureCursor?
    private let depth: Int

    /// D-Bus allows 32 arrays and 32 structures in each other (specification, "Valid Signatures"); less is plenty.
    static let maximumDepth = 32

    init(message: BusMessage) {
        depth = 0
        dbus_message_iter_init_append(message.handle, &iterator)
    }

    private init(expected: SignatureCursor?, depth: Int) {
        self.expected = expected
        self.depth = depth
    }

    // MARK: - Basic types

    /// Appends a boolean (b).
    public mutating func append(_ value: Bool) throws(BusError) {
        try appendFixed(UInt8(ascii: "b"), dbus_bool_t(value ? 1 : 0))
    }
    /// Appends a byte (y).
    public mutating func append(_ value: UInt8) throws(BusError) { try appendFixed(UInt8(ascii: "y"), value) }
    /// Appends a 16-bit integer (n).
    public mutating func append(_ value: Int16) throws(BusError) { try appendFixed(UInt8(ascii: "n"), value) }
    /// Appends an unsigned 16-bit integer (q).
    public mutating func append(_ value: UInt16) throws(BusError) { try appendFixed(UInt8(ascii: "q"), value) }
    /// Appends a 32-bit integer (i).
    public mutating func append(_ value: Int32) throws(BusError) { try appendFixed(UInt8(ascii: "i"), value) }
    /// Appends an unsigned 32-bit integer (u).
    public mutating func append(_ value: UInt32) throws(BusError) { try appendFixed(UInt8(ascii: "u"), value) }
    /// Appends a 64-bit integer (x).
    public mutating func append(_ value: Int64) throws(BusError) { try appendFixed(UInt8(ascii: "x"), value) }
    /// Appends an unsigned 64-bit integer (t).
    public mutating func append(_ value: UInt64) throws(BusError) { try appendFixed(UInt8(ascii: "t"), value) }
    /// Appends a floating-point number (d).
    public mutating func append(_ value: Double) throws(BusError) { try appendFixed(UInt8(ascii: "d"), value) }
    /// Appends a string (s). A NUL in it is refused, since D-Bus cannot carry one.
    public mutating func append(_ value: String) throws(BusError) {
        guard !value.utf8.contains(0) else {
            throw BusError(.invalidValue, "a D-Bus string cannot contain a NUL: '\(value)'")
        }
        try appendText(UInt8(ascii: "s"), value)
    }
    /// Appends an object path (o).
    public mutating func append(_ value: ObjectPath) throws(BusError) {
        try appendText(UInt8(ascii: "o"), value.text)
    }
    /// Appends a signature (g).
    public mutating func append(_ value: BusSignature) throws(BusError) {
        try appendText(UInt8(ascii: "g"), value.text)
    }
    /// Appends a file descriptor (h); it is duplicated, the given one stays the caller's.
    public mutating func append(fileDescriptor value: Int32) throws(BusError) {
        guard value >= 0 else { throw BusError(.invalidValue, "\(value) is not a file descriptor") }
        try appendFixed(UInt8(ascii: "h"), value)
    }

    // MARK: - Containers

    /// Appends an array (a) whose elements are of one complete type, such as `s`, `(dd)` or `{sv}`.
    public mutating func array(
        of element: String, _ body: (inout BusWriter) throws(BusError) -> Void
    ) throws(BusError) {
        let inside: SignatureCursor
        if expected == nil {
            guard !element.utf8.contains(0), dbus_signature_validate_single("a" + element, nil) != 0 else {
                throw BusError(.invalidValue, "'\(element)' is not the type of an array element")
            }
            inside = SignatureCursor(element, repeats: true)
        } else {
            guard let cursor = expected?.takeArray(of: element) else { throw mismatch("a" + element) }
            inside = cursor
        }
        try container(UInt8(ascii: "a"), element, inside, body)
    }

    /// Appends a structure.
    public mutating func structure(_ body: (inout BusWriter) throws(BusError) -> Void) throws(BusError) {
        var inside: SignatureCursor?
        if expected != nil {
            guard let cursor = expected?.takeBracketed(UInt8(ascii: "(")) else { throw mismatch("(…)") }
            inside = cursor
        }
        try container(UInt8(ascii: "r"), nil, inside, body)
    }

    /// Appends an entry of a dictionary: a basic key and a value. Only inside an array of `{…}`.
    public mutating func dictEntry(_ body: (inout BusWriter) throws(BusError) -> Void) throws(BusError) {
        guard let inside = expected?.takeBracketed(UInt8(ascii: "{")) else { throw mismatch("{…}") }
        try container(UInt8(ascii: "e"), nil, inside, body)
    }

    /// Appends a variant (v) that holds one value of the given complete type.
    public mutating func variant(
        _ signature: String, _ body: (inout BusWriter) throws(BusError) -> Void
    ) throws(BusError) {
        if expected != nil, expected?.take(UInt8(ascii: "v")) != true { throw mismatch("v") }
        guard !signature.utf8.contains(0), dbus_signature_validate_single(signature, nil) != 0 else {
            throw BusError(.invalidValue, "'\(signature)' is not one complete D-Bus type")
        }
        try container(UInt8(ascii: "v"), signature, SignatureCursor(signature, repeats: false), body)
    }

    // MARK: - Private

    private mutating func appendFixed<Value: BitwiseCopyable>(_ code: UInt8, _ value: Value) throws(BusError) {
        if expected != nil, expected?.take(code) != true { throw mismatch(String(Unicode.Scalar(code))) }
        var value = value
        guard dbus_message_iter_append_basic(&iterator, Int32(code), &value) != 0 else { throw Self.refused }
    }

    private mutating func appendText(_ code: UInt8, _ value: String) throws(BusError) {
        if expected != nil, expected?.take(code) != true { throw mismatch(String(Unicode.Scalar(code))) }
        let done = value.withCString { text in
            var pointer: UnsafePointer<CChar>? = text
            return dbus_message_iter_append_basic(&iterator, Int32(code), &pointer) != 0
        }
        guard done else { throw Self.refused }
    }

    private mutating func container(
        _ code: UInt8, _ signature: String?, _ inside: SignatureCursor?,
        _ body: (inout BusWriter) throws(BusError) -> Void
    ) throws(BusError) {
        guard depth < Self.maximumDepth else {
            throw BusError(.limitsExceeded, "a message nests more than \(Self.maximumDepth) containers")
        }
        var child = BusWriter(expected: inside, depth: depth + 1)
        guard dbus_message_iter_open_container(&iterator, Int32(code), signature, &child.iterator) != 0 else {
            throw Self.refused
        }
        do throws(BusError) {
            try body(&child)
            if let rest = child.expected, !rest.isComplete {
                throw BusError(.invalidValue, "values of the types '\(rest.remainder)' are missing")
            }
        } catch {
            dbus_message_iter_abandon_container(&iterator, &child.iterator)
            throw error
        }
        guard dbus_message_iter_close_container(&iterator, &child.iterator) != 0 else { throw Self.refused }
    }

    private func mismatch(_ written: String) -> BusError {
        guard let expected else {
            return BusError(.invalidValue, "a dictionary entry can only be written inside an array of '{…}'")
        }
        let wanted = expected.remainder
        return BusError(
            .invalidValue,
            "'\(written)' was written where the signature has \(wanted.isEmpty ? "nothing more" : "'\(wanted)'")")
    }

    private static let refused = BusError(.noMemory, "libdbus could not append to the message: out of memory")
}
