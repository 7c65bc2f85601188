public import MessageBus

/// The interface documents of `dbus/`, carried by the programs. Written by `scripts/embed-interfaces`.
enum InterfaceXML {}

/// The interfaces of the service, as `dbus/*.xml` describes them.
public enum LocateMeInterfaces {
    /// `org.locateme.Manager1`
    public static let manager1 = InterfaceDescription.embedded(InterfaceXML.manager1)
    /// `org.locateme.Status1`
    public static let status1 = InterfaceDescription.embedded(InterfaceXML.status1)
    /// `org.locateme.Compass1`
    public static let compass1 = InterfaceDescription.embedded(InterfaceXML.compass1)
    /// `org.locateme.Calibration1`
    public static let calibration1 = InterfaceDescription.embedded(InterfaceXML.calibration1)
    /// `org.locateme.Session1`
    public static let session1 = InterfaceDescription.embedded(InterfaceXML.session1)
    /// `org.locateme.Location1`
    public static let location1 = InterfaceDescription.embedded(InterfaceXML.location1)
    /// `org.locateme.Heading1`
    public static let heading1 = InterfaceDescription.embedded(InterfaceXML.heading1)
    /// `org.locateme.Pose1`
    public static let pose1 = InterfaceDescription.embedded(InterfaceXML.pose1)
    /// `org.locateme.SignificantChange1`
    public static let significantChange1 = InterfaceDescription.embedded(InterfaceXML.significantChange1)
    /// `org.locateme.Visits1`
    public static let visits1 = InterfaceDescription.embedded(InterfaceXML.visits1)
    /// `org.locateme.Power1`
    public static let power1 = InterfaceDescription.embedded(InterfaceXML.power1)

    /// `net.hadess.SensorProxy`, for programs that know iio-sensor-proxy.
    public static let sensorProxy = InterfaceDescription.embedded(InterfaceXML.sensorProxy)
    /// `net.hadess.SensorProxy.Compass`
    public static let sensorProxyCompass = InterfaceDescription.embedded(InterfaceXML.sensorProxyCompass)

    /// All of them with their documents, for tests and tools.
    public static var documents: [(interface: InterfaceDescription, xml: String)] {
        [
            (manager1, InterfaceXML.manager1), (status1, InterfaceXML.status1), (compass1, InterfaceXML.compass1),
            (calibration1, InterfaceXML.calibration1), (session1, InterfaceXML.session1),
            (location1, InterfaceXML.location1), (heading1, InterfaceXML.heading1), (pose1, InterfaceXML.pose1),
            (significantChange1, InterfaceXML.significantChange1), (visits1, InterfaceXML.visits1),
            (power1, InterfaceXML.power1),
            (sensorProxy, InterfaceXML.sensorProxy), (sensorProxyCompass, InterfaceXML.sensorProxyCompass),
        ]
    }
}
