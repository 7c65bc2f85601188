/// The code behind an interface at one object: a closure per method and property of its description. Give every
/// member its closure before it is exported; `ObjectDispatcher.add` traps otherwise.
public final class ExportedInterface {
    /// Handles a call whose signature was checked; the reader stands before the first argument. Answer through the
    /// call, now or later, or throw.
    public typealias MethodBody = (BusCall, inout BusReader) throws(BusError) -> Void
    /// Writes a value of the property's type. The caller is nil where the value goes to everybody.
    public typealias Getter = (BusCaller?, inout BusWriter) throws(BusError) -> Void
    /// Reads a value of the property's type and puts it in force, or throws.
    public typealias Setter = (BusCaller, inout BusReader) throws(BusError) -> Void

    /// Finds something out about the caller before a call reaches this interface, a property of it included; calls the
    /// closure when the call may go on, or answers the call itself.
    public typealias Gate = (BusCall, @escaping () -> Void) -> Void

    /// Nil: calls go on at once. Calls of one caller may overtake one that waits.
    public var gate: Gate?
    /// What the interface offers.
    public let description: InterfaceDescription
    private(set) var methods: [String: MethodBody] = [:]
    private(set) var getters: [String: Getter] = [:]
    private(set) var setters: [String: Setter] = [:]

    /// An interface without code yet.
    public init(_ description: InterfaceDescription) { self.description = description }

    /// Sets the code of a method; traps if the interface has no such method.
    public func method(_ name: String, _ body: @escaping MethodBody) {
        precondition(description.method(name) != nil, "\(description.name) has no method '\(name)'")
        methods[name] = body
    }

    /// Sets the code of a property; traps if the interface has no such property, or it cannot be set.
    public func property(_ name: String, get: @escaping Getter, set: Setter? = nil) {
        guard let property = description.property(name) else {
            preconditionFailure("\(description.name) has no property '\(name)'")
        }
        precondition(property.isWritable == (set != nil), "\(description.name).\(name): setter and access must agree")
        getters[name] = get
        setters[name] = set
    }

    /// As `property(_:get:)`, from a value.
    public func property(_ name: String, _ value: @escaping (BusCaller?) -> BusValue) {
        property(
            name, get: { caller, writer throws(BusError) in try writer.append(value(caller)) })
    }

    /// As `property(_:get:)`, for a value that is the same for all callers.
    public func property(_ name: String, _ write: @escaping (inout BusWriter) throws(BusError) -> Void) {
        property(name, get: { _, writer throws(BusError) in try write(&writer) })
    }

    /// Members of the description that have no code.
    public var missingMembers: [String] {
        description.methods.map(\.name).filter { methods[$0] == nil }
            + description.properties.map(\.name).filter { getters[$0] == nil }
    }

    /// Appends an `a{sv}` of the readable properties; throws what a getter throws.
    func writeProperties(_ caller: BusCaller?, to writer: inout BusWriter) throws(BusError) {
        try writer.array(of: "{sv}") { entries throws(BusError) in
            try writeEntries(caller, to: &entries)
        }
    }

    func writeEntries(_ caller: BusCaller?, to entries: inout BusWriter) throws(BusError) {
        for property in description.properties where property.isReadable {
            guard let get = getters[property.name] else { continue }
            try entries.dictEntry { entry throws(BusError) in
                try entry.append(property.name)
                try entry.variant(property.signature) { value throws(BusError) in try get(caller, &value) }
            }
        }
    }
}
