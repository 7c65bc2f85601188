/// One checked line to a sentence, NMEA 0183 versions 1.5 to 4.11 (field lists as in E. S. Raymond, "NMEA Revealed", 2.23).
enum SentenceParser {
    /// Knots in m/s: a nautical mile is 1852 m.
    static let metresPerSecondOfKnot = 1852.0 / 3600
    /// Knots; export rules stop receivers at 1000, and no sentence of a faster one is about anything that has a compass.
    static let fastestKnots = 2000.0

    /// Reads the bytes from the address up to, not including, `*` or the line's end.
    static func parse(_ bytes: Span<UInt8>, length: Int) throws(NMEADefect) -> NMEASentence {
        guard length > 0 else { throw .malformed }
        // A maker's own sentence; its address has any length.
        if bytes[0] == UInt8(ascii: "P") { return .other }
        guard length >= 5 else { throw .malformed }
        for index in 0..<5 {
            let byte = bytes[index]
            guard byte >= 0x41 && byte <= 0x5a || byte >= 0x30 && byte <= 0x39 else { throw .malformed }
        }
        // A query for a sentence is shorter by one letter and ends in Q; all else has its fields from here.
        guard length > 5 else { return .other }
        guard bytes[5] == UInt8(ascii: ",") else { throw .malformed }
        let type = UInt32(bytes[2]) << 16 | UInt32(bytes[3]) << 8 | UInt32(bytes[4])
        switch type {
        case 0x52_4d_43: return .position(try recommendedMinimum(SentenceFields(bytes, from: 6, to: length), bytes))
        case 0x47_47_41: return .position(try fixData(SentenceFields(bytes, from: 6, to: length), bytes))
        case 0x47_4e_53: return .position(try systemsFixData(SentenceFields(bytes, from: 6, to: length), bytes))
        case 0x47_4c_4c: return .position(try geographicPosition(SentenceFields(bytes, from: 6, to: length), bytes))
        case 0x56_54_47: return try velocity(SentenceFields(bytes, from: 6, to: length), bytes)
        case 0x47_53_41: return try dilution(SentenceFields(bytes, from: 6, to: length), bytes)
        case 0x47_53_54: return try errors(SentenceFields(bytes, from: 6, to: length), bytes)
        case 0x5a_44_41: return try date(SentenceFields(bytes, from: 6, to: length), bytes)
        case 0x48_44_47: return try HeadingParser.deviating(SentenceFields(bytes, from: 6, to: length), bytes)
        case 0x48_44_4d: return try HeadingParser.magnetic(SentenceFields(bytes, from: 6, to: length), bytes)
        case 0x48_44_54: return try HeadingParser.trueNorth(SentenceFields(bytes, from: 6, to: length), bytes)
        case 0x54_48_53: return try HeadingParser.trueWithStatus(SentenceFields(bytes, from: 6, to: length), bytes)
        case 0x52_4f_54: return try HeadingParser.turnRate(SentenceFields(bytes, from: 6, to: length), bytes)
        default: return .other
        }
    }

    // MARK: - Place

    /// `time, status, lat, N/S, lon, E/W, knots, course, ddmmyy, variation, E/W [, mode [, navigational status]]`
    private static func recommendedMinimum(
        _ fields: SentenceFields, _ bytes: Span<UInt8>
    ) throws(NMEADefect) -> PositionSentence {
        guard fields.count >= 11 else { throw .malformed }
        var sentence = PositionSentence(kind: .rmc)
        sentence.time = try fields.time(0, bytes)
        let status = try fields.letter(1, bytes)
        sentence.validity = status == UInt8(ascii: "A") ? .valid : status == UInt8(ascii: "V") ? .void : .doubtful
        try readPlace(&sentence, fields, bytes, from: 2)
        sentence.speed = try speed(knots: fields.number(6, bytes))
        sentence.course = try course(fields.number(7, bytes))
        sentence.day = try fields.day(8, bytes)
        let variation = try fields.signedNumber(9, bytes)
        let side = try fields.letter(10, bytes)
        if variation.isFinite, side == UInt8(ascii: "E") || side == UInt8(ascii: "W") {
            sentence.variation = MagneticVariation(degreesEast: side == UInt8(ascii: "E") ? variation : -variation)
        }
        // Some put the mode where the variation's side belongs.
        let isSide = side == UInt8(ascii: "E") || side == UInt8(ascii: "W")
        applyMode(try fields.count > 11 ? fields.letter(11, bytes) : isSide ? 0 : side, to: &sentence)
        return sentence
    }

