/// The interfaces of the D-Bus specification that every object has ("Standard Interfaces").
enum StandardInterface: String, CaseIterable {
    case introspectable = "org.freedesktop.DBus.Introspectable"
    case properties = "org.freedesktop.DBus.Properties"
    case objectManager = "org.freedesktop.DBus.ObjectManager"
    case peer = "org.freedesktop.DBus.Peer"

    var description: InterfaceDescription {
        switch self {
        case .introspectable: Self.introspectableDescription
        case .properties: Self.propertiesDescription
        case .objectManager: Self.objectManagerDescription
        case .peer: Self.peerDescription
        }
    }

    private static let introspectableDescription = InterfaceDescription.embedded(
        """
        <interface name="org.freedesktop.DBus.Introspectable">
            <method name="Introspect">
              <arg name="xml_data" type="s" direction="out"/>
            </method>
          </interface>
        """)

    private static let propertiesDescription = InterfaceDescription.embedded(
        """
        <interface name="org.freedesktop.DBus.Properties">
            <method name="Get">
              <arg name="interface_name" type="s" direction="in"/>
              <arg name="property_name" type="s" direction="in"/>
              <arg name="value" type="v" direction="out"/>
            </method>
            <method name="GetAll">
              <arg name="interface_name" type="s" direction="in"/>
              <arg name="properties" type="a{sv}" direction="out"/>
            </method>
            <method name="Set">
              <arg name="interface_name" type="s" direction="in"/>
              <arg name="property_name" type="s" direction="in"/>
              <arg name="value" type="v" direction="in"/>
            </method>
            <signal name="PropertiesChanged">
              <arg name="interface_name" type="s"/>
              <arg name="changed_properties" type="a{sv}"/>
              <arg name="invalidated_properties" type="as"/>
            </signal>
          </interface>
        """)

    private static let objectManagerDescription = InterfaceDescription.embedded(
        """
        <interface name="org.freedesktop.DBus.ObjectManager">
            <method name="GetManagedObjects">
              <arg name="objects" type="a{oa{sa{sv}}}" direction="out"/>
            </method>
            <signal name="InterfacesAdded">
              <arg name="object_path" type="o"/>
              <arg name="interfaces_and_properties" type="a{sa{sv}}"/>
            </signal>
            <signal name="InterfacesRemoved">
              <arg name="object_path" type="o"/>
              <arg name="interfaces" type="as"/>
            </signal>
          </interface>
        """)

    private static let peerDescription = InterfaceDescription.embedded(
        """
        <interface name="org.freedesktop.DBus.Peer">
            <method name="Ping"/>
            <method name="GetMachineId">
              <arg name="machine_uuid" type="s" direction="out"/>
            </method>
          </interface>
        """)
}
