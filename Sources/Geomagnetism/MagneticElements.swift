internal import Geometry

import func Glibc.atan2

/// The seven elements of the field, of their annual rates or of their uncertainties.
public struct MagneticElements: Hashable, Sendable {
    /// D in degrees, east positive, from true north: atan2(Y, X). As a rate: degrees a year.
    public var declination: Double
    /// I in degrees, down positive: atan2(Z, H).
    public var inclination: Double
    /// H in nT.
    public var horizontal: Double
    /// X in nT.
    public var north: Double
    /// Y in nT.
    public var east: Double
    /// Z in nT.
    public var down: Double
    /// F in nT.
    public var total: Double

    /// The seven elements.
    public init(
        declination: Double, inclination: Double, horizontal: Double, north: Double, east: Double, down: Double,
        total: Double
    ) {
        self.declination = declination
        self.inclination = inclination
        self.horizontal = horizontal
        self.north = north
        self.east = east
        self.down = down
        self.total = total
    }
}

extension MagneticComponents {
    /// The elements. Where H is 0 the declination is that of the field a moment later (0 without change).
    public var elements: MagneticElements {
        let horizontal = (north * north + east * east).squareRoot()
        let total = (horizontal * horizontal + down * down).squareRoot()
        let declination =
            if horizontal > 0 {
                atan2(east, north)
            } else if northRate != 0 || eastRate != 0 {
                atan2(eastRate, northRate)
            } else {
                0.0
            }
        return MagneticElements(
            declination: declination * Angle.degreesPerRadian,
            inclination: atan2(down, horizontal) * Angle.degreesPerRadian,
            horizontal: horizontal, north: north, east: east, down: down, total: total)
    }

    /// The annual rates of the elements. Where H is 0 that of the declination is 0, as it has none.
    public var rates: MagneticElements {
        let horizontalSquared = north * north + east * east
        let horizontal = horizontalSquared.squareRoot()
        let totalSquared = horizontalSquared + down * down
        let total = totalSquared.squareRoot()
        let horizontalRate =
            horizontal > 0
            ? (north * northRate + east * eastRate) / horizontal
            : (northRate * northRate + eastRate * eastRate).squareRoot()
        let totalRate =
            total > 0
            ? (horizontal * horizontalRate + down * downRate) / total
            : (horizontalRate * horizontalRate + downRate * downRate).squareRoot()
        let turn = horizontal > 0 ? (north * eastRate - east * northRate) / horizontalSquared : 0
        let dip = total > 0 ? (horizontal * downRate - down * horizontalRate) / totalSquared : 0
        return MagneticElements(
            declination: turn * Angle.degreesPerRadian, inclination: dip * Angle.degreesPerRadian,
            horizontal: horizontalRate, north: northRate, east: eastRate, down: downRate, total: totalRate)
    }
}
