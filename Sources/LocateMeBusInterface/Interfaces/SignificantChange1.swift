// Written by scripts/embed-interfaces from dbus/org.locateme.SignificantChange1.xml.
extension InterfaceXML {
    static let significantChange1 = #"""
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
          <interface name="org.locateme.SignificantChange1">
            <!--
              Tells when the device is somewhere else, at a session. Cheap: the sources run now and then only. Filters and
              accuracies of Location1 play no part. Needs location permission.
            -->

            <!--
              Starts. The first event is a place that is known, if there is one. Idempotent.

              options:
                Persistent b  go on after the session and after a restart of the service (default true; needs an AppId); a new
                              session of the same application hears it, and Session1.PendingEvents tells what was missed
                Wake       b  start the application for an event (default false)

              Errors: org.locateme.Error.Denied, ServicesDisabled; NotSupported for Wake.
            -->
            <method name="Start">
              <arg name="options" type="a{sv}" direction="in"/>
            </method>

            <!-- Stops, and forgets that it was to go on. Idempotent. -->
            <method name="Stop"/>

            <!-- Metres that the device must have moved, in spite of the places' accuracy; default and least 500. -->
            <property name="Distance" type="d" access="readwrite"/>

            <!-- Least seconds between events. Default 300. -->
            <property name="MinimumInterval" type="u" access="readwrite"/>

            <!-- True between Start and Stop. -->
            <property name="Running" type="b" access="read"/>

            <!--
              The device is somewhere else. Be prepared for one without a change.

              seq: running number of the application's events; acknowledge it with Session1.AckEvents
              fix: as in Location1
            -->
            <signal name="SignificantChange">
              <arg name="seq" type="t"/>
              <arg name="fix" type="(txtddddddddddua{sv})"/>
            </signal>
          </interface>
        </node>
        """#
}
