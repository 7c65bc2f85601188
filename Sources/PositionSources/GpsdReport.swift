internal import LocateMeModel

/// What one message of gpsd said, as far as it matters here. Unknown numbers are NaN.
struct GpsdReport: Hashable, Sendable {
    /// The `status` of a TPV; the numbers are those of gpsd's JSON, equal in all versions.
    struct Status: Hashable, Sendable {
        let rawValue: Int32
        static let unknown = Status(rawValue: 0)
        static let differential = Status(rawValue: 2)
        static let realTimeKinematicFixed = Status(rawValue: 3)
        static let realTimeKinematicFloat = Status(rawValue: 4)
        static let deadReckoning = Status(rawValue: 5)
        static let deadReckoningAssisted = Status(rawValue: 6)
        static let simulated = Status(rawValue: 8)
        static let precise = Status(rawValue: 9)
    }

    /// The `mode` of a TPV: below 2 there is no fix, 3 has an altitude.
    var mode: Int32 = 0
    var status = Status.unknown
    /// UTC in microseconds since the Unix epoch; 0 unknown.
    var realMicroseconds: Int64 = 0
    /// Degrees.
    var latitude = Double.nan
    /// Degrees.
    var longitude = Double.nan
    /// Metres above mean sea level.
    var altitude = Double.nan
    /// Metres above the ellipsoid.
    var ellipsoidalAltitude = Double.nan
    /// Degrees from true north.
    var course = Double.nan
    /// m/s.
    var speed = Double.nan
    /// Metres, 95 %, as are the other errors: gpsd multiplies dilutions of precision by 95 % errors of ranging.
    var horizontalError = Double.nan
    /// Metres.
    var eastError = Double.nan
    /// Metres.
    var northError = Double.nan
    /// Metres.
    var verticalError = Double.nan
    /// m/s.
    var speedError = Double.nan
    /// Degrees.
    var courseError = Double.nan
    /// From the latest SKY.
    var horizontalDilution = Double.nan
    /// From the latest SKY; −1 unknown.
    var satellites = -1

    /// True if the message says that there is a position.
    var hasPosition: Bool { mode >= 2 && latitude.isFinite && longitude.isFinite }
}

extension GpsdReport {
    /// From 95 % to 68.27 % of a round two-dimensional normal error: √(ln 0.3173 / ln 0.05).
    static let horizontal68 = 0.619
    /// From 95 % to 68.27 % of a one-dimensional normal error: 1 / 1.96.
    static let linear68 = 0.510
    /// Metres, 95 %: gpsd's own factor from dilution of precision to error without differential corrections.
    static let rangeError95 = 19.0

    /// The fix that the report describes, not validated; nil if there is none. Accuracies as the product states them, at
    /// 68 %, 0 for an unknown one of a known value. The magnetic variation that gpsd reports is left alone: receivers repeat
    /// constants, and its sign changed between versions.
    func fix(bootMicroseconds: Int64) -> Fix? {
        guard hasPosition else { return nil }
        var fix = Fix(
            realMicroseconds: realMicroseconds, bootMicroseconds: bootMicroseconds, latitude: latitude,
            longitude: longitude, horizontalAccuracy: horizontalAccuracy)
        fix.altitude = altitude
        fix.ellipsoidalAltitude = ellipsoidalAltitude
        let hasAltitude = mode >= 3 && (altitude.isFinite || ellipsoidalAltitude.isFinite)
        fix.verticalAccuracy = hasAltitude ? Self.known(verticalError * Self.linear68) ?? 0 : -1
        fix.speed = Self.known(speed) ?? -1
        fix.speedAccuracy = Self.known(speedError * Self.linear68) ?? -1
        fix.course = Self.known(course) ?? -1
        fix.courseAccuracy = Self.known(courseError * Self.linear68) ?? -1
        fix.source = "gpsd"
        fix.satellites = satellites
        switch status {
        case .differential, .precise: fix.correction = .differential
        case .realTimeKinematicFixed, .realTimeKinematicFloat: fix.correction = .realTimeKinematic
        case .deadReckoning, .deadReckoningAssisted: fix.flags.insert(.deadReckoned)
        case .simulated: fix.flags.insert(.simulated)
        default: break
        }
        return fix
    }

    /// Metres, 68 %; a negative one that gpsd gave stays negative and makes the fix invalid.
    private var horizontalAccuracy: Double {
        if horizontalError.isFinite { return horizontalError * Self.horizontal68 }
        let both = (eastError * eastError + northError * northError).squareRoot()
        if both.isFinite { return both * Self.horizontal68 }
        let estimate = horizontalDilution * Self.rangeError95 * Self.horizontal68
        return Self.known(estimate) ?? 0
    }

    private static func known(_ value: Double) -> Double? { value.isFinite && value >= 0 ? value : nil }
}
