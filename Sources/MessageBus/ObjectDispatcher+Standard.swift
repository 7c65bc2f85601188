/// The standard interfaces.
extension ObjectDispatcher {
    func answer(
        _ call: BusCall, _ standard: StandardInterface, _ member: String, object: ExportedObject?, path: ObjectPath
    ) throws(BusError) {
        guard let method = standard.description.method(member) else {
            throw BusError(.unknownMethod, "interface '\(standard.rawValue)' has no method '\(member)'")
        }
        try checkSignature(call.message, method)
        switch (standard, member) {
        case (.introspectable, _):
            let xml = introspection(of: object, path: path, for: call.caller)
            call.reply { writer throws(BusError) in try writer.append(xml) }
        case (.properties, "Get"): try get(call, object)
        case (.properties, "GetAll"): try getAll(call, object)
        case (.properties, "Set"): try set(call, object)
        case (.objectManager, _): answerManagedObjects(call)
        // libdbus answers Peer itself, unless the caller has left the interface out.
        case (.peer, "Ping"): call.reply()
        default: throw BusError(.unknownMethod, "interface '\(standard.rawValue)' has no method '\(member)'")
        }
    }

    // MARK: - Introspectable

    private func introspection(of object: ExportedObject?, path: ObjectPath, for caller: BusCaller) -> String {
        var xml = """
            <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
            <node>

            """
        for description in object?.descriptions ?? [] { xml += "  " + description.xml + "\n" }
        if object != nil {
            for standard in StandardInterface.allCases where implements(standard, path) {
                xml += "  " + standard.description.xml + "\n"
            }
        }
        for child in children(of: path, for: caller) { xml += "  <node name=\"\(child)\"/>\n" }
        return xml + "</node>\n"
    }

    private func children(of path: ObjectPath, for caller: BusCaller) -> [String] {
        let prefix = path.text == "/" ? "/" : path.text + "/"
        var names: Set<String> = []
        func add(_ below: ObjectPath, if isVisible: () -> Bool) {
            guard below != path, below.text.hasPrefix(prefix) else { return }
            let name = String(below.text.dropFirst(prefix.count).prefix { $0 != "/" })
            if !names.contains(name), isVisible() { names.insert(name) }
        }
        for container in containerPaths { add(container) { true } }
        for object in objects.values { add(object.path) { object.isVisible(to: caller) } }
        return names.sorted()
    }

    // MARK: - Properties

    /// The interfaces that a call of Properties means: the named one, or all if the name is empty.
    private func interfaces(_ name: String, of object: ExportedObject?) throws(BusError) -> [ExportedInterface] {
        guard let object else { return [] }
        if name.isEmpty { return object.interfaces }
        if let interface = object.interface(name) { return [interface] }
        // The standard interfaces have no properties.
        if let standard = StandardInterface(rawValue: name), implements(standard, object.path) { return [] }
        throw BusError(.unknownInterface, "object '\(object.path)' has no interface '\(name)'")
    }

    private func find(
        _ name: String, in interfaceName: String, of object: ExportedObject?
    ) throws(BusError) -> (ExportedInterface, InterfaceDescription.Property) {
        for interface in try interfaces(interfaceName, of: object) {
            if let property = interface.description.property(name) { return (interface, property) }
        }
        throw BusError(
            .unknownProperty,
            interfaceName.isEmpty
                ? "there is no property '\(name)'" : "interface '\(interfaceName)' has no property '\(name)'")
    }

    private func get(_ call: BusCall, _ object: ExportedObject?) throws(BusError) {
        var reader = call.message.reader()
        let interfaceName = try reader.readString()
        let name = try reader.readString()
        let (interface, property) = try find(name, in: interfaceName, of: object)
        guard property.isReadable, let getter = interface.getters[name] else {
            throw BusError(.accessDenied, "the property '\(name)' can only be set")
        }
        call.reply { writer throws(BusError) in
            try writer.variant(property.signature) { value throws(BusError) in try getter(call.caller, &value) }
        }
    }

    private func getAll(_ call: BusCall, _ object: ExportedObject?) throws(BusError) {
        var reader = call.message.reader()
        let chosen = try interfaces(try reader.readString(), of: object)
        call.reply { writer throws(BusError) in
            try writer.array(of: "{sv}") { entries throws(BusError) in
                for interface in chosen { try interface.writeEntries(call.caller, to: &entries) }
            }
        }
    }

    private func set(_ call: BusCall, _ object: ExportedObject?) throws(BusError) {
        var reader = call.message.reader()
        let interfaceName = try reader.readString()
        let name = try reader.readString()
        let (interface, property) = try find(name, in: interfaceName, of: object)
        guard property.isWritable, let setter = interface.setters[name] else {
            throw BusError(.propertyReadOnly, "the property '\(name)' cannot be set")
        }
        try reader.readVariant { value throws(BusError) in
            guard value.nextSignature == property.signature else {
                throw BusError(
                    .invalidArgs,
                    "the property '\(name)' is \(typeName(property.signature)), not \(typeName(value.nextSignature))")
            }
            try setter(call.caller, &value)
        }
        call.reply()
    }

