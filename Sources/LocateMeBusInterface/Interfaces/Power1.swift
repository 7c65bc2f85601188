// Written by scripts/embed-interfaces from dbus/org.locateme.Power1.xml.
extension InterfaceXML {
    static let power1 = #"""
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
          <interface name="org.locateme.Power1">
            <!--
              What feeds the machine and what applications get for it in the background, at /org/locateme/power.

              Keys of a policy:
                BackgroundMode u  1 standard: everything on mains, significant changes on battery, nothing on a low battery;
                                  2 foreground only; 3 always, each 10 s on a low battery; 4 periodic: each 900 s, each 1800 s on
                                  a low battery. 0 in SetPolicy: the standard
                OnBattery      u  in the background on battery in place of that: 0 as above, 1 everything, 2 each 60 s,
                                  3 significant changes only, 4 nothing
                LowBattery     u  likewise on a low battery
                Wake, Notify, Geocode b  may be started, may notify, may look up addresses in the background
            -->

            <!--
              The policy of an application of the caller's user. One's own: an application with a session of the caller; others
              need the polkit action org.locateme.manage.
            -->
            <method name="GetPolicy">
              <arg name="app_id" type="s" direction="in"/>
              <arg name="policy" type="a{sv}" direction="out"/>
            </method>

            <!--
              Sets it, in place of the one before. An application may give itself less than it has; all else needs
              org.locateme.manage. Root sets it for all users.
            -->
            <method name="SetPolicy">
              <arg name="app_id" type="s" direction="in"/>
              <arg name="policy" type="a{sv}" direction="in"/>
            </method>

            <!-- 1 external, also without a battery; 2 battery, also while power is saved; 3 battery at 20 % or less. -->
            <property name="PowerState" type="u" access="read"/>

            <!-- The power profile that the user chose, such as "balanced"; "" if there are none. -->
            <property name="Profile" type="s" access="read"/>
          </interface>
        </node>
        """#
}