    /// `time, lat, N/S, lon, E/W, quality, satellites, HDOP, altitude, M, geoid separation, M, age, station`
    private static func fixData(
        _ fields: SentenceFields, _ bytes: Span<UInt8>
    ) throws(NMEADefect) -> PositionSentence {
        guard fields.count >= 12 else { throw .malformed }
        var sentence = PositionSentence(kind: .gga)
        sentence.time = try fields.time(0, bytes)
        try readPlace(&sentence, fields, bytes, from: 1)
        let quality = try fields.letter(5, bytes)
        switch quality {
        case 0, UInt8(ascii: "0"): sentence.validity = .void
        case UInt8(ascii: "1"): sentence.quality = .autonomous
        case UInt8(ascii: "2"), UInt8(ascii: "3"), UInt8(ascii: "9"): sentence.quality = .differential
        case UInt8(ascii: "4"): sentence.quality = .kinematic
        case UInt8(ascii: "5"): sentence.quality = .floatKinematic
        case UInt8(ascii: "6"): sentence.quality = .estimated
        case UInt8(ascii: "7"): sentence.quality = .manual
        case UInt8(ascii: "8"): sentence.quality = .simulated
        default: throw .fieldMalformed
        }
        try readSatellitesAndHeight(&sentence, fields, bytes)
        sentence.geoidSeparation = try fields.signedNumber(10, bytes)
        return sentence
    }

    /// `time, lat, N/S, lon, E/W, modes, satellites, HDOP, altitude, geoid separation, age, station [, navigational status]`
    private static func systemsFixData(
        _ fields: SentenceFields, _ bytes: Span<UInt8>
    ) throws(NMEADefect) -> PositionSentence {
        guard fields.count >= 11 else { throw .malformed }
        var sentence = PositionSentence(kind: .gns)
        sentence.time = try fields.time(0, bytes)
        try readPlace(&sentence, fields, bytes, from: 1)
        // One letter a system; the best of them is what the fix was made of.
        sentence.validity = .void
        for index in fields.range(5, bytes) where bytes[index] != UInt8(ascii: "N") {
            guard let quality = quality(ofMode: bytes[index]) else { throw .fieldMalformed }
            sentence.validity = .valid
            sentence.quality = max(sentence.quality, quality)
        }
        try readSatellitesAndHeight(&sentence, fields, bytes)
        sentence.geoidSeparation = try fields.signedNumber(9, bytes)
        return sentence
    }

    /// `lat, N/S, lon, E/W, time, status [, mode]`
    private static func geographicPosition(
        _ fields: SentenceFields, _ bytes: Span<UInt8>
    ) throws(NMEADefect) -> PositionSentence {
        guard fields.count >= 6 else { throw .malformed }
        var sentence = PositionSentence(kind: .gll)
        try readPlace(&sentence, fields, bytes, from: 0)
        sentence.time = try fields.time(4, bytes)
        let status = try fields.letter(5, bytes)
        sentence.validity = status == UInt8(ascii: "A") ? .valid : status == UInt8(ascii: "V") ? .void : .doubtful
        applyMode(try fields.letter(6, bytes), to: &sentence)
        return sentence
    }

    private static func readPlace(
        _ sentence: inout PositionSentence, _ fields: SentenceFields, _ bytes: Span<UInt8>, from field: Int
    ) throws(NMEADefect) {
        let latitude = try fields.coordinate(
            field, bytes, positive: UInt8(ascii: "N"), negative: UInt8(ascii: "S"), limit: 90)
        let longitude = try fields.coordinate(
            field + 2, bytes, positive: UInt8(ascii: "E"), negative: UInt8(ascii: "W"), limit: 180)
        guard latitude.degrees.isNaN == longitude.degrees.isNaN else { throw .fieldMalformed }
        sentence.latitude = latitude.degrees
        sentence.longitude = longitude.degrees
        sentence.decimals = min(latitude.decimals, longitude.decimals)
    }

    private static func readSatellitesAndHeight(
        _ sentence: inout PositionSentence, _ fields: SentenceFields, _ bytes: Span<UInt8>
    ) throws(NMEADefect) {
        sentence.satellites = try fields.integer(6, bytes, digits: 3) ?? -1
        sentence.horizontalDilution = try positive(fields.number(7, bytes))
        sentence.altitude = try fields.signedNumber(8, bytes)
    }

