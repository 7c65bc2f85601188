internal import Geometry

/// The angle from true to magnetic north (variation), or from the card's north to magnetic north (deviation): degrees, east
/// positive.
public struct MagneticVariation: Hashable, Sendable {
    /// Degrees, east positive.
    public let degreesEast: Double

    /// An angle; NaN and infinities make everything computed with it NaN.
    public init(degreesEast: Double) { self.degreesEast = degreesEast }
}

/// A direction from magnetic north. It becomes a true one only by way of a variation.
public struct MagneticDirection: Hashable, Sendable {
    /// Degrees clockwise, [0, 360); NaN unknown.
    public let degrees: Double

    /// A direction, wrapped into [0, 360).
    public init(degrees: Double) { self.degrees = Angle.wrap360(degrees) }

    /// The same direction from true north.
    public func corrected(by variation: MagneticVariation) -> TrueDirection {
        TrueDirection(degrees: degrees + variation.degreesEast)
    }
}

/// A direction from true north.
public struct TrueDirection: Hashable, Sendable {
    /// Degrees clockwise, [0, 360); NaN unknown.
    public let degrees: Double

    /// A direction, wrapped into [0, 360).
    public init(degrees: Double) { self.degrees = Angle.wrap360(degrees) }

    /// The same direction from magnetic north.
    public func uncorrected(by variation: MagneticVariation) -> MagneticDirection {
        MagneticDirection(degrees: degrees - variation.degreesEast)
    }
}
