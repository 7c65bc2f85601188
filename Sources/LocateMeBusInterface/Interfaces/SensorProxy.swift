// Written by scripts/embed-interfaces from dbus/net.hadess.SensorProxy.xml.
extension InterfaceXML {
    static let sensorProxy = #"""
        <!DOCTYPE node PUBLIC "-//freedesktop//DTD D-BUS Object Introspection 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/introspect.dtd">
        <node>
          <interface name="net.hadess.SensorProxy">
            <!--
              Accelerometer, light and proximity for desktops, at /net/hadess/SensorProxy, as iio-sensor-proxy 3 offers them; only
              with "sensor-proxy = yes". Changes are told by PropertiesChanged, to those alone who have claimed the sensor.
              A claim belongs to the caller's connection: it ends with Release or with the connection, and it outlives unplugging and
              suspend. It is answered with the first reading, after 2 s at the latest.
            -->

            <!-- Claims the accelerometer; again: no change. -->
            <method name="ClaimAccelerometer"/>

            <!-- Ends the claim, however often it was made; without one: no change. -->
            <method name="ReleaseAccelerometer"/>

            <!-- Claims the light sensor. -->
            <method name="ClaimLight"/>

            <!-- Ends that claim. -->
            <method name="ReleaseLight"/>

            <!-- Claims the proximity sensor. -->
            <method name="ClaimProximity"/>

            <!-- Ends that claim. -->
            <method name="ReleaseProximity"/>

            <!-- True if there is an accelerometer. -->
            <property name="HasAccelerometer" type="b" access="read"/>

            <!-- Which edge is up: "undefined", "normal", "bottom-up", "left-up", "right-up". -->
            <property name="AccelerometerOrientation" type="s" access="read"/>

            <!-- "undefined", "vertical", "tilted-up", "tilted-down", "face-up", "face-down". -->
            <property name="AccelerometerTilt" type="s" access="read"/>

            <!-- True if there is a light sensor. -->
            <property name="HasAmbientLight" type="b" access="read"/>

            <!-- "lux", or "vendor" if only its maker knows the unit of LightLevel. -->
            <property name="LightLevelUnit" type="s" access="read"/>

            <!-- The light now; 0 until there is a reading. -->
            <property name="LightLevel" type="d" access="read"/>

            <!-- True if there is a proximity sensor. -->
            <property name="HasProximity" type="b" access="read"/>

            <!-- True while something is close before the screen. -->
            <property name="ProximityNear" type="b" access="read"/>
          </interface>
        </node>
        """#
}
