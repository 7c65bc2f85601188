import EventLoop
import MessageBus
import TestSupport
import Testing

/// The signals of the standard interfaces, and descriptions themselves.
@Suite struct ObjectSignalTests {
    private func object(_ description: InterfaceDescription, _ path: ObjectPath) -> ExportedObject {
        let exported = ExportedInterface(description)
        for property in description.properties {
            exported.property(property.name) { caller in .double(caller == nil ? 1 : 2) }
        }
        return ExportedObject(path: path, interfaces: [exported])
    }

    private static let description = InterfaceDescription.embedded(
        """
        <interface name="org.example.P1">
          <property name="Told" type="d" access="read"/>
          <property name="Named" type="d" access="read">
            <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="invalidates"/></property>
          <property name="Fixed" type="d" access="read">
            <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/></property>
          <property name="Silent" type="d" access="read">
            <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/></property>
        </interface>
        """)

    @Test("PropertiesChanged carries values or names as the annotations say, and never silent properties")
    func propertiesChanged() throws {
        let bus = try PrivateBus()
        let connection = try BusConnection(.address(bus.address), loop: EventLoop())
        let dispatcher = ObjectDispatcher(connection: connection, managerPath: "/org")
        let thing = object(Self.description, "/org/x")
        let all = ["Told", "Named", "Fixed", "Silent", "Unknown"]
        let message = try #require(dispatcher.propertiesChangedMessage(thing, "org.example.P1", all, to: nil))
        #expect(message.destination == nil && message.path == "/org/x" && message.member == "PropertiesChanged")
        #expect(
            try message.values() == [
                .string("org.example.P1"), .dictionary(["Told": .double(1)]), .strings(["Named"]),
            ])
        let caller = BusCaller(uniqueName: ":1.7", credentials: BusCredentials(userID: 1, processID: 2))
        let unicast = try #require(dispatcher.propertiesChangedMessage(thing, "org.example.P1", ["Told"], to: caller))
        #expect(unicast.destination == ":1.7")
        #expect(try unicast.values()[1] == .dictionary(["Told": .double(2)]))
        #expect(dispatcher.propertiesChangedMessage(thing, "org.example.P1", ["Fixed", "Silent"], to: nil) == nil)
        #expect(dispatcher.propertiesChangedMessage(thing, "org.example.Other1", ["Told"], to: nil) == nil)
        #expect(!dispatcher.propertiesChanged(thing, "org.example.P1", [], to: nil))
    }

    @Test("InterfacesAdded and InterfacesRemoved come from the object manager")
    func interfaces() throws {
        let bus = try PrivateBus()
        let connection = try BusConnection(.address(bus.address), loop: EventLoop())
        let dispatcher = ObjectDispatcher(connection: connection, managerPath: "/org")
        let thing = object(Self.description, "/org/x")
        let caller = BusCaller(uniqueName: ":1.7", credentials: BusCredentials(userID: 1, processID: 2))
        let added = try #require(dispatcher.interfacesAddedMessage(thing, to: caller))
        #expect(added.path == "/org" && added.destination == ":1.7" && added.signature == "oa{sa{sv}}")
        let removed = try #require(dispatcher.interfacesRemovedMessage(thing, to: nil))
        #expect(try removed.values() == [.objectPath("/org/x"), .strings(["org.example.P1"])])
        #expect(removed.destination == nil)
        #expect(dispatcher.interfacesAddedMessage(object(Self.description, "/org"), to: nil) == nil)
        #expect(dispatcher.interfacesAddedMessage(object(Self.description, "/other"), to: nil) == nil)
    }

    @Test("A path that is declared a container can be introspected while it is empty", .needs(.program("busctl")))
    func containers() throws {
        let service = try ExampleService(bus: PrivateBus())
        let before = try service.busctl(["introspect", "--xml-interface", "org.example.Service", "/org/example/empty"])
        #expect(before.status != 0)
        service.dispatcher.containerPaths = ["/org/example/empty"]
        let after = try service.busctl(["introspect", "--xml-interface", "org.example.Service", "/org/example/empty"])
        #expect(after.status == 0 && after.output.contains("<node>"))
        let parent = try service.busctl(["introspect", "--xml-interface", "org.example.Service", "/org/example"])
        #expect(parent.output.contains("<node name=\"empty\"/>"))
    }

    @Test("A description says what the XML says")
    func parsing() throws {
        let interfaces = try InterfaceDescription.parse(
            """
            <?xml version="1.0"?>
            <!DOCTYPE node PUBLIC "-//x" 'http://x'>
            <node name='/x'><!-- <interface name="no.such"/> -->
             <interface name="a.b" >
              <method name="M"><arg type="s" name='one'/><arg type="ai" direction="out" name="two" /></method>
              <method name = 'N' />
              <signal name="S"><arg type="(dd)"/></signal>
              <property name="P" type="v" access="readwrite"></property>
              <annotation name="x" value="&lt;&amp;&gt;&quot;&apos;"/>
             </interface>
             <interface name="c.d"/>
            </node>
            """)
        #expect(interfaces.map(\.name) == ["a.b", "c.d"])
        let first = interfaces[0]
        #expect(first.method("M")?.inputSignature == "s" && first.method("M")?.outputSignature == "ai")
        #expect(first.method("M")?.declaration == "M(s one)")
        #expect(first.method("N")?.inputs.isEmpty == true)
        #expect(first.signal("S")?.signature == "(dd)")
        #expect(first.property("P")?.isWritable == true && first.property("P")?.change == .carriesValue)
        #expect(first.xml.hasPrefix("<interface name=\"a.b\" >") && first.xml.hasSuffix("</interface>"))
        #expect(interfaces[1].xml == "<interface name=\"c.d\"/>")
    }

    @Test(
        "Malformed introspection data is refused with its line",
        arguments: [
            ("<interface/>", "'name'"), ("<interface name=\"a.b\">", "not closed"),
            ("<interface name=\"a.b\">\n<interface name=\"c.d\">", "line 2"),
            ("<interface name=\"a.b\"><method/></interface>", "'name'"),
            ("<interface name=\"a.b\"><property name=\"P\" type=\"zz\" access=\"read\"/></interface>", "'zz'"),
            ("<interface name=\"a.b\"><property name=\"P\" type=\"dd\" access=\"read\"/></interface>", "'dd'"),
            ("<interface name=\"a.b\"><property name=\"P\" type=\"d\" access=\"maybe\"/></interface>", "'maybe'"),
            ("<interface name=\"a.b\"><arg type=\"s\"/></interface>", "outside"),
            ("<interface name=a.b>", "not quoted"), ("<interface name=\"a.b>", "not closed"), ("<!-- ", "missing"),
            ("< >", "without a name"), ("<a b>", "malformed"), ("<a", "malformed"),
        ])
    func malformed(xml: String, text: String) {
        let error = #expect(throws: BusError.self) { try InterfaceDescription.parse(xml) }
        #expect(error?.text.contains(text) == true, "\(error?.text ?? "")")
    }
}
