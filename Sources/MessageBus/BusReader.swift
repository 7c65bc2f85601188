internal import CLibDBus

/// Reads the body of a message, value by value, checking each type: what does not fit throws `.invalidArgs` with a
/// text that names the argument. Strings are valid UTF-8 and paths are valid: libdbus has checked the message.
public struct BusReader: ~Copyable {
    /// The contract's largest message: 1 MiB.
    public static let defaultByteBudget = 1 << 20

    private var iterator = DBusMessageIter()
    private let message: BusMessage
    /// Number of the argument of the message, from 1, for error texts.
    private var argument = 1
    private let depth: Int
    private var budget: Int

    init(message: BusMessage, byteBudget: Int) {
        self.message = message
        depth = 0
        budget = byteBudget
        // False only says that the body is empty; then the type is INVALID.
        _ = dbus_message_iter_init(message.handle, &iterator)
    }

    private init(message: BusMessage, argument: Int, depth: Int, budget: Int) {
        self.message = message
        self.argument = argument
        self.depth = depth
        self.budget = budget
    }

    /// True if nothing is left at this level.
    public var isAtEnd: Bool { mutating get { typeCode == 0 } }

    /// The complete type of the next value, empty at the end.
    public var nextSignature: String {
        mutating get {
            guard typeCode != 0, let text = dbus_message_iter_get_signature(&iterator) else { return "" }
            defer { dbus_free(text) }
            return String(cString: text)
        }
    }

    // MARK: - Basic types

    /// Reads a boolean (b).
    public mutating func readBool() throws(BusError) -> Bool {
        try readFixed(UInt8(ascii: "b"), dbus_bool_t(0)) != 0
    }
    /// Reads a byte (y).
    public mutating func readUInt8() throws(BusError) -> UInt8 { try readFixed(UInt8(ascii: "y"), 0) }
    /// Reads a 16-bit integer (n).
    public mutating func readInt16() throws(BusError) -> Int16 { try readFixed(UInt8(ascii: "n"), 0) }
    /// Reads an unsigned 16-bit integer (q).
    public mutating func readUInt16() throws(BusError) -> UInt16 { try readFixed(UInt8(ascii: "q"), 0) }
    /// Reads a 32-bit integer (i).
    public mutating func readInt32() throws(BusError) -> Int32 { try readFixed(UInt8(ascii: "i"), 0) }
    /// Reads an unsigned 32-bit integer (u).
    public mutating func readUInt32() throws(BusError) -> UInt32 { try readFixed(UInt8(ascii: "u"), 0) }
    /// Reads a 64-bit integer (x).
    public mutating func readInt64() throws(BusError) -> Int64 { try readFixed(UInt8(ascii: "x"), 0) }
    /// Reads an unsigned 64-bit integer (t).
    public mutating func readUInt64() throws(BusError) -> UInt64 { try readFixed(UInt8(ascii: "t"), 0) }
    /// Reads a floating-point number (d); it may be NaN or infinite.
    public mutating func readDouble() throws(BusError) -> Double { try readFixed(UInt8(ascii: "d"), 0) }
    /// Reads a string (s).
    public mutating func readString() throws(BusError) -> String { try readText(UInt8(ascii: "s")) }
    /// Reads an object path (o).
    public mutating func readObjectPath() throws(BusError) -> ObjectPath {
        let text = try readText(UInt8(ascii: "o"))
        guard let path = ObjectPath(text) else { throw mismatch("o") }
        return path
    }
    /// Reads a signature (g).
    public mutating func readSignature() throws(BusError) -> BusSignature {
        let text = try readText(UInt8(ascii: "g"))
        guard let signature = BusSignature(text) else { throw mismatch("g") }
        return signature
    }
    /// Reads a file descriptor (h): a duplicate with close-on-exec set, which is the caller's to close.
    public mutating func readFileDescriptor() throws(BusError) -> Int32 {
        let descriptor: Int32 = try readFixed(UInt8(ascii: "h"), -1)
        guard descriptor >= 0 else { throw BusError(.limitsExceeded, "no file descriptor is free") }
        return descriptor
    }

