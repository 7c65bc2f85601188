/// The sentences of NMEA 0183 that are written of a heading and a place.
public enum MarineSentence: String, Hashable, Sendable, CaseIterable {
    /// Magnetic heading, deviation, variation.
    case hdg = "HDG"
    /// Magnetic heading.
    case hdm = "HDM"
    /// True heading.
    case hdt = "HDT"
    /// True heading with its status.
    case ths = "THS"
    /// Rate of turn.
    case rot = "ROT"
    /// Place, speed, course, date.
    case rmc = "RMC"
    /// Place and quality.
    case gga = "GGA"

    /// True if it tells a place, false if it tells a heading.
    public var isOfPlace: Bool { self == .rmc || self == .gga }

    /// True if it tells where the device is, be it roughly: the difference between true and magnetic north is that of a
    /// place.
    public var tellsWhere: Bool { isOfPlace || self == .hdt || self == .ths }

    /// Reads names between commas, such as `HDG,HDT`; nil if one is unknown or none is there.
    public static func list(_ text: String) -> [Self]? {
        let kinds = text.split(separator: ",", omittingEmptySubsequences: false).map { Self(rawValue: String($0)) }
        return kinds.contains { $0 == nil } ? nil : kinds.compactMap { $0 }
    }
}
