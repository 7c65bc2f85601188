// Written by scripts/embed-interfaces from dbus/org.locateme.Heading1.xml.
extension InterfaceXML {
    static let heading1 = #"""
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
          <interface name="org.locateme.Heading1">
            <!--
              Headings, at a session. Magnetic heading needs no permission; the true heading is -1 without location permission.

              Type Heading = (xtdddddduua{sv}):
                x UTC in µs since 1970, t boot time in µs,
                d magnetic ° [0, 360), d true ° [0, 360) (< 0: invalid), d accuracy ° (< 0: invalid),
                d x, d y, d z: calibrated field in µT, device frame (x right edge, y top edge, z out of the screen),
                u orientation (1 portrait, 2 upside down, 3 landscape left, 4 landscape right),
                u calibration (0 unknown, 1 uncalibrated, 2 coarse, 3 good, 4 very good)
                a{sv}: Declination d ° (east positive), DeclinationAccuracy d °, Model s, FieldStrength d µT,
                  Inclination d ° (down positive), ExpectedField d µT, ExpectedInclination d °, Disturbed b, TurnRate d °/s,
                  Pitch d °, Roll d °, Source s (fused-9, fused-6, tilt, flat, hub)

              accuracy: the true heading error is within ± this value with 95 % probability. It counts calibration, noise,
              tilt, disturbance and, where the true heading is valid, declination.
            -->

            <!-- Starts updates. Idempotent. Error: org.locateme.Error.HeadingFailure (no magnetometer). -->
            <method name="Start"/>

            <!-- Stops updates. Idempotent. -->
            <method name="Stop"/>

            <!--
              One heading, without Start. Answers when there is one; raise the time-out of the call.

              maximum_age_ms: an older known heading will do; 0: the next one
            -->
            <method name="GetHeading">
              <arg name="maximum_age_ms" type="u" direction="in"/>
              <arg name="heading" type="(xtdddddduua{sv})" direction="out"/>
            </method>

            <!-- Answers CalibrationNeeded: the user does not want to calibrate now. -->
            <method name="DismissCalibration"/>

            <!-- Degrees that the heading must turn before it is told again; -1: every heading. Default 1. -->
            <property name="HeadingFilter" type="d" access="readwrite"/>

            <!-- The edge that counts as top: 1 portrait (default), 2 upside down, 3 landscape left, 4 landscape right. -->
            <property name="HeadingOrientation" type="u" access="readwrite"/>

            <!-- False: CalibrationNeeded is not sent. Default true. -->
            <property name="ShowCalibration" type="b" access="readwrite"/>

            <!-- True between Start and Stop. -->
            <property name="Running" type="b" access="read"/>

            <!-- A new heading. -->
            <signal name="HeadingUpdated">
              <arg name="heading" type="(xtdddddduua{sv})"/>
            </signal>

            <!--
              Turning the device in all directions would make the heading better. At most once per cause until it is resolved
              or dismissed.

              quality: calibration as in type Heading
              reason:  as Calibration1.Reason
            -->
            <signal name="CalibrationNeeded">
              <arg name="quality" type="u"/>
              <arg name="reason" type="s"/>
            </signal>

            <!-- The cause of CalibrationNeeded is gone. quality: calibration as in type Heading. -->
            <signal name="CalibrationResolved">
              <arg name="quality" type="u"/>
            </signal>

            <!-- No headings for now: the sensor is gone, silent or suspended. They go on by themselves. reason: in words. -->
            <signal name="HeadingLost">
              <arg name="reason" type="s"/>
            </signal>
          </interface>
        </node>
        """#
}
