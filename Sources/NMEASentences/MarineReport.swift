public import LocateMeModel

/// Heading and place → sentences of NMEA 0183. Invalid and unknown values give nothing, so that no
/// instrument steers by them.
public struct MarineReport: Hashable, Sendable {
    /// The newest heading, nil if none is valid.
    public var heading: Heading?
    /// The newest fix, nil if none is known.
    public var fix: Fix?

    /// A report of what is known.
    public init(heading: Heading? = nil, fix: Fix? = nil) {
        self.heading = heading
        self.fix = fix
    }

    /// The sentences of a kind, with their line ends; empty if what they tell is not known.
    public func text(_ sentence: MarineSentence) -> String {
        let compass = NMEAWriter.compass
        switch sentence {
        case .hdg: return magnetic.map { compass.magneticWithVariation($0, deviation: Self.deviation, variation) } ?? ""
        case .hdm: return magnetic.map { compass.magnetic($0) } ?? ""
        case .hdt: return trueDirection.map { compass.trueNorth($0) } ?? ""
        case .ths: return compass.trueWithStatus(trueDirection)
        case .rot:
            guard let rate = heading?.turnRate, rate.isFinite else { return "" }
            return compass.turnRate(degreesPerMinute: rate * 60)
        case .rmc: return fix.map { NMEAWriter.receiver.recommendedMinimum($0, variation: variation) } ?? ""
        case .gga: return fix.map { NMEAWriter.receiver.fixData($0) } ?? ""
        }
    }

    /// The heading from magnetic north; nil if it is not valid.
    public var magnetic: MagneticDirection? {
        guard let heading, heading.accuracy >= 0, heading.magnetic >= 0 else { return nil }
        return MagneticDirection(degrees: heading.magnetic)
    }

    /// The heading from true north; nil if it is not valid.
    public var trueDirection: TrueDirection? {
        guard let heading, heading.accuracy >= 0, heading.trueHeading >= 0 else { return nil }
        return TrueDirection(degrees: heading.trueHeading)
    }

    /// The variation at the place; nil without a place.
    public var variation: MagneticVariation? {
        guard let declination = heading?.declination, declination.isFinite else { return nil }
        return MagneticVariation(degreesEast: declination)
    }

    /// HDG's deviation is what the compass's own surroundings add and a table on board takes away (IEC 61162-1: the reading
    /// corrected for deviation is the magnetic heading). Calibration has done that before a heading is valid.
    private static let deviation = MagneticVariation(degreesEast: 0)
}