    /// Tells that properties have changed, as their annotations say: with value, by name only, or (constant and
    /// silent ones) not at all. To one connection, or to everybody if `destination` is nil. False if nothing was sent.
    @discardableResult
    public func propertiesChanged(
        _ object: ExportedObject, _ interfaceName: String, _ names: [String], to caller: BusCaller?
    ) -> Bool {
        guard let message = propertiesChangedMessage(object, interfaceName, names, to: caller) else { return false }
        return connection.send(message)
    }

    /// The message that `propertiesChanged` sends; nil if there is nothing to tell.
    public func propertiesChangedMessage(
        _ object: ExportedObject, _ interfaceName: String, _ names: [String], to caller: BusCaller?
    ) -> BusMessage? {
        guard let interface = object.interface(interfaceName) else { return nil }
        let properties = interface.description.properties.filter { names.contains($0.name) }
        let carried = properties.filter { $0.change == .carriesValue }
        let invalidated = properties.filter { $0.change == .invalidates }
        guard !carried.isEmpty || !invalidated.isEmpty else { return nil }
        do throws(BusError) {
            let message = try BusMessage.signal(
                path: object.path, interface: StandardInterface.properties.rawValue, member: "PropertiesChanged",
                destination: caller?.uniqueName)
            try message.write { writer throws(BusError) in
                try writer.append(interfaceName)
                try writer.array(of: "{sv}") { entries throws(BusError) in
                    for property in carried {
                        guard let getter = interface.getters[property.name] else { continue }
                        try entries.dictEntry { entry throws(BusError) in
                            try entry.append(property.name)
                            try entry.variant(property.signature) { value throws(BusError) in
                                try getter(caller, &value)
                            }
                        }
                    }
                }
                try writer.array(of: "s") { array throws(BusError) in
                    for property in invalidated { try array.append(property.name) }
                }
            }
            return message
        } catch {
            return nil
        }
    }

    // MARK: - ObjectManager

    private func answerManagedObjects(_ call: BusCall) {
        let caller = call.caller
        let managed = objects.values
            .filter { object in
                guard let managerPath else { return false }
                return object.path != managerPath && object.path.isWithin(managerPath)
                    && object.isVisible(to: caller)
            }
            .sorted { $0.path.text < $1.path.text }
        call.reply { writer throws(BusError) in
            try writer.array(of: "{oa{sa{sv}}}") { entries throws(BusError) in
                for object in managed {
                    try entries.dictEntry { entry throws(BusError) in
                        try entry.append(object.path)
                        try object.writeInterfaces(caller, to: &entry)
                    }
                }
            }
        }
    }

    /// The signal `InterfacesAdded` for an object, to one caller or (nil) to everybody. Nil without an object manager
    /// above it.
    public func interfacesAddedMessage(_ object: ExportedObject, to caller: BusCaller?) -> BusMessage? {
        managerSignal("InterfacesAdded", object, to: caller) { writer throws(BusError) in
            try object.writeInterfaces(caller, to: &writer)
        }
    }

    /// The signal `InterfacesRemoved` for an object, to one caller or (nil) to everybody. Nil without an object
    /// manager above it.
    public func interfacesRemovedMessage(_ object: ExportedObject, to caller: BusCaller?) -> BusMessage? {
        managerSignal("InterfacesRemoved", object, to: caller) { writer throws(BusError) in
            try writer.array(of: "s") { array throws(BusError) in
                for description in object.descriptions { try array.append(description.name) }
            }
        }
    }

    private func managerSignal(
        _ member: String, _ object: ExportedObject, to caller: BusCaller?,
        _ body: (inout BusWriter) throws(BusError) -> Void
    ) -> BusMessage? {
        guard let managerPath, object.path != managerPath, object.path.isWithin(managerPath) else { return nil }
        do throws(BusError) {
            let message = try BusMessage.signal(
                path: managerPath, interface: StandardInterface.objectManager.rawValue, member: member,
                destination: caller?.uniqueName)
            try message.write { writer throws(BusError) in
                try writer.append(object.path)
                try body(&writer)
            }
            return message
        } catch {
            return nil
        }
    }
}

extension ExportedObject {
    /// Appends an `a{sa{sv}}` of its interfaces and their properties.
    func writeInterfaces(_ caller: BusCaller?, to writer: inout BusWriter) throws(BusError) {
        try writer.array(of: "{sa{sv}}") { entries throws(BusError) in
            for interface in interfaces {
                try entries.dictEntry { entry throws(BusError) in
                    try entry.append(interface.description.name)
                    try interface.writeProperties(caller, to: &entry)
                }
            }
        }
    }
}
