// Written by scripts/embed-interfaces from dbus/org.locateme.Location1.xml.
extension InterfaceXML {
    static let location1 = #"""
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
          <interface name="org.locateme.Location1">
            <!--
              Places, at a session. Needs location permission.

              Type Fix = (txtddddddddddua{sv}):
                t sequence number, x UTC in µs since 1970, t boot time in µs,
                d latitude °, d longitude °, d horizontal accuracy m (68 %; < 0: invalid),
                d altitude above sea level m, d altitude above the ellipsoid m, d vertical accuracy m (< 0: both invalid),
                d course ° true [0, 360) (< 0: invalid), d course accuracy ° (< 0: unknown),
                d speed m/s (< 0: invalid), d speed accuracy m/s (< 0: unknown),
                u flags: 1 simulated, 2 dead reckoned, 4 map matched, 8 reduced, 16 cached, 32 best available, 64 static,
                  128 time repaired, 256 accessory, 512 clock unsure
                a{sv}: Source s, Satellites u, Hdop d, Confidence d, Floor i, Battery d, AlongRoute d, OffRoute d
            -->

            <!-- Starts updates. Idempotent. Errors: org.locateme.Error.Denied, ServicesDisabled. -->
            <method name="Start"/>

            <!-- Stops updates. Idempotent. -->
            <method name="Stop"/>

            <!--
              One place, without Start. Answers when there is one; raise the time-out of the call.

              accuracy:       wanted horizontal accuracy in m; <= 0: any, so the first place that is young enough
              timeout_ms:     when to give up: then the best so far with the flag "best available", or the error
                              org.locateme.Error.LocationUnknown
              maximum_age_ms: an older known place will do
            -->
            <method name="RequestLocation">
              <arg name="accuracy" type="d" direction="in"/>
              <arg name="timeout_ms" type="u" direction="in"/>
              <arg name="maximum_age_ms" type="u" direction="in"/>
              <arg name="fix" type="(txtddddddddddua{sv})" direction="out"/>
            </method>

            <!-- The last known place at once. maximum_age_ms: 0: of any age. Error: org.locateme.Error.LocationUnknown. -->
            <method name="GetLastKnown">
              <arg name="maximum_age_ms" type="u" direction="in"/>
              <arg name="fix" type="(txtddddddddddua{sv})" direction="out"/>
            </method>

            <!-- Delivers at once what is being kept for a batch. delivered: so many. -->
            <method name="Flush">
              <arg name="delivered" type="u" direction="out"/>
            </method>

            <!-- Wanted accuracy in m; -1 best (default), -2 best for navigation. -->
            <property name="DesiredAccuracy" type="d" access="readwrite"/>

            <!-- Distance in m that the place must move before it is told again; -1: every place (default). -->
            <property name="DistanceFilter" type="d" access="readwrite"/>

            <!-- True: the distance must be certain in spite of the places' accuracy. Default false. -->
            <property name="ConfirmedDistance" type="b" access="readwrite"/>

            <!-- Worst horizontal accuracy in m that is told; 0: any (default). -->
            <property name="RequiredAccuracy" type="d" access="readwrite"/>

            <!-- Milliseconds after which a worse place is told all the same. Default 10000. -->
            <property name="AcceptTimeout" type="u" access="readwrite"/>

            <!-- Number of refused places after which a worse place is told all the same. Default 10. -->
            <property name="AcceptTries" type="u" access="readwrite"/>

            <!-- Least time between updates in ms. Default 0. -->
            <property name="MinimumInterval" type="u" access="readwrite"/>

            <!-- Time in ms that places may be kept to be told together. Default 0: never kept. -->
            <property name="MaximumDelay" type="u" access="readwrite"/>

            <!-- Greatest age of the first place in ms. Default 30000. -->
            <property name="MaximumAge" type="u" access="readwrite"/>

            <!-- 1 other (default), 2 automotive, 3 fitness, 4 other navigation, 5 airborne. -->
            <property name="ActivityType" type="u" access="readwrite"/>

            <!-- True: updates pause while the device stands still for long. Default true. -->
            <property name="PausesAutomatically" type="b" access="readwrite"/>

            <!-- 0 stopped, 1 running, 2 paused, 3 stationary, 4 lost. -->
            <property name="Mode" type="u" access="read"/>

            <!-- Sets several properties at once: tracker, walk, vehicle, highway, dispatcher, navigation; "" after other
                 changes. -->
            <property name="Preset" type="s" access="readwrite"/>

            <!-- New places, the newest last. -->
            <signal name="LocationsUpdated">
              <arg name="fixes" type="a(txtddddddddddua{sv})"/>
            </signal>

            <!--
              The property Mode has changed.

              mode:   as the property
              reason: 0 unknown, 1 by call, 2 no fix, 3 fix again, 4 standing still, 5 moving, 6 source failed, 7 permission,
                      8 power or background
            -->
            <signal name="ModeChanged">
              <arg name="mode" type="u"/>
              <arg name="reason" type="u"/>
            </signal>
          </interface>
        </node>
        """#
}
