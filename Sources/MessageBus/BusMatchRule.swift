/// Which signals are wanted. Nil fields fit everything.
public struct BusMatchRule: Hashable, Sendable {
    /// Unique or well-known name of the sender.
    public var sender: String?
    /// The interface.
    public var interface: String?
    /// The signal.
    public var member: String?
    /// The object that tells.
    public var path: ObjectPath?
    /// The object that tells, or any below it; not together with `path`.
    public var pathNamespace: ObjectPath?
    /// The first argument, a string.
    public var firstArgument: String?

    /// A rule for signals.
    public init(
        sender: String? = nil, interface: String? = nil, member: String? = nil, path: ObjectPath? = nil,
        pathNamespace: ObjectPath? = nil, firstArgument: String? = nil
    ) {
        self.sender = sender
        self.interface = interface
        self.member = member
        self.path = path
        self.pathNamespace = pathNamespace
        self.firstArgument = firstArgument
    }

    /// The rule as the bus reads it.
    public var text: String {
        var parts = ["type='signal'"]
        func add(_ key: String, _ value: String?) {
            if let value { parts.append("\(key)=\(Self.quote(value))") }
        }
        add("sender", sender)
        add("interface", interface)
        add("member", member)
        add("path", path?.text)
        add("path_namespace", pathNamespace?.text)
        add("arg0", firstArgument)
        return parts.joined(separator: ",")
    }

    /// Whether a signal fits, except for a well-known sender, which only the bus can tell.
    func fits(_ message: BusMessage) -> Bool {
        if let sender, !NameRegistry.isWellKnown(sender), message.sender != sender { return false }
        if let member, message.member != member { return false }
        if let interface, message.interface != interface { return false }
        if path != nil || pathNamespace != nil {
            guard let from = message.path else { return false }
            if let path, from != path { return false }
            if let pathNamespace, !from.isWithin(pathNamespace) { return false }
        }
        if let firstArgument {
            var reader = message.reader()
            guard let argument = try? reader.readString(), argument == firstArgument else { return false }
        }
        return true
    }

    /// Quotes as the specification says ("Match Rules"): an apostrophe ends the quotation, stands escaped, and
    /// begins it again.
    private static func quote(_ value: String) -> String {
        var result = "'"
        for character in value.unicodeScalars {
            if character == "'" { result += "'\\''" } else { result.unicodeScalars.append(character) }
        }
        return result + "'"
    }
}
