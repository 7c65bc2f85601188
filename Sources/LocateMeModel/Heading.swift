public import Geometry

/// One published heading: the D-Bus type `Heading`.
public struct Heading: Hashable, Sendable {
    /// UTC in microseconds since the Unix epoch.
    public var realMicroseconds: Int64
    /// CLOCK_BOOTTIME in microseconds of the sample it is for.
    public var bootMicroseconds: Int64
    /// Degrees clockwise from magnetic north, [0, 360); −1 invalid.
    public var magnetic: Double
    /// Degrees clockwise from true north, [0, 360); −1 if no place is known or the caller may not know it.
    public var trueHeading: Double
    /// The heading error is within ± this many degrees with 95 % probability; −1: invalid. Counts calibration,
    /// noise, tilt, disturbance and, where `trueHeading` is valid, declination.
    public var accuracy: Double
    /// Calibrated field in µT, device frame.
    public var field: Vector3
    /// The edge that counts as top.
    public var orientation: HeadingOrientation
    /// How well the magnetometer is calibrated.
    public var calibration: CalibrationQuality
    /// Degrees, east positive; NaN unknown.
    public var declination: Double = .nan
    /// Degrees, 95 %; NaN unknown.
    public var declinationAccuracy: Double = .nan
    /// Name of the magnetic model, empty if none was used.
    public var model: String = ""
    /// |field| in µT.
    public var fieldStrength: Double = .nan
    /// Dip of the measured field in degrees, down positive.
    public var inclination: Double = .nan
    /// |field| in µT that the model gives here; NaN unknown.
    public var expectedField: Double = .nan
    /// Dip in degrees that the model gives here, down positive; NaN unknown.
    public var expectedInclination: Double = .nan
    /// True if the local field is not the earth's.
    public var disturbed: Bool = false
    /// Degrees per second, clockwise positive.
    public var turnRate: Double = .nan
    /// Degrees, top edge up positive.
    public var pitch: Double = .nan
    /// Degrees, right edge down positive.
    public var roll: Double = .nan
    /// Which sensors it was made from.
    public var source: HeadingSource

    /// A heading; the extras start unknown.
    public init(
        realMicroseconds: Int64, bootMicroseconds: Int64, magnetic: Double, trueHeading: Double, accuracy: Double,
        field: Vector3, orientation: HeadingOrientation, calibration: CalibrationQuality, source: HeadingSource
    ) {
        self.realMicroseconds = realMicroseconds
        self.bootMicroseconds = bootMicroseconds
        self.magnetic = magnetic
        self.trueHeading = trueHeading
        self.accuracy = accuracy
        self.field = field
        self.orientation = orientation
        self.calibration = calibration
        self.source = source
    }
}
