// Written by scripts/embed-interfaces from dbus/org.locateme.Session1.xml.
extension InterfaceXML {
    static let session1 = #"""
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
          <interface name="org.locateme.Session1">
            <!--
              A client's session, at /org/locateme/session/ID. Only the connection that has created it may use it; all others
              are answered with AccessDenied, whether it exists or not. All signals go to its owner alone.
            -->

            <!-- Ends the session: its sensors and sources are released. -->
            <method name="Close"/>

            <!-- Tells whether the application is in the foreground. state: 1 foreground, 2 background. -->
            <method name="SetForeground">
              <arg name="state" type="u" direction="in"/>
            </method>

            <!--
              Drops queued events that the application has dealt with.

              up_to:     sequence number of the last of them
              remaining: events still queued
            -->
            <method name="AckEvents">
              <arg name="up_to" type="t" direction="in"/>
              <arg name="remaining" type="u" direction="out"/>
            </method>

            <!--
              Events that were queued for the application: sequence number, kind (1 region, 2 significant change, 4 visit),
              details.

              after: only events with a greater sequence number
              limit: at most so many
            -->
            <method name="PendingEvents">
              <arg name="after" type="t" direction="in"/>
              <arg name="limit" type="u" direction="in"/>
              <arg name="events" type="a(tua{sv})" direction="out"/>
            </method>

            <!-- Counters of the session, all of type t: what was received, delivered, filtered, and dropped by reason. -->
            <method name="Statistics">
              <arg name="counters" type="a{sv}" direction="out"/>
            </method>

            <!-- Desktop file id of the application, "" if unknown. -->
            <property name="AppId" type="s" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/>
            </property>

            <!-- Location permission: 0 not determined, 1 restricted, 2 denied, 3 always, 4 when in use. -->
            <property name="Authorization" type="u" access="read"/>

            <!-- Accuracy that is permitted: 0 none, 1 reduced, 2 full. -->
            <property name="AccuracyAuthorization" type="u" access="read"/>

            <!-- What the session gets in the background: 0 full, 1 reduced rate, 2 significant changes only, 3 paused. -->
            <property name="Background" type="u" access="read"/>

            <!--
              Something has failed that no call is waiting for.

              name:    an error name, such as org.locateme.Error.LocationUnknown
              message: what happened and what to do
              details: depend on the error
            -->
            <signal name="Error">
              <arg name="name" type="s"/>
              <arg name="message" type="s"/>
              <arg name="details" type="a{sv}"/>
            </signal>

            <!-- The session is gone. reason: 1 closed by its owner, 2 permission withdrawn, 3 the service stops. -->
            <signal name="Closed">
              <arg name="reason" type="u"/>
            </signal>
          </interface>
        </node>
        """#
}
