// Written by scripts/embed-interfaces from dbus/net.hadess.SensorProxy.Compass.xml.
extension InterfaceXML {
    static let sensorProxyCompass = #"""
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
          <interface name="net.hadess.SensorProxy.Compass">
            <!--
              The magnetic heading of the device's top edge for programs that know iio-sensor-proxy, at
              /net/hadess/SensorProxy/Compass; claims as in net.hadess.SensorProxy. Programs that want to know how good a heading
              is, or true north, use org.locateme.
            -->

            <!-- Claims the compass; answered with the first valid heading, after 2 s at the latest. -->
            <method name="ClaimCompass"/>

            <!-- Ends the claim. -->
            <method name="ReleaseCompass"/>

            <!-- True if there is a sensor that a heading can be made from. -->
            <property name="HasCompass" type="b" access="read"/>

            <!-- Degrees clockwise from magnetic north, [0, 360), in steps of 0.1; -1: none that can be trusted. -->
            <property name="CompassHeading" type="d" access="read"/>
          </interface>
        </node>
        """#
}
