import EventLoop
import Glibc
import MessageBus
import TestSupport
import Testing

/// A service with one object that outsiders call.
final class ExampleService {
    static let description = InterfaceDescription.embedded(
        """
        <node><interface name="org.example.Thing1">
          <!-- A thing. -->
          <method name="Add"><arg name="a" type="i" direction="in"/><arg name="b" type="i" direction="in"/>
            <arg name="sum" type="i" direction="out"/></method>
          <method name="Refuse"/>
          <method name="Drop"/>
          <property name="Size" type="d" access="readwrite"/>
          <property name="Owner" type="u" access="read">
            <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/></property>
          <signal name="Done"><arg name="what" type="s"/></signal>
        </interface></node>
        """)

    let bus: PrivateBus
    let loop: EventLoop
    let connection: BusConnection
    let dispatcher: ObjectDispatcher
    var size = 1.5

    init(bus: PrivateBus) throws {
        self.bus = bus
        loop = try EventLoop()
        connection = try BusConnection(.address(bus.address), loop: loop)
        dispatcher = ObjectDispatcher(connection: connection, managerPath: "/org/example")
        let thing = ExportedInterface(Self.description)
        thing.method("Add") { call, reader throws(BusError) in
            let sum = try reader.readInt32() &+ (try reader.readInt32())
            call.reply { writer throws(BusError) in try writer.append(sum) }
        }
        thing.method("Refuse") { _, _ throws(BusError) in throw BusError(.notSupported, "not today") }
        thing.method("Drop") { _, _ in }
        thing.property(
            "Size", get: { [unowned self] _, writer throws(BusError) in try writer.append(size) },
            set: { [unowned self] _, reader throws(BusError) in
                let value = try reader.readDouble()
                guard value >= 0 else { throw BusError(.invalidArgs, "the size cannot be negative") }
                size = value
            })
        thing.property("Owner") { caller in .uint32(caller?.credentials.userID ?? .max) }
        dispatcher.add(ExportedObject(path: "/org/example", interfaces: [thing]))
        dispatcher.add(ExportedObject(path: "/org/example/things/a", interfaces: [thing]))
        dispatcher.add(
            ExportedObject(path: "/org/example/things/hidden", interfaces: [thing]) { _ throws(BusError) in
                throw BusError(.accessDenied, "not yours")
            })
        try connection.requestName("org.example.Service")
    }

    /// Runs a program on this bus while the service serves.
    func run(_ path: String, _ arguments: [String]) throws -> Command {
        let command = try Command.start(path, arguments, environment: bus.environment)
        while !command.isFinished { try loop.runOnce(timeoutMilliseconds: 10) }
        return command.wait()
    }

    func busctl(_ arguments: [String]) throws -> Command {
        try run("/usr/bin/busctl", ["--address=\(bus.address)"] + arguments)
    }
}

@Suite struct DispatcherTests {
    static let calls: [(arguments: [String], output: String)] = [
        (["org.example.Thing1", "Add", "ii", "40", "2"], "i 42\n"),
        (["org.freedesktop.DBus.Properties", "Get", "ss", "org.example.Thing1", "Size"], "v d 1.5\n"),
        (["org.freedesktop.DBus.Properties", "Get", "ss", "", "Owner"], "v u \(getuid())\n"),
        (
            ["org.freedesktop.DBus.Properties", "GetAll", "s", "org.example.Thing1"],
            "a{sv} 2 \"Size\" d 1.5 \"Owner\" u \(getuid())\n"
        ),
        (["org.freedesktop.DBus.Properties", "GetAll", "s", "org.freedesktop.DBus.Peer"], "a{sv} 0\n"),
        (["org.freedesktop.DBus.Peer", "Ping"], ""),
        (
            ["org.freedesktop.DBus.ObjectManager", "GetManagedObjects"],
            "a{oa{sa{sv}}} 1 \"/org/example/things/a\" 1 \"org.example.Thing1\" 2 \"Size\" d 1.5 "
                + "\"Owner\" u \(getuid())\n"
        ),
    ]

    @Test("busctl gets what the object answers", .needs(.program("busctl")), arguments: calls.indices)
    func answers(index: Int) throws {
        let service = try ExampleService(bus: PrivateBus())
        let result = try service.busctl(["call", "org.example.Service", "/org/example"] + Self.calls[index].arguments)
        #expect(result.output == Self.calls[index].output)
        #expect(result.status == 0, "\(result.errors)")
    }

