/// An error of the bus, of the other side, or of a message that cannot be read or written.
public struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A kind of error: a D-Bus error name. New ones may appear at any time.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The D-Bus error name, such as `org.freedesktop.DBus.Error.InvalidArgs`.
        public let rawValue: String
        /// A code of the given name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The name.
        public var description: String { rawValue }
    }

    /// What kind of error.
    public var code: Code
    /// What happened and what to do, in plain words.
    public var text: String
    /// Who answered with this error: the unique name of a connection, or `org.freedesktop.DBus` for the bus itself;
    /// nil if it arose in this process.
    public var sender: String?
    /// With `.nameTaken`: who owns the name.
    public var owner: NameOwner?

    /// An error.
    public init(_ code: Code, _ text: String, owner: NameOwner? = nil) {
        self.code = code
        self.text = text
        self.owner = owner
    }

    /// The text and the name.
    public var description: String { text.isEmpty ? code.rawValue : "\(text) (\(code.rawValue))" }
}

/// Who owns a bus name.
public struct NameOwner: Hashable, Sendable {
    /// The connection, such as `:1.42`.
    public var uniqueName: String
    /// Its process; 0 if the bus does not tell.
    public var processID: UInt32

    /// An owner.
    public init(uniqueName: String, processID: UInt32) {
        self.uniqueName = uniqueName
        self.processID = processID
    }
}
