// Written by scripts/embed-interfaces from dbus/org.locateme.Compass1.xml.
extension InterfaceXML {
    static let compass1 = #"""
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
          <interface name="org.locateme.Compass1">
            <!-- The compass hardware, at /org/locateme/compass, for tools and the curious. Headings come from a session. -->

            <!--
              All sensors that were found, used or not. One dictionary each:

                Id           s   stable name, as in the properties below
                Kind         s   magnetometer, accelerometer, gyroscope, hubHeading
                Name         s   name of the chip or driver as IIO gives it
                Driver       s   kernel driver, "" if unknown
                Path         s   sysfs path or context URI
                Label        s   IIO label, "" if none
                Location     s   IIO location, "" if none
                MountMatrix  ad  9 numbers, row by row: chip to device frame
                MatrixSource s   override, the attribute's name, or identity
                Rates        ad  offered rates in Hz
                Buffered     b   true if samples come through a buffer, false if they are polled
                Triggers     as  usable triggers
                Scale        ad  3 numbers: counts to µT, m/s² or rad/s
                Selected     b   true if it is used
                Reason       s   why it is used, or why not
            -->
            <method name="ListSensors">
              <arg name="sensors" type="aa{sv}" direction="out"/>
            </method>

            <!--
              What is wrong with the sensors and what to do about it. One dictionary each:

                Code     s  stable name for programs
                Severity s  info, warning, error
                Sensor   s  Id of the sensor, "" if it concerns none
                Text     s  what was found
                Remedy   s  what to do
            -->
            <method name="Diagnose">
              <arg name="findings" type="aa{sv}" direction="out"/>
            </method>

            <!-- Id of the magnetometer in use, "" if there is none. -->
            <property name="Magnetometer" type="s" access="read"/>

            <!-- Id of the accelerometer in use, "" if there is none. -->
            <property name="Accelerometer" type="s" access="read"/>

            <!-- Id of the gyroscope in use, "" if there is none. -->
            <property name="Gyroscope" type="s" access="read"/>

            <!--
              How the heading is made: fused-9 (magnetometer, accelerometer, gyroscope), fused-6, tilt (magnetometer and
              accelerometer), flat (magnetometer alone, device held level), hub (computed by the hardware), none.
            -->
            <property name="Fusion" type="s" access="read"/>

            <!-- Rate of the magnetometer in Hz; 0 while it is off. -->
            <property name="Rate" type="d" access="read"/>

            <!--
              Declination in degrees, east positive, to use in place of the magnetic model; NaN: use the model. Setting it
              needs the right to manage the service.
            -->
            <property name="DeclinationOverride" type="d" access="readwrite"/>

            <!-- The magnetic model in use, such as "WMM-2025". -->
            <property name="MagneticModel" type="s" access="read">
              <annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/>
            </property>

            <!-- True if the present date lies outside of the model's years. -->
            <property name="MagneticModelExpired" type="b" access="read"/>
          </interface>
        </node>
        """#
}
