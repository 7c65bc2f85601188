import Geometry
public import LocateMeModel

import func Glibc.atan2

extension EarthField {
    /// Dip in degrees, down positive.
    public var inclination: Double { atan2(down, horizontal) * Angle.degreesPerRadian }
}
