// Written by scripts/embed-interfaces from dbus/org.locateme.Pose1.xml.
extension InterfaceXML {
    static let pose1 = #"""
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
          <interface name="org.locateme.Pose1">
            <!--
              Place and heading together, at a session. Permissions, filters and types are those of Location1 and Heading1.
            -->

            <!-- Starts updates; as Location1.Start and Heading1.Start, with their filters. Idempotent. -->
            <method name="Start"/>

            <!-- Stops updates. Idempotent. -->
            <method name="Stop"/>

            <!--
              Place and heading once, without Start. Answers at once if both are known and young enough; else as soon as they
              are, and after 5 s with what has come by then. What this machine has no source of is not waited for.

              maximum_age_ms: what is older does not count; 0: of any age
              valid:          1 the fix is valid, 2 the heading is valid, 3 both
            -->
            <method name="Get">
              <arg name="maximum_age_ms" type="u" direction="in"/>
              <arg name="valid" type="u" direction="out"/>
              <arg name="fix" type="(txtddddddddddua{sv})" direction="out"/>
              <arg name="heading" type="(xtdddddduua{sv})" direction="out"/>
            </method>

            <!-- True between Start and Stop. -->
            <property name="Running" type="b" access="read"/>

            <!--
              A new place, a new heading, or both; each update carries both.

              changed: 1 location, 2 heading, 3 both
              valid:   1 the fix is valid, 2 the heading is valid, 3 both
            -->
            <signal name="PoseUpdated">
              <arg name="changed" type="u"/>
              <arg name="valid" type="u"/>
              <arg name="fix" type="(txtddddddddddua{sv})"/>
              <arg name="heading" type="(xtdddddduua{sv})"/>
            </signal>
          </interface>
        </node>
        """#
}
