internal import CLibDBus

/// Calls of libdbus that report through a `DBusError`.
enum LibDBus {
    /// Runs `body`; throws what it left in the error if it returns false. `context` comes before its text.
    static func call(
        _ context: String, _ body: (UnsafeMutablePointer<DBusError>) -> Bool
    ) throws(BusError) {
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        if body(&error) { return }
        guard dbus_error_is_set(&error) != 0, let name = error.name else {
            throw BusError(.noMemory, context.isEmpty ? "out of memory" : context + ": out of memory")
        }
        let text = error.message.map { String(cString: $0) } ?? ""
        throw BusError(
            BusError.Code(rawValue: String(cString: name)), context.isEmpty ? text : context + ": " + text)
    }

    /// The same for functions that return a pointer, nil meaning failure.
    static func pointer(
        _ context: String, _ body: (UnsafeMutablePointer<DBusError>) -> OpaquePointer?
    ) throws(BusError) -> OpaquePointer {
        var result: OpaquePointer?
        try call(context) {
            result = body($0)
            return result != nil
        }
        guard let result else { throw BusError(.failed, context) }
        return result
    }
}
