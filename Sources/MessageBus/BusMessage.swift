internal import CLibDBus

/// One D-Bus message: a call, its answer, or a signal. Reference counted; immutable once sent.
public final class BusMessage {
    /// The four kinds of message.
    public enum Kind: Hashable, Sendable {
        /// Wants something done.
        case methodCall
        /// Answers a call.
        case methodReturn
        /// Refuses a call.
        case error
        /// Tells something.
        case signal
        /// A kind of a later protocol; to be ignored.
        case unknown
    }

    let handle: OpaquePointer
    /// False if writing the body failed half-way: such a message is never sent.
    private(set) var isWhole = true
    /// True once it was sent or if it was received: libdbus aborts the process if such a message is changed.
    private(set) var isSealed: Bool

    /// Takes over one reference.
    private init(owning handle: OpaquePointer, isSealed: Bool = false) {
        self.handle = handle
        self.isSealed = isSealed
    }

    /// A received message; adds a reference of its own.
    convenience init(received handle: OpaquePointer) { self.init(owning: dbus_message_ref(handle), isSealed: true) }

    /// A received message; takes over one reference.
    convenience init(receivedOwning handle: OpaquePointer) { self.init(owning: handle, isSealed: true) }

    /// Takes over the reference that a libdbus function has returned; nil stands for out of memory.
    static func adopting(_ handle: OpaquePointer?) -> BusMessage {
        guard let handle else { preconditionFailure("libdbus is out of memory") }
        return BusMessage(owning: handle)
    }

    deinit { dbus_message_unref(handle) }

    /// From now on the message cannot be changed.
    func seal() { isSealed = true }

    // MARK: - Making messages

    /// A call of a method. `interface` may be nil, but should not.
    public static func methodCall(
        destination: String?, path: ObjectPath, interface: String?, member: String
    ) throws(BusError) -> BusMessage {
        try check(destination, "bus name", dbus_validate_bus_name)
        try check(interface, "interface name", dbus_validate_interface)
        try check(member, "member name", dbus_validate_member)
        return adopting(dbus_message_new_method_call(destination, path.text, interface, member))
    }

    /// A signal; to one connection if there is a destination, to all who asked for it otherwise.
    public static func signal(
        path: ObjectPath, interface: String, member: String, destination: String? = nil
    ) throws(BusError) -> BusMessage {
        try check(destination, "bus name", dbus_validate_bus_name)
        try check(interface, "interface name", dbus_validate_interface)
        try check(member, "member name", dbus_validate_member)
        let message = adopting(dbus_message_new_signal(path.text, interface, member))
        if let destination, dbus_message_set_destination(message.handle, destination) == 0 {
            preconditionFailure("libdbus is out of memory")
        }
        return message
    }

    /// A signal of no object yet, to be written once and told of many, see `signal(of:to:)`.
    public static func signalOfMany(interface: String, member: String) throws(BusError) -> BusMessage {
        try check(interface, "interface name", dbus_validate_interface)
        try check(member, "member name", dbus_validate_member)
        let message = adopting(dbus_message_new(DBUS_MESSAGE_TYPE_SIGNAL))
        if dbus_message_set_interface(message.handle, interface) == 0
            || dbus_message_set_member(message.handle, member) == 0
        {
            preconditionFailure("libdbus is out of memory")
        }
        // Without a path it must not be sent.
        message.isWhole = false
        return message
    }

    /// This signal of many as one of that object to that connection. Its body is copied as bytes, which is much cheaper
    /// than writing it again; the fields of its header are only added, since libdbus is slow to replace one.
    public func signal(of path: ObjectPath, to destination: String) throws(BusError) -> BusMessage {
        guard kind == .signal, dbus_message_get_path(handle) == nil else {
            throw BusError(.failed, "only a signal of no object yet can be told of one")
        }
        try Self.check(destination, "bus name", dbus_validate_bus_name)
        let copy = Self.adopting(dbus_message_copy(handle))
        if dbus_message_set_path(copy.handle, path.text) == 0
            || dbus_message_set_destination(copy.handle, destination) == 0
        {
            preconditionFailure("libdbus is out of memory")
        }
        return copy
    }

    /// The answer to a call that was received.
    public static func methodReturn(to call: BusMessage) -> BusMessage {
        adopting(dbus_message_new_method_return(call.handle))
    }

    /// The refusal of a call that was received. A name that is no error name on the wire becomes `…Error.Failed`,
    /// NULs are dropped from the text.
    public static func error(to call: BusMessage, name: BusError.Code, text: String) -> BusMessage {
        let isName = !name.rawValue.utf8.contains(0) && dbus_validate_error_name(name.rawValue, nil) != 0
        let clean = text.utf8.contains(0) ? String(text.filter { $0 != "\0" }) : text
        return adopting(
            dbus_message_new_error(call.handle, isName ? name.rawValue : BusError.Code.failed.rawValue, clean))
    }

