// Written by scripts/embed-interfaces from dbus/org.locateme.Manager1.xml.
extension InterfaceXML {
    static let manager1 = #"""
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
          <interface name="org.locateme.Manager1">
            <!--
              The way in, at /org/locateme: opens sessions, and tells what this machine can do.

              Nothing that carries a place or a heading is ever broadcast: updates are signals to the owner of a session
              alone. Enumerations are unsigned with 0 for unknown; keys of dictionaries that a reader does not know are to be
              ignored.
            -->

            <!--
              Opens a session: an object that only the caller may use, and that lives until Close or until the caller leaves
              the bus. It implements Session1, Location1, Heading1, Pose1, SignificantChange1 and Visits1.

              options:
                Reason   s  what the application needs it for, shown to the user; required, 1 to 200 bytes
                AppId    s  desktop file id of the application, without ".desktop"
                WakeName s  well-known name by which the application can be started
                WakePath o  object there that implements WakeTarget1
                Preset   s  start values: tracker, walk, vehicle, highway, dispatcher, navigation
              session: path of the session.

              Errors: InvalidArgs (names the option), LimitsExceeded (16 sessions per connection, 64 per user).
            -->
            <method name="CreateSession">
              <arg name="options" type="a{sv}" direction="in"/>
              <arg name="session" type="o" direction="out"/>
            </method>

            <!--
              Asks for permission to learn places. Magnetic heading needs none. Answers when it is decided; raise the
              time-out of the call.

              level:    1 when in use, 2 always
              accuracy: 1 reduced, 2 full
              reason:   shown to the user
              options:  none yet
              status:   0 not determined, 1 restricted, 2 denied, 3 always, 4 when in use
              granted_accuracy: 0 none, 1 reduced, 2 full

              Errors: org.locateme.Error.NoAgent (the user would have to be asked and cannot be), ServicesDisabled.
            -->
            <method name="RequestAuthorization">
              <arg name="level" type="u" direction="in"/>
              <arg name="accuracy" type="u" direction="in"/>
              <arg name="reason" type="s" direction="in"/>
              <arg name="options" type="a{sv}" direction="in"/>
              <arg name="status" type="u" direction="out"/>
              <arg name="granted_accuracy" type="u" direction="out"/>
            </method>

            <!-- Tells that a woken application has done what it was woken for. token: as given to WakeTarget1.Wake. -->
            <method name="CompleteWake">
              <arg name="token" type="s" direction="in"/>
            </method>

            <!--
              Registers the agent of a user's desktop session, one per user. It asks the user and wakes applications.

              path:         the caller's object that implements Agent1
              capabilities: 1 authorize, 2 notify, 4 calibration scene, 8 foreground, 16 session-bus wake
            -->
            <method name="RegisterAgent">
              <arg name="path" type="o" direction="in"/>
              <arg name="capabilities" type="u" direction="in"/>
            </method>

            <!-- Takes the caller's agent back. -->
            <method name="UnregisterAgent"/>

            <!-- Version of the service, such as "1.0.0". -->
            <property name="Version" type="s" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/>
            </property>

            <!-- Version of this interface: grows with additions. -->
            <property name="ApiVersion" type="u" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/>
            </property>

            <!-- False if the administrator has switched location off for everyone. -->
            <property name="LocationServicesEnabled" type="b" access="read"/>

            <!-- True if a source of places is configured or present. -->
            <property name="LocationAvailable" type="b" access="read"/>

            <!-- True if there is a magnetometer (or a hub that computes a heading). -->
            <property name="HeadingAvailable" type="b" access="read"/>

            <!-- True if significant changes can be reported. -->
            <property name="SignificantChangeAvailable" type="b" access="read"/>

            <!-- True if regions can be monitored. -->
            <property name="RegionMonitoringAvailable" type="b" access="read"/>

            <!-- True if addresses can be looked up. -->
            <property name="GeocodingAvailable" type="b" access="read"/>

            <!-- True while a session runs, for a privacy indicator. Does not tell whose. -->
            <property name="InUse" type="b" access="read"/>

            <!-- Largest radius of a region in metres; -1: regions are not available. -->
            <property name="MaximumRegionRadius" type="d" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/>
            </property>

            <!-- Regions that a client may monitor at a time. -->
            <property name="MaximumRegions" type="u" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/>
            </property>

            <!-- Names of what this service can do: "heading", "location", "pose", "calibration", … -->
            <property name="Capabilities" type="as" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/>
            </property>

            <!--
              Sources of places and sensor samples: id, kind, state.

              kind:  gpsd, geoclue, modemmanager, nmea, static, replay, simulated; iio-magn, iio-accel, iio-gyro, iio-rot
              state: 1 off, 2 starting, 3 ok, 4 lost, 5 failed
            -->
            <property name="Sources" type="a(ssu)" access="read"/>
          </interface>
        </node>
        """#
}
