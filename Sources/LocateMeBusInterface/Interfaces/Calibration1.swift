// Written by scripts/embed-interfaces from dbus/org.locateme.Calibration1.xml.
extension InterfaceXML {
    static let calibration1 = #"""
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
          <interface name="org.locateme.Calibration1">
            <!--
              Calibration of the magnetometer, at /org/locateme/compass. Everybody may read it; the rest needs the right to
              calibrate. Everyday use calibrates by itself; a guided run is faster.
            -->

            <!--
              Begins a guided run. The caller owns it; it ends with Apply, Cancel, the time-out, or when the caller leaves the
              bus.

              options:
                Method    s  figure-eight (default): turn the device in all directions; flat-turn: one turn on the level, for
                             boats and vehicles
                TimeoutMs u  default 120000
            -->
            <method name="Begin">
              <arg name="options" type="a{sv}" direction="in"/>
            </method>

            <!-- Ends the caller's run without effect. -->
            <method name="Cancel"/>

            <!--
              Puts the result of the caller's run in force and stores it.

              result: as Get, and for pictures
                Cloud      ad    µT, the raw samples: x, y and z of each in turn, at most 400 of them
              Error: org.locateme.Error.NotCalibrated with the reason, if the run has not converged.
            -->
            <method name="Apply">
              <arg name="result" type="a{sv}" direction="out"/>
            </method>

            <!-- Forgets the stored calibration. -->
            <method name="Reset"/>

            <!--
              The calibration in force. Keys that are unknown are left out.

                HardIron     (ddd) µT
                SoftIron     ad    9 numbers, row by row: calibrated = SoftIron · raw - HardIron
                Field        d     µT, field strength of the fit
                Residual     d     µT, root mean square
                HeadingError d     °
                Coverage     d     share of the sphere, 0 to 1
                Samples      u
                CreatedAt    x     UTC in µs since 1970
                AgeSeconds   u
                Temperature  d     °C
                Source       s     online, guided, factory, imported
            -->
            <method name="Get">
              <arg name="calibration" type="a{sv}" direction="out"/>
            </method>

            <!--
              Puts a calibration in force and stores it.

              calibration: HardIron and SoftIron as Get gives them, the other keys as far as known
              Error: InvalidArgs if it is not finite, not near the identity, or belongs to no sane field.
            -->
            <method name="Import">
              <arg name="calibration" type="a{sv}" direction="in"/>
            </method>

            <!-- 0 none, 1 needed, 2 collecting, 3 ready to apply, 4 applied, 5 failed. -->
            <property name="State" type="u" access="read"/>

            <!-- 0 unknown, 1 uncalibrated, 2 coarse, 3 good, 4 very good. -->
            <property name="Quality" type="u" access="read"/>

            <!--
              Why a calibration is needed: never-calibrated, field-mismatch, dip-mismatch, residual, age, new-device,
              temperature, user; "" if none is.
            -->
            <property name="Reason" type="s" access="read"/>

            <!--
              How the run proceeds, to the caller of Begin alone.

              coverage: 0 to 1
              bins:     coverage of each part of the sphere, 0 to 1, for pictures
              residual: µT
              samples:  used so far
              hint:     what to do next, in words
            -->
            <signal name="Progress">
              <arg name="coverage" type="d"/>
              <arg name="bins" type="ad"/>
              <arg name="residual" type="d"/>
              <arg name="samples" type="u"/>
              <arg name="hint" type="s"/>
            </signal>
          </interface>
        </node>
        """#
}
