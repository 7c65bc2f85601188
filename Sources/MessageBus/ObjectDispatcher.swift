/// The objects of a service: answers calls to them from their descriptions and closures, and the standard
/// interfaces (Properties, Introspectable, ObjectManager; Peer is answered by libdbus) for all of them.
///
/// Wrong types, unknown objects, interfaces, members and properties are refused here, in one place. Every call is
/// attributed to a caller with credentials from the bus.
public final class ObjectDispatcher {
    /// The error for a path without an object; by default `.unknownObject`.
    public var missingObject: (ObjectPath, BusCaller) -> BusError = { path, _ in
        BusError(.unknownObject, "there is no object '\(path)'")
    }

    /// Paths that may be introspected by everybody even while nothing is below them.
    public var containerPaths: Set<ObjectPath> = []

    /// The object that implements `org.freedesktop.DBus.ObjectManager` for all below it; nil: none does.
    public let managerPath: ObjectPath?

    let connection: BusConnection
    private(set) var objects: [ObjectPath: ExportedObject] = [:]
    private let callers: CallerDirectory

    /// Takes over all method calls of the connection, which must outlive this.
    public init(connection: BusConnection, managerPath: ObjectPath? = nil) {
        self.connection = connection
        self.managerPath = managerPath
        callers = CallerDirectory(connection: connection)
        connection.handle(pathPrefix: "/") { [weak self] message in
            self?.callers.identify(message) { message, caller in self?.dispatch(message, caller) }
        }
    }

    /// Puts an object on the bus, in place of one at the same path. Traps if a member of its interfaces has no code.
    public func add(_ object: ExportedObject) {
        for interface in object.interfaces {
            let missing = interface.missingMembers
            precondition(
                missing.isEmpty, "\(interface.description.name) lacks code for \(missing.joined(separator: ", "))")
        }
        objects[object.path] = object
    }

    /// Takes an object off the bus.
    public func remove(_ path: ObjectPath) { objects[path] = nil }

    /// The object at a path.
    public func object(at path: ObjectPath) -> ExportedObject? { objects[path] }

    // MARK: - Private

    private func dispatch(_ message: BusMessage, _ caller: BusCaller) {
        let call = BusCall(message: message, caller: caller, connection: connection)
        guard let gate = gate(of: message) else { return proceed(call) }
        gate(call) { [weak self] in
            // A gate may have refused the call.
            if !call.isAnswered { self?.proceed(call) }
        }
    }

    private func proceed(_ call: BusCall) {
        do throws(BusError) {
            try answer(call)
        } catch {
            call.fail(error)
        }
    }

    /// The gate of the interface that a call is for, be it through `Properties`; of several that of the first.
    private func gate(of message: BusMessage) -> ExportedInterface.Gate? {
        guard let object = message.path.flatMap({ objects[$0] }) else { return nil }
        var name = message.interface ?? ""
        if name == StandardInterface.properties.rawValue || name.isEmpty {
            var reader = message.reader()
            name = (try? reader.readString()) ?? ""
        } else if name == StandardInterface.objectManager.rawValue {
            name = ""
        }
        if name.isEmpty { return object.interfaces.lazy.compactMap(\.gate).first }
        return object.interface(name)?.gate
    }

    private func answer(_ call: BusCall) throws(BusError) {
        let message = call.message
        guard let path = message.path, let member = message.member else {
            throw BusError(.invalidArgs, "the call names no object or no method")
        }
        guard let object = objects[path] else {
            try answerWithoutObject(call, path, member)
            return
        }
        try object.check(call.caller)
        guard let interface = message.interface else {
            try answerWithoutInterface(call, object, member)
            return
        }
        if let standard = StandardInterface(rawValue: interface), implements(standard, path) {
            try answer(call, standard, member, object: object, path: path)
        } else if let exported = object.interface(interface) {
            guard let method = exported.description.method(member) else {
                throw BusError(.unknownMethod, "interface '\(interface)' has no method '\(member)'")
            }
            try answer(call, exported, method)
        } else {
            throw BusError(.unknownInterface, "object '\(path)' has no interface '\(interface)'")
        }
    }

    /// A path without an object still has children if it leads to objects.
    private func answerWithoutObject(_ call: BusCall, _ path: ObjectPath, _ member: String) throws(BusError) {
        let interface = call.message.interface.flatMap(StandardInterface.init) ?? .introspectable
        guard interface == .introspectable, member == "Introspect", leadsToObjects(path, for: call.caller) else {
            throw missingObject(path, call.caller)
        }
        try answer(call, .introspectable, member, object: nil, path: path)
    }

    /// The specification lets a caller leave the interface out: then the first that has the method gets it.
    private func answerWithoutInterface(
        _ call: BusCall, _ object: ExportedObject, _ member: String
    ) throws(BusError) {
        for exported in object.interfaces {
            if let method = exported.description.method(member) {
                try answer(call, exported, method)
                return
            }
        }
        for standard in StandardInterface.allCases where implements(standard, object.path) {
            if standard.description.method(member) != nil {
                try answer(call, standard, member, object: object, path: object.path)
                return
            }
        }
        throw BusError(.unknownMethod, "object '\(object.path)' has no method '\(member)'")
    }

    private func answer(
        _ call: BusCall, _ exported: ExportedInterface, _ method: InterfaceDescription.Method
    ) throws(BusError) {
        try checkSignature(call.message, method)
        // `add` has made sure that there is one.
        guard let body = exported.methods[method.name] else { return }
        var reader = call.message.reader()
        try body(call, &reader)
    }

    func checkSignature(_ message: BusMessage, _ method: InterfaceDescription.Method) throws(BusError) {
        let signature = message.signature
        guard signature == method.inputSignature else {
            throw BusError(
                .invalidArgs,
                "\(method.declaration) was called with "
                    + (signature.isEmpty ? "no arguments" : "arguments of the types '\(signature)'"))
        }
    }

    func implements(_ standard: StandardInterface, _ path: ObjectPath) -> Bool {
        standard != .objectManager || path == managerPath
    }

    private func leadsToObjects(_ path: ObjectPath, for caller: BusCaller) -> Bool {
        containerPaths.contains { $0.isWithin(path) }
            || objects.values.contains { $0.path.isWithin(path) && $0.isVisible(to: caller) }
    }
}