    /// The refusal of a call that was received.
    public static func error(to call: BusMessage, _ error: BusError) -> BusMessage {
        self.error(to: call, name: error.code, text: error.text)
    }

    // MARK: - Header

    /// What kind of message this is.
    public var kind: Kind {
        switch dbus_message_get_type(handle) {
        case DBUS_MESSAGE_TYPE_METHOD_CALL: .methodCall
        case DBUS_MESSAGE_TYPE_METHOD_RETURN: .methodReturn
        case DBUS_MESSAGE_TYPE_ERROR: .error
        case DBUS_MESSAGE_TYPE_SIGNAL: .signal
        default: .unknown
        }
    }

    /// The unique name of the connection that sent it, set by the bus and so beyond forgery.
    public var sender: String? { Self.string(dbus_message_get_sender(handle)) }
    /// The name it is for; nil: broadcast.
    public var destination: String? { Self.string(dbus_message_get_destination(handle)) }
    /// The object that is called, or that tells.
    public var path: ObjectPath? { Self.string(dbus_message_get_path(handle)).flatMap(ObjectPath.init) }
    /// The interface of the member.
    public var interface: String? { Self.string(dbus_message_get_interface(handle)) }
    /// The method or signal.
    public var member: String? { Self.string(dbus_message_get_member(handle)) }
    /// The types of the body, empty if there is none.
    public var signature: String { Self.string(dbus_message_get_signature(handle)) ?? "" }
    /// Number that the sender gave it; 0 before it is sent.
    public var serial: UInt32 { dbus_message_get_serial(handle) }
    /// The serial of the call that this answers; 0 if none.
    public var replySerial: UInt32 { dbus_message_get_reply_serial(handle) }
    /// The name of an error message.
    public var errorName: BusError.Code? {
        Self.string(dbus_message_get_error_name(handle)).map(BusError.Code.init(rawValue:))
    }

    /// True if the caller does not listen for an answer. Setting it has no effect on a message that was sent.
    public var isNoReplyExpected: Bool {
        get { dbus_message_get_no_reply(handle) != 0 }
        set { if !isSealed { dbus_message_set_no_reply(handle, newValue ? 1 : 0) } }
    }

    /// Whether the bus may start the destination for this message; true by default. Setting it has no effect on a
    /// message that was sent.
    public var mayStartService: Bool {
        get { dbus_message_get_auto_start(handle) != 0 }
        set { if !isSealed { dbus_message_set_auto_start(handle, newValue ? 1 : 0) } }
    }

    /// What an error message says; nil for other kinds.
    public var error: BusError? {
        guard kind == .error else { return nil }
        var reader = reader()
        let text = (try? reader.readString()) ?? ""
        var error = BusError(errorName ?? .failed, text)
        error.sender = sender
        return error
    }

    // MARK: - Body

    /// Reads the body from its first argument. `byteBudget` bounds how many bytes of strings and array elements may
    /// be read before `.limitsExceeded` is thrown.
    public func reader(byteBudget: Int = BusReader.defaultByteBudget) -> BusReader {
        BusReader(message: self, byteBudget: byteBudget)
    }

    /// Appends to the body. If it throws, the message is spoilt and will not be sent. A message that was sent or
    /// received cannot be written to.
    public func write(_ body: (inout BusWriter) throws(BusError) -> Void) throws(BusError) {
        guard !isSealed else { throw BusError(.failed, "a message cannot be changed once it was sent") }
        var writer = BusWriter(message: self)
        do throws(BusError) {
            try body(&writer)
        } catch {
            isWhole = false
            throw error
        }
    }

    /// Appends values to the body; as `write`, for bodies that are simple or not frequent.
    public func append(_ values: BusValue...) throws(BusError) {
        try write { writer throws(BusError) in
            for value in values { try writer.append(value) }
        }
    }

    /// All values of the body.
    public func values(byteBudget: Int = BusReader.defaultByteBudget) throws(BusError) -> [BusValue] {
        var reader = reader(byteBudget: byteBudget)
        return try reader.readRest()
    }

    // MARK: - Private

    private static func string(_ text: UnsafePointer<CChar>?) -> String? { text.map { String(cString: $0) } }

    private static func check(
        _ name: String?, _ what: String,
        _ validate: (UnsafePointer<CChar>?, UnsafeMutablePointer<DBusError>?) -> dbus_bool_t
    ) throws(BusError) {
        guard let name else { return }
        guard !name.utf8.contains(0), validate(name, nil) != 0 else {
            throw BusError(.invalidValue, "'\(name)' is not a D-Bus \(what)")
        }
    }
}