    /// The mode of NMEA 2.3 and later; letters that it does not know say nothing.
    private static func applyMode(_ mode: UInt8, to sentence: inout PositionSentence) {
        if mode == UInt8(ascii: "N") {
            sentence.validity = .void
        } else if let quality = quality(ofMode: mode) {
            sentence.quality = quality
        }
    }

    private static func quality(ofMode mode: UInt8) -> PositionSentence.Quality? {
        switch mode {
        case UInt8(ascii: "A"): .autonomous
        case UInt8(ascii: "D"), UInt8(ascii: "P"): .differential
        case UInt8(ascii: "R"): .kinematic
        case UInt8(ascii: "F"): .floatKinematic
        case UInt8(ascii: "E"): .estimated
        case UInt8(ascii: "M"): .manual
        case UInt8(ascii: "S"): .simulated
        default: nil
        }
    }

    // MARK: - The rest

    /// `course, T, course, M, knots, N, km/h, K [, mode]`
    private static func velocity(_ fields: SentenceFields, _ bytes: Span<UInt8>) throws(NMEADefect) -> NMEASentence {
        // Before version 2.0 the letters were missing; what a number means is a guess then.
        guard fields.count >= 8 else { return .other }
        let (first, second) = try (fields.letter(1, bytes), fields.letter(5, bytes))
        guard first == UInt8(ascii: "T") || first == 0, second == UInt8(ascii: "N") || second == 0 else {
            throw .fieldMalformed
        }
        if try fields.letter(8, bytes) == UInt8(ascii: "N") { return .other }
        var sentence = VelocitySentence()
        sentence.course = try course(fields.number(0, bytes))
        sentence.speed = try speed(knots: fields.number(4, bytes))
        if sentence.speed.isNaN {
            sentence.speed = try speed(knots: fields.number(6, bytes) / 1.852)
        }
        return .velocity(sentence)
    }

    /// `M/A, 1/2/3, twelve satellites, PDOP, HDOP, VDOP [, system]`
    private static func dilution(_ fields: SentenceFields, _ bytes: Span<UInt8>) throws(NMEADefect) -> NMEASentence {
        guard fields.count >= 17 else { throw .malformed }
        var sentence = DilutionSentence()
        let dimensions = try fields.integer(1, bytes, digits: 1) ?? 0
        guard dimensions <= 3 else { throw .fieldMalformed }
        sentence.dimensions = dimensions
        sentence.horizontal = try positive(fields.number(15, bytes))
        sentence.vertical = try positive(fields.number(16, bytes))
        return .dilution(sentence)
    }

    /// `time, RMS of ranges, major axis, minor axis, orientation, σ of latitude, of longitude, of altitude`
    private static func errors(_ fields: SentenceFields, _ bytes: Span<UInt8>) throws(NMEADefect) -> NMEASentence {
        guard fields.count >= 8 else { throw .malformed }
        var sentence = ErrorSentence()
        sentence.time = try fields.time(0, bytes)
        sentence.latitude = try positive(fields.number(5, bytes))
        sentence.longitude = try positive(fields.number(6, bytes))
        sentence.altitude = try positive(fields.number(7, bytes))
        return .errors(sentence)
    }

    /// `time, day, month, year, zone hours, zone minutes`; the date is of UTC.
    private static func date(_ fields: SentenceFields, _ bytes: Span<UInt8>) throws(NMEADefect) -> NMEASentence {
        guard fields.count >= 4 else { throw .malformed }
        let time = try fields.time(0, bytes)
        let day = try fields.integer(1, bytes, digits: 2)
        let month = try fields.integer(2, bytes, digits: 2)
        let year = try fields.integer(3, bytes, digits: 4)
        guard let time, let day, let month, let year else { return .other }
        return .date(DateSentence(time: time, day: try SentenceFields.day(year: year, month: month, day: day)))
    }

    // MARK: - Values

    private static func speed(knots: Double) throws(NMEADefect) -> Double {
        guard !(knots > fastestKnots) else { throw .implausible }
        return knots * metresPerSecondOfKnot
    }

    /// Nil if not stated or beyond a circle, which leaves the rest of the sentence as it is.
    private static func course(_ degrees: Double) -> TrueDirection? {
        degrees <= 360 ? TrueDirection(degrees: degrees) : nil
    }

    /// NaN for 0, which receivers without a fix write.
    private static func positive(_ value: Double) -> Double { value > 0 ? value : .nan }
}
