/// A D-Bus interface as its introspection XML describes it.
public struct InterfaceDescription: Hashable, Sendable {
    /// An argument of a method or signal.
    public struct Argument: Hashable, Sendable {
        /// Its name, maybe empty.
        public var name: String
        /// Its complete type.
        public var signature: String
    }

    /// A method.
    public struct Method: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// What it takes.
        public var inputs: [Argument] = []
        /// What it answers.
        public var outputs: [Argument] = []
        /// The signature of a call.
        public var inputSignature: String { inputs.map(\.signature).joined() }
        /// The signature of the answer.
        public var outputSignature: String { outputs.map(\.signature).joined() }
        /// As in `GetHeading(u maximum_age_ms)`.
        public var declaration: String {
            name + "("
                + inputs.map { $0.name.isEmpty ? $0.signature : $0.signature + " " + $0.name }.joined(separator: ", ")
                + ")"
        }
    }

    /// A signal.
    public struct Signal: Hashable, Sendable {
        /// Its name.
        public var name: String
        /// What it carries.
        public var arguments: [Argument] = []
        /// The signature of its body.
        public var signature: String { arguments.map(\.signature).joined() }
    }

    /// A property.
    public struct Property: Hashable, Sendable {
        /// The annotation `org.freedesktop.DBus.Property.EmitsChangedSignal`.
        public enum Change: String, Hashable, Sendable {
            /// `PropertiesChanged` carries the new value.
            case carriesValue = "true"
            /// `PropertiesChanged` names the property only.
            case invalidates
            /// Never changes.
            case const
            /// Changes without a signal.
            case silent = "false"
        }

        /// Its name.
        public var name: String
        /// Its complete type.
        public var signature: String
        /// False if it can only be set.
        public var isReadable: Bool
        /// True if it can be set.
        public var isWritable: Bool
        /// How changes are told.
        public var change: Change = .carriesValue
    }

    /// The name, such as `org.locateme.Heading1`.
    public var name: String
    /// Methods in the order of the XML.
    public var methods: [Method] = []
    /// Signals in the order of the XML.
    public var signals: [Signal] = []
    /// Properties in the order of the XML.
    public var properties: [Property] = []
    /// The `<interface>` element as written, comments included.
    public var xml: String

    /// The method of a name.
    public func method(_ name: String) -> Method? { methods.first { $0.name == name } }
    /// The signal of a name.
    public func signal(_ name: String) -> Signal? { signals.first { $0.name == name } }
    /// The property of a name.
    public func property(_ name: String) -> Property? { properties.first { $0.name == name } }

    /// The interfaces of an introspection document. Throws `.inconsistentMessage` with the place of the fault.
    public static func parse(_ document: String) throws(BusError) -> [InterfaceDescription] {
        var parser = IntrospectionParser(document)
        return try parser.interfaces()
    }

    /// The only interface of a document that is part of the program; traps if it is not one.
    public static func embedded(_ document: String) -> InterfaceDescription {
        do throws(BusError) {
            let interfaces = try parse(document)
            precondition(interfaces.count == 1, "an embedded document must describe one interface")
            return interfaces[0]
        } catch {
            preconditionFailure("an embedded interface description is malformed: \(error)")
        }
    }
}
