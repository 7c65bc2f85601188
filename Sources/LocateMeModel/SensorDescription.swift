public import Geometry

/// What is known of one sensor, for `Compass1.ListSensors` and `headingctl sensors`.
public struct SensorDescription: Hashable, Sendable {
    /// Stable name of the sensor within its context, such as `local:/iio:device0/magn`.
    public var id: String
    /// What it measures.
    public var kind: SensorKind
    /// The IIO `name` attribute.
    public var name: String
    /// Kernel driver, empty if unknown.
    public var driver: String
    /// Where the device is: sysfs path or context URI.
    public var path: String
    /// The `label` attribute, empty if there is none.
    public var label: String
    /// The `location` attribute, empty if there is none.
    public var location: String
    /// Chip to device frame.
    public var mountMatrix: Matrix3
    /// Where the matrix came from: `override`, an attribute's name, or `identity`.
    public var matrixSource: String
    /// Rates the device offers in Hz, ascending; empty if it lists none.
    public var ratesHertz: [Double]
    /// True if samples come through a buffer, false if `_raw` is polled.
    public var buffered: Bool
    /// Names of usable triggers.
    public var triggers: [String]
    /// Scale per axis to the package's unit (µT, m/s², rad/s).
    public var scale: Vector3
    /// True if this sensor feeds the heading.
    public var selected: Bool
    /// Why it was chosen or not.
    public var reason: String

    /// A description with everything unknown but identity and kind.
    public init(id: String, kind: SensorKind, name: String) {
        self.id = id
        self.kind = kind
        self.name = name
        driver = ""
        path = ""
        label = ""
        location = ""
        mountMatrix = .identity
        matrixSource = "identity"
        ratesHertz = []
        buffered = false
        triggers = []
        scale = Vector3(1, 1, 1)
        selected = false
        reason = ""
    }
}