    // MARK: - Containers

    /// Reads an array (a): `body` is called once per element with a reader that stands before it, and must read it.
    public mutating func readArray(
        _ body: (inout BusReader) throws(BusError) -> Void
    ) throws(BusError) {
        try require(UInt8(ascii: "a"))
        try enter { child throws(BusError) in
            while child.typeCode != 0 {
                try child.spend(8)
                let before = child.elementsRead
                try body(&child)
                if child.elementsRead == before { child.skip() }
            }
        }
    }

    /// Reads a structure: `body` gets a reader for its members. Members left unread are skipped.
    public mutating func readStructure<Result>(
        _ body: (inout BusReader) throws(BusError) -> Result
    ) throws(BusError) -> Result {
        try require(UInt8(ascii: "r"))
        return try enter(body)
    }

    /// Reads an entry of a dictionary: `body` gets a reader for key and value.
    public mutating func readDictEntry<Result>(
        _ body: (inout BusReader) throws(BusError) -> Result
    ) throws(BusError) -> Result {
        try require(UInt8(ascii: "e"))
        return try enter(body)
    }

    /// Reads a variant (v): `body` gets a reader for the value inside.
    public mutating func readVariant<Result>(
        _ body: (inout BusReader) throws(BusError) -> Result
    ) throws(BusError) -> Result {
        try require(UInt8(ascii: "v"))
        return try enter(body)
    }

    /// Steps over the next value, whatever it is.
    public mutating func skip() { advance() }

    /// Throws `.invalidArgs` if anything is left at this level.
    public mutating func finish() throws(BusError) {
        if !isAtEnd {
            throw BusError(.invalidArgs, "there are more arguments than expected, from '\(nextSignature)' on")
        }
    }

    // MARK: - For this module

    /// The type code of the next value, 0 at the end; "r" for structures and "e" for dictionary entries.
    var typeCode: UInt8 { mutating get { UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&iterator)) } }

    /// The complete type of the elements of the array that comes next.
    var arrayElementSignature: String {
        mutating get { String(nextSignature.dropFirst()) }
    }

    // MARK: - Private

    private var elementsRead = 0

    private mutating func advance() {
        // False only says that this was the last value; then the type is INVALID.
        _ = dbus_message_iter_next(&iterator)
        elementsRead &+= 1
        if depth == 0 { argument += 1 }
    }

    private mutating func require(_ code: UInt8) throws(BusError) {
        guard typeCode == code else { throw mismatch(String(Unicode.Scalar(code))) }
    }

    private mutating func spend(_ bytes: Int) throws(BusError) {
        budget -= bytes
        if budget < 0 { throw BusError(.limitsExceeded, "the message is larger than this service accepts") }
    }

    private mutating func readFixed<Value: BitwiseCopyable>(_ code: UInt8, _ initial: Value) throws(BusError) -> Value {
        try require(code)
        var value = initial
        dbus_message_iter_get_basic(&iterator, &value)
        advance()
        return value
    }

    private mutating func readText(_ code: UInt8) throws(BusError) -> String {
        try require(code)
        var pointer: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &pointer)
        guard let pointer else { throw mismatch(String(Unicode.Scalar(code))) }
        let text = String(cString: pointer)
        try spend(text.utf8.count)
        advance()
        return text
    }

    /// Runs `body` inside the container that comes next, then steps over it.
    private mutating func enter<Result>(
        _ body: (inout BusReader) throws(BusError) -> Result
    ) throws(BusError) -> Result {
        var child = BusReader(message: message, argument: argument, depth: depth + 1, budget: budget)
        dbus_message_iter_recurse(&iterator, &child.iterator)
        let result = try body(&child)
        budget = child.budget
        advance()
        return result
    }

    private mutating func mismatch(_ wanted: String) -> BusError {
        let found = nextSignature
        let place = depth == 0 ? "argument \(argument)" : "a value in argument \(argument)"
        return BusError(
            .invalidArgs,
            found.isEmpty
                ? "\(place) is missing: \(typeName(wanted)) is expected"
                : "\(place) must be \(typeName(wanted)), not \(typeName(found))")
    }
}
