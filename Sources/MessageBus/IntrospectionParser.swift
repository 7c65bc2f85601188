/// Reads introspection XML as the D-Bus specification describes it ("Introspection Data Format"): elements,
/// attributes, comments and the five predefined entities; no namespaces, no internal DTD subset.
struct IntrospectionParser {
    private let text: Substring.UTF8View
    private var position: Substring.UTF8View.Index
    private var interface: InterfaceDescription?
    private var interfaceStart: Substring.UTF8View.Index
    private var member: Member?

    private enum Member {
        case method(InterfaceDescription.Method)
        case signal(InterfaceDescription.Signal)
        case property(InterfaceDescription.Property)
    }

    private struct Tag {
        var name: String
        var attributes: [String: String]
        var isClosing: Bool
        var isEmpty: Bool
    }

    init(_ document: String) {
        text = Substring(document).utf8
        position = text.startIndex
        interfaceStart = text.startIndex
    }

    mutating func interfaces() throws(BusError) -> [InterfaceDescription] {
        var result: [InterfaceDescription] = []
        while let start = nextTagStart() {
            position = start
            guard let tag = try readTag() else { continue }
            if !tag.isClosing { try open(tag, at: start) }
            if tag.isClosing || tag.isEmpty, let finished = close(tag.name) { result.append(finished) }
        }
        if interface != nil { throw fault("the element 'interface' is not closed") }
        return result
    }

    // MARK: - Elements

    private mutating func open(_ tag: Tag, at start: Substring.UTF8View.Index) throws(BusError) {
        switch tag.name {
        case "interface":
            guard interface == nil else { throw fault("an interface inside an interface") }
            interface = InterfaceDescription(name: try required(tag, "name"), xml: "")
            interfaceStart = start
        case "method" where interface != nil:
            member = .method(.init(name: try required(tag, "name")))
        case "signal" where interface != nil:
            member = .signal(.init(name: try required(tag, "name")))
        case "property" where interface != nil:
            let access = try required(tag, "access")
            guard ["read", "write", "readwrite"].contains(access) else {
                throw fault("'\(access)' is no access of a property")
            }
            member = .property(
                .init(
                    name: try required(tag, "name"), signature: try type(tag), isReadable: access != "write",
                    isWritable: access != "read"))
        case "arg":
            try addArgument(tag)
        case "annotation":
            annotate(tag)
        default:
            break
        }
    }

    private mutating func addArgument(_ tag: Tag) throws(BusError) {
        let argument = InterfaceDescription.Argument(name: tag.attributes["name"] ?? "", signature: try type(tag))
        switch member {
        case .method(var method):
            if tag.attributes["direction"] == "out" {
                method.outputs.append(argument)
            } else {
                method.inputs.append(argument)
            }
            member = .method(method)
        case .signal(var signal):
            signal.arguments.append(argument)
            member = .signal(signal)
        case .property, nil:
            throw fault("an argument outside of a method or signal")
        }
    }

    private mutating func annotate(_ tag: Tag) {
        guard tag.attributes["name"] == "org.freedesktop.DBus.Property.EmitsChangedSignal",
            let change = tag.attributes["value"].flatMap(InterfaceDescription.Property.Change.init),
            case .property(var property) = member
        else { return }
        property.change = change
        member = .property(property)
    }

    /// Ends an element; returns the interface if it was one.
    private mutating func close(_ name: String) -> InterfaceDescription? {
        switch (name, member) {
        case ("method", .method(let method)):
            interface?.methods.append(method)
            member = nil
        case ("signal", .signal(let signal)):
            interface?.signals.append(signal)
            member = nil
        case ("property", .property(let property)):
            interface?.properties.append(property)
            member = nil
        case ("interface", _):
            guard var finished = interface else { return nil }
            interface = nil
            finished.xml = String(Substring(text[interfaceStart..<position]))
            return finished
        default:
            break
        }
        return nil
    }

    private func required(_ tag: Tag, _ attribute: String) throws(BusError) -> String {
        guard let value = tag.attributes[attribute], !value.isEmpty else {
            throw fault("the element '\(tag.name)' lacks its attribute '\(attribute)'")
        }
        return value
    }

    private func type(_ tag: Tag) throws(BusError) -> String {
        let type = try required(tag, "type")
        guard let signature = BusSignature(type), signature.isSingleType else {
            throw fault("'\(type)' is not one complete D-Bus type")
        }
        return type
    }

    // MARK: - Tokens

    private func nextTagStart() -> Substring.UTF8View.Index? { text[position...].firstIndex(of: UInt8(ascii: "<")) }

    /// Reads from `<` to behind `>`; nil for comments, declarations and processing instructions.
    private mutating func readTag() throws(BusError) -> Tag? {
        if take("<!--") {
            try skip(past: "-->")
            return nil
        }
        if take("<!") || take("<?") {
            try skip(past: ">")
            return nil
        }
        _ = take("<")
        var tag = Tag(name: "", attributes: [:], isClosing: take("/"), isEmpty: false)
        tag.name = word()
        guard !tag.name.isEmpty else { throw fault("an element without a name") }
        while true {
            skipBlanks()
            if take("/>") {
                tag.isEmpty = true
                return tag
            }
            if take(">") { return tag }
            let name = word()
            skipBlanks()
            guard !name.isEmpty, take("=") else { throw fault("an attribute is malformed") }
            skipBlanks()
            tag.attributes[name] = try quoted()
        }
    }

    private mutating func word() -> String {
        let rest = text[position...]
        let end = rest.firstIndex { Self.isBlank($0) || "=/>\"'<".utf8.contains($0) } ?? rest.endIndex
        position = end
        return String(Substring(rest[..<end]))
    }

    private mutating func quoted() throws(BusError) -> String {
        let mark: UInt8 = take("\"") ? UInt8(ascii: "\"") : UInt8(ascii: "'")
        if mark == UInt8(ascii: "'"), !take("'") { throw fault("an attribute's value is not quoted") }
        let rest = text[position...]
        guard let end = rest.firstIndex(of: mark) else { throw fault("a quotation is not closed") }
        position = text.index(after: end)
        return Self.decode(Substring(rest[..<end]))
    }

    private static func decode(_ raw: Substring) -> String {
        guard raw.utf8.contains(UInt8(ascii: "&")) else { return String(raw) }
        let entities = ["lt": "<", "gt": ">", "amp": "&", "quot": "\"", "apos": "'"]
        var result = ""
        var rest = raw
        while let ampersand = rest.firstIndex(of: "&"), let end = rest[ampersand...].firstIndex(of: ";") {
            result += rest[..<ampersand]
            result += entities[String(rest[rest.index(after: ampersand)..<end])] ?? String(rest[ampersand...end])
            rest = rest[rest.index(after: end)...]
        }
        return result + rest
    }

    private mutating func take(_ token: String) -> Bool {
        guard text[position...].starts(with: token.utf8) else { return false }
        position = text.index(position, offsetBy: token.utf8.count)
        return true
    }

    private mutating func skip(past token: String) throws(BusError) {
        while position != text.endIndex {
            if take(token) { return }
            position = text.index(after: position)
        }
        throw fault("'\(token)' is missing")
    }

    private mutating func skipBlanks() {
        while position != text.endIndex, Self.isBlank(text[position]) { position = text.index(after: position) }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 32 || (9...13).contains(byte) }

    private func fault(_ what: String) -> BusError {
        let line = 1 + text[..<position].reduce(0) { $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0) }
        return BusError(.inconsistentMessage, "introspection data, line \(line): \(what)")
    }
}
