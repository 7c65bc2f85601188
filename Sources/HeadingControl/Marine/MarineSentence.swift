/// What `headingctl nmea` can write.
enum MarineSentence: String, CaseIterable {
    case hdg = "HDG"
    case hdm = "HDM"
    case hdt = "HDT"
    case ths = "THS"
    case rot = "ROT"
    case rmc = "RMC"
    case gga = "GGA"

    /// True if it tells a place, false if it tells a heading.
    var isOfPlace: Bool { self == .rmc || self == .gga }
}
