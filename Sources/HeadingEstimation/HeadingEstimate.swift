public import Geometry
public import LocateMeModel

import func Glibc.asin
import func Glibc.atan2

/// What the estimator says at one magnetometer sample (or at one heading of a hub).
public struct HeadingEstimate: Hashable, Sendable {
    /// CLOCK_BOOTTIME of the sample in microseconds; in a recording, time since its start.
    public var bootMicroseconds: Int64
    /// Device frame to earth frame (x east, y magnetic north, z up). While the heading is invalid its yaw means nothing.
    public var attitude: Quaternion
    /// The heading error is within ± this many degrees with 95 % probability; −1: the heading is invalid. Never above 60.
    public var accuracyDegrees: Double
    /// Calibrated field, device frame, µT.
    public var field: Vector3
    /// |field| in µT; NaN if a hub gave the heading.
    public var fieldStrength: Double
    /// Dip of the field in degrees, down positive; NaN unknown.
    public var inclination: Double
    /// Degrees per second, clockwise positive; NaN unknown.
    public var turnRate: Double
    /// True if the local field is not the earth's.
    public var isDisturbed: Bool
    /// How well the magnetometer is calibrated.
    public var calibration: CalibrationQuality
    /// Which sensors it was made from.
    public var source: HeadingSource
    /// True if `attitude` holds a measured pitch and roll: neither before the start nor from a hub.
    public var hasTilt: Bool

    /// An invalid estimate of which only the raw field is known.
    public init(bootMicroseconds: Int64, field: Vector3, source: HeadingSource) {
        self.bootMicroseconds = bootMicroseconds
        attitude = .identity
        accuracyDegrees = -1
        self.field = field
        fieldStrength = field.length
        inclination = .nan
        turnRate = .nan
        isDisturbed = false
        calibration = .unknown
        self.source = source
        hasTilt = false
    }

    /// True if there is a heading.
    public var isValid: Bool { accuracyDegrees >= 0 }

    /// Heading of the device's top edge (+y) clockwise from magnetic north in degrees, [0, 360); −1 invalid. Undefined where
    /// that edge is vertical: `HeadingReference` knows what to do then.
    public var magneticHeading: Double {
        guard isValid else { return -1 }
        let matrix = attitude.matrix
        let heading = Angle.wrap360(atan2(matrix[0, 1], matrix[1, 1]) * Angle.degreesPerRadian)
        return heading.isNaN ? -1 : heading
    }

    /// Elevation of the top edge in degrees, up positive.
    public var pitch: Double { asin(max(-1, min(1, attitude.matrix[2, 1]))) * Angle.degreesPerRadian }

    /// Turn about the top edge in degrees, right edge down positive, ±180 face down.
    public var roll: Double {
        let up = attitude.matrix.row2
        return atan2(-up.x, up.z) * Angle.degreesPerRadian
    }
}
