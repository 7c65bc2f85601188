/// The sentences of compasses.
enum HeadingParser {
    /// Degrees; a compass card that is off by more would be adjusted, a variation of more is near a pole.
    private static let greatestCorrection = 180.0

    /// HDG: `sensor heading, deviation, E/W, variation, E/W`. Deviation to the east is added to what the sensor reads.
    static func deviating(_ fields: SentenceFields, _ bytes: Span<UInt8>) throws(NMEADefect) -> NMEASentence {
        guard fields.count >= 5 else { throw .malformed }
        let sensor = try heading(fields, bytes)
        let deviation = try correction(1, fields, bytes)
        let variation = try correction(3, fields, bytes)
        guard let sensor else { return .other }
        let magnetic = MagneticDirection(degrees: sensor + (deviation?.degreesEast ?? 0))
        return .heading(.magnetic(magnetic, variation: variation))
    }

    /// HDM: `heading, M`
    static func magnetic(_ fields: SentenceFields, _ bytes: Span<UInt8>) throws(NMEADefect) -> NMEASentence {
        let letter = try fields.letter(1, bytes)
        guard fields.count >= 2, letter == UInt8(ascii: "M") || letter == 0 else { throw .fieldMalformed }
        guard let degrees = try heading(fields, bytes) else { return .other }
        return .heading(.magnetic(MagneticDirection(degrees: degrees), variation: nil))
    }

    /// HDT: `heading, T`
    static func trueNorth(_ fields: SentenceFields, _ bytes: Span<UInt8>) throws(NMEADefect) -> NMEASentence {
        let letter = try fields.letter(1, bytes)
        guard fields.count >= 2, letter == UInt8(ascii: "T") || letter == 0 else { throw .fieldMalformed }
        guard let degrees = try heading(fields, bytes) else { return .other }
        return .heading(.trueNorth(TrueDirection(degrees: degrees), sensor(bytes)))
    }

    /// THS: `heading, mode`: A autonomous, E estimated, M manual, S simulator, V invalid. What somebody typed or a simulator
    /// made is no measurement.
    static func trueWithStatus(_ fields: SentenceFields, _ bytes: Span<UInt8>) throws(NMEADefect) -> NMEASentence {
        guard fields.count >= 2 else { throw .malformed }
        let mode = try fields.letter(1, bytes)
        let degrees = try heading(fields, bytes)
        guard let degrees, mode == UInt8(ascii: "A") || mode == UInt8(ascii: "E") else { return .other }
        return .heading(.trueNorth(TrueDirection(degrees: degrees), sensor(bytes)))
    }

    /// ROT: `degrees a minute, A/V`
    static func turnRate(_ fields: SentenceFields, _ bytes: Span<UInt8>) throws(NMEADefect) -> NMEASentence {
        guard fields.count >= 2 else { throw .malformed }
        let rate = try fields.signedNumber(0, bytes)
        guard rate.isFinite, try fields.letter(1, bytes) == UInt8(ascii: "A") else { return .other }
        return .turnRate(degreesPerMinute: rate)
    }

    private static func sensor(_ bytes: Span<UInt8>) -> HeadingSentence.Sensor {
        let (first, second) = (bytes[0], bytes[1])
        let isSatellite = first == UInt8(ascii: "G") || first == UInt8(ascii: "B") || first == UInt8(ascii: "Q")
        let isGyrocompass = first == UInt8(ascii: "H") && second == UInt8(ascii: "E")
        return isSatellite || isGyrocompass ? .northSeeking : .other
    }

    /// Degrees of the first field; nil if it is empty.
    private static func heading(_ fields: SentenceFields, _ bytes: Span<UInt8>) throws(NMEADefect) -> Double? {
        let degrees = try fields.number(0, bytes)
        guard !degrees.isNaN else { return nil }
        guard degrees <= 360 else { throw .fieldMalformed }
        return degrees
    }

    /// An angle and its side; nil if the angle is missing. One without a side is of no use, one with a sign is malformed.
    private static func correction(
        _ field: Int, _ fields: SentenceFields, _ bytes: Span<UInt8>
    ) throws(NMEADefect) -> MagneticVariation? {
        let degrees = try fields.number(field, bytes)
        let side = try fields.letter(field + 1, bytes)
        guard side == 0 || side == UInt8(ascii: "E") || side == UInt8(ascii: "W") else { throw .fieldMalformed }
        guard !degrees.isNaN else { return nil }
        guard degrees <= greatestCorrection, side != 0 || degrees == 0 else { throw .fieldMalformed }
        return MagneticVariation(degreesEast: side == UInt8(ascii: "W") ? -degrees : degrees)
    }
}
