// Written by scripts/embed-interfaces from dbus/org.locateme.Visits1.xml.
extension InterfaceXML {
    static let visits1 = #"""
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
          <interface name="org.locateme.Visits1">
            <!--
              Tells where the device stays, at a session: five minutes within 150 m make a visit. Needs the permission to know
              exact places. Goes on after the session if the application has an AppId.
            -->

            <!-- Starts. Idempotent. Errors: org.locateme.Error.Denied, ServicesDisabled. -->
            <method name="Start"/>

            <!-- Stops, and forgets that it was to go on. Idempotent. -->
            <method name="Stop"/>

            <!--
              A visit was found (its departure is unknown then), or has ended.

              seq:       running number of the application's events; acknowledge it with Session1.AckEvents
              arrival:   UTC in µs since 1970; the least number of the type: unknown, it began before anybody looked
              departure: likewise; the greatest number of the type: it lasts
              latitude, longitude: its place in degrees
              accuracy:  of the place in m, 68 %
              details:   none yet
            -->
            <signal name="Visit">
              <arg name="seq" type="t"/>
              <arg name="arrival" type="x"/>
              <arg name="departure" type="x"/>
              <arg name="latitude" type="d"/>
              <arg name="longitude" type="d"/>
              <arg name="accuracy" type="d"/>
              <arg name="details" type="a{sv}"/>
            </signal>
          </interface>
        </node>
        """#
}