    static let refusals: [(path: String, arguments: [String], error: String, text: String)] = [
        (
            "", ["org.example.Thing1", "Add", "i", "40"], "InvalidArgs",
            "Add(i a, i b) was called with arguments of the types 'i'"
        ),
        ("", ["org.example.Thing1", "Refuse"], "NotSupported", "not today"),
        ("", ["org.example.Thing1", "Drop"], "Failed", "dropped the call"),
        ("", ["org.example.Thing1", "Nothing"], "UnknownMethod", "no method 'Nothing'"),
        ("", ["org.example.Other1", "Add", "ii", "1", "2"], "UnknownInterface", "no interface 'org.example.Other1'"),
        (
            "/nowhere", ["org.example.Thing1", "Add", "ii", "1", "2"], "UnknownObject",
            "no object '/org/example/nowhere'"
        ),
        ("/things/hidden", ["org.example.Thing1", "Add", "ii", "1", "2"], "AccessDenied", "not yours"),
        (
            "/things/hidden", ["org.freedesktop.DBus.Properties", "GetAll", "s", "org.example.Thing1"], "AccessDenied",
            "not yours"
        ),
        ("/things/hidden", ["org.freedesktop.DBus.Introspectable", "Introspect"], "AccessDenied", "not yours"),
        (
            "", ["org.freedesktop.DBus.Properties", "Get", "ss", "org.example.Thing1", "Weight"], "UnknownProperty",
            "no property 'Weight'"
        ),
        (
            "", ["org.freedesktop.DBus.Properties", "Get", "ss", "org.example.Other1", "Size"], "UnknownInterface",
            "no interface 'org.example.Other1'"
        ),
        (
            "", ["org.freedesktop.DBus.Properties", "Set", "ssv", "org.example.Thing1", "Owner", "u", "1"],
            "PropertyReadOnly", "cannot be set"
        ),
        (
            "", ["org.freedesktop.DBus.Properties", "Set", "ssv", "org.example.Thing1", "Size", "s", "big"],
            "InvalidArgs", "a floating-point number (d), not a string (s)"
        ),
        (
            "", ["org.freedesktop.DBus.Properties", "Set", "ssv", "org.example.Thing1", "Size", "d", "-1"],
            "InvalidArgs", "cannot be negative"
        ),
        (
            "", ["org.freedesktop.DBus.Properties", "Get", "s", "org.example.Thing1"], "InvalidArgs",
            "Get(s interface_name"
        ),
    ]

    @Test("Wrong calls are refused with the right error", .needs(.program("gdbus")), arguments: refusals.indices)
    func refused(index: Int) throws {
        let (path, arguments, error, text) = Self.refusals[index]
        let service = try ExampleService(bus: PrivateBus())
        // gdbus and busctl hide the error's name; dbus-send shows it.
        let result = try service.run(
            "/usr/bin/gdbus",
            [
                "call", "--address", service.bus.address, "--dest", "org.example.Service", "--object-path",
                "/org/example" + path, "--method", arguments[0] + "." + arguments[1],
            ]
                + Self.gvariants(Array(arguments.dropFirst(2))))
        #expect(result.status == 1)
        #expect(result.errors.contains("org.freedesktop.DBus.Error.\(error)"), "\(result.errors)")
        #expect(result.errors.contains(text), "\(result.errors)")
    }

    /// Arguments in the form of busctl (signature first) in that of gdbus, for the few types that are used here.
    static func gvariants(_ arguments: [String]) -> [String] {
        guard let signature = arguments.first else { return [] }
        var values = Array(arguments.dropFirst())
        var result: [String] = []
        for code in signature {
            let value = values.removeFirst()
            switch code {
            case "s": result.append("\"\(value)\"")
            case "v":
                result.append("<@\(value) \(value == "s" ? "\"\(values.removeFirst())\"" : values.removeFirst())>")
            default: result.append("@\(code) \(value)")
            }
        }
        return result
    }

    @Test("A property that was set is read back", .needs(.program("busctl")))
    func setProperty() throws {
        let service = try ExampleService(bus: PrivateBus())
        let set = try service.busctl([
            "set-property", "org.example.Service", "/org/example", "org.example.Thing1", "Size", "d", "2.5",
        ])
        #expect(set.status == 0, "\(set.errors)")
        #expect(service.size == 2.5)
        let get = try service.busctl([
            "get-property", "org.example.Service", "/org/example", "org.example.Thing1", "Size",
        ])
        #expect(get.output == "d 2.5\n")
    }

    @Test(
        "busctl sees the tree without what is hidden, and the members with their values",
        .needs(.program("busctl")))
    func introspection() throws {
        let service = try ExampleService(bus: PrivateBus())
        let tree = try service.busctl(["tree", "--list", "org.example.Service"])
        #expect(
            tree.output.split(separator: "\n") == [
                "/", "/org", "/org/example", "/org/example/things", "/org/example/things/a",
            ])
        let members = try service.busctl(["introspect", "org.example.Service", "/org/example", "org.example.Thing1"])
        let lines = members.output.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(lines.contains(".Add method ii i -"))
        #expect(lines.contains(".Size property d 1.5 emits-change writable"))
        #expect(lines.contains(".Owner property u \(getuid()) const"))
        #expect(lines.contains(".Done signal s - -"))
        let xml = try service.busctl(["introspect", "--xml-interface", "org.example.Service", "/org/example"])
        #expect(xml.output.contains(ExampleService.description.xml))
    }
}
