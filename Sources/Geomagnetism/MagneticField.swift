public import LocateMeModel

/// The answer of a model for one place and date.
public struct MagneticField: Hashable, Sendable {
    /// D, I, H, X, Y, Z, F in degrees and nT.
    public let elements: MagneticElements
    /// Their annual rates.
    public let rates: MagneticElements
    /// Their standard deviations (1 sigma) against what is measured on the ground, larger outside the model's years.
    /// D is capped at 180°.
    public let uncertainty: MagneticElements
    /// How far a compass can be relied on here.
    public let zone: CompassZone
    /// Whether the date lies in the model's years.
    public let validity: ModelValidity

    /// 95 % bound of the declination in degrees: 1.96 standard deviations, at most 180.
    public var declinationAccuracy: Double { min(180, 1.96 * uncertainty.declination) }

    /// The field as the heading estimator and the daemon use it: µT, degrees, 95 %.
    public var earthField: EarthField {
        EarthField(
            declination: elements.declination, declinationAccuracy: declinationAccuracy,
            horizontal: elements.horizontal / 1000, down: elements.down / 1000)
    }
}
