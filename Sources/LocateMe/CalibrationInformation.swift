public import Geometry
public import LocateMeModel
internal import MessageBus

/// What `Calibration1` tells: state, and the calibration in force.
public struct CalibrationInformation: Hashable, Sendable {
    /// Where the calibration stands.
    public enum State: UInt32, Hashable, Sendable {
        /// Nothing is known.
        case none = 0
        /// Turning the device would help.
        case needed = 1
        /// A guided run collects.
        case collecting = 2
        /// A guided run can be applied.
        case ready = 3
        /// A calibration is in force.
        case applied = 4
        /// The guided run has failed.
        case failed = 5
    }

    /// Where the calibration stands.
    public var state: State
    /// How good it is.
    public var quality: CalibrationQuality
    /// Why one is needed, such as `never-calibrated`; empty if none is.
    public var reason: String
    /// µT, after the soft iron matrix; nil: none in force.
    public var hardIron: Vector3?
    /// calibrated = softIron · raw − hardIron; nil: none in force.
    public var softIron: Matrix3?
    /// Standard deviation of each component of `hardIron` in µT; NaN unknown.
    public var hardIronSigma: Double
    /// Field strength of the fit in µT; NaN unknown.
    public var fieldMicrotesla: Double
    /// Root mean square residual of the fit in µT; NaN unknown.
    public var residualMicrotesla: Double
    /// Expected error of the heading in degrees; NaN unknown.
    public var headingErrorDegrees: Double
    /// Share of the sphere that was covered, 0…1; NaN unknown.
    public var coverage: Double
    /// Samples of the fit; 0 unknown.
    public var samples: UInt32
    /// UTC in microseconds since the Unix epoch; 0 unknown.
    public var createdRealMicroseconds: Int64
    /// Age in seconds; nil unknown.
    public var ageSeconds: UInt32?
    /// °C of the magnetometer at the fit; NaN unknown.
    public var temperature: Double
    /// online, guided, factory or imported; empty unknown.
    public var source: String

    init(_ properties: [String: BusValue], _ calibration: [String: BusValue]) {
        func number(_ key: String) -> Double { calibration[key]?.doubleValue ?? .nan }
        state = properties["State"]?.uint32Value.flatMap(State.init) ?? .none
        quality = properties["Quality"]?.uint32Value.flatMap(CalibrationQuality.init) ?? .unknown
        reason = properties["Reason"]?.stringValue ?? ""
        hardIron = calibration["HardIron"]?.doubleTupleValue.flatMap {
            $0.count == 3 ? Vector3($0[0], $0[1], $0[2]) : nil
        }
        softIron = calibration["SoftIron"]?.doublesValue.flatMap(Matrix3.init(rowMajor:))
        hardIronSigma = number("HardIronSigma")
        fieldMicrotesla = number("Field")
        residualMicrotesla = number("Residual")
        headingErrorDegrees = number("HeadingError")
        coverage = number("Coverage")
        samples = calibration["Samples"]?.uint32Value ?? 0
        createdRealMicroseconds = calibration["CreatedAt"]?.int64Value ?? 0
        ageSeconds = calibration["AgeSeconds"]?.uint32Value
        temperature = number("Temperature")
        source = calibration["Source"]?.stringValue ?? ""
    }
}
