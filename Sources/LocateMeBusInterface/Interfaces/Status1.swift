// Written by scripts/embed-interfaces from dbus/org.locateme.Status1.xml.
extension InterfaceXML {
    static let status1 = #"""
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
          <interface name="org.locateme.Status1">
            <!--
              The latest heading and place for a glance, at /org/locateme, say with "busctl introspect". Reading wakes nothing:
              while no session runs there is nothing to see. Never signals. Programs use a session.
            -->

            <!-- Degrees clockwise from magnetic north, [0, 360); -1: no session runs or nothing is valid. -->
            <property name="MagneticHeading" type="d" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
            </property>

            <!--
              Degrees clockwise from true north, [0, 360); -1 likewise, or if no place is known, or if the caller holds no
              location permission.
            -->
            <property name="TrueHeading" type="d" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
            </property>

            <!-- The heading is within ± so many degrees with 95 % probability; -1: invalid. -->
            <property name="HeadingAccuracy" type="d" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
            </property>

            <!-- When the heading was measured: microseconds since 1970-01-01 UTC; 0: none. -->
            <property name="HeadingTime" type="x" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
            </property>

            <!-- Degrees north; NaN unless the caller holds location permission and a place is known. -->
            <property name="Latitude" type="d" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
            </property>

            <!-- Degrees east; NaN unless the caller holds location permission and a place is known. -->
            <property name="Longitude" type="d" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
            </property>

            <!-- Metres, 68 %; -1 unless the caller holds location permission and a place is known. -->
            <property name="HorizontalAccuracy" type="d" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
            </property>

            <!-- When the place was determined: microseconds since 1970-01-01 UTC; 0: none. -->
            <property name="LocationTime" type="x" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="false"/>
            </property>
          </interface>
        </node>
        """#
}
