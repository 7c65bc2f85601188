internal import LocateMeModel

/// What the sentences of one moment say together.
struct NMEAEpoch: Hashable, Sendable {
    /// The order and number of sentences that a receiver sends each time.
    struct Signature: Hashable, Sendable {
        var sentences = 0
        var last: UInt8 = 0
    }

    /// Sentences that a signature counts and that are not positions.
    enum OtherKind: UInt8 { case velocity = 5, dilution, errors }

    /// From dilution of precision to error in metres, 68 %: the ranging errors of gpsd 3.22 (horizontal 19 m and vertical 23 m
    /// at 95 %, a quarter of it with corrections) times 0.619 and 0.510.
    private enum RangeError {
        static let horizontal = 19 * 0.619
        static let vertical = 23 * 0.510
        static let corrected = 0.25
    }

    let time: TimeOfDay
    let bootMicroseconds: Int64
    var isDelivered = false
    private(set) var signature = Signature()
    /// Some sentence said how fast, whether in time or late.
    private(set) var hadSpeed = false
    /// Some sentence said that there is no fix.
    private(set) var isVoid = false
    /// The day that a valid sentence stated.
    private(set) var day: Int64?

    private var isValid = false
    private var latitude = Double.nan
    private var longitude = Double.nan
    private var placeRank = -1
    private var quality = PositionSentence.Quality.unknown
    private var flags: Fix.Flags = []
    private var speed = Double.nan
    private var course: TrueDirection?
    private var velocity = VelocitySentence()
    private var altitude = Double.nan
    private var separation = Double.nan
    private var dilution = DilutionSentence()
    private var statedDilution = Double.nan
    private var errors = ErrorSentence()
    private var satellites = -1

    init(time: TimeOfDay, bootMicroseconds: Int64) {
        self.time = time
        self.bootMicroseconds = bootMicroseconds
    }

    /// True if there is a place that the receiver stands by.
    var hasFix: Bool { isValid && !isVoid && latitude.isFinite }
    /// True if a speed is known in time.
    var hasSpeed: Bool { speed.isFinite || velocity.speed.isFinite }
    /// The dilutions of this moment, if GSA told.
    var statedByGSA: DilutionSentence? { dilution.dimensions > 0 ? dilution : nil }

    // MARK: - Merging

    /// Only counts a sentence that came after the fix had gone out.
    mutating func count(_ kind: UInt8, saysSpeed: Bool) {
        signature.sentences += 1
        signature.last = kind
        if saysSpeed { hadSpeed = true }
    }

    mutating func merge(_ sentence: PositionSentence) {
        count(sentence.kind.rawValue, saysSpeed: sentence.speed.isFinite)
        if sentence.validity == .void {
            isVoid = true
            return
        }
        if sentence.validity == .valid, sentence.hasPlace { isValid = true }
        // The finest place. Of equally fine ones the first of RMC and GLL: plotters that compute a place anew for each
        // sentence of a second are nearest to its beginning then, and gpsd reports these.
        let rank = 2 * sentence.decimals + (sentence.kind == .rmc || sentence.kind == .gll ? 1 : 0)
        if sentence.hasPlace, rank > placeRank {
            latitude = sentence.latitude
            longitude = sentence.longitude
            placeRank = rank
        }
        switch sentence.quality {
        case .manual: flags.insert(.fixed)
        case .simulated: flags.insert(.simulated)
        case .estimated: flags.insert(.deadReckoned)
        default: break
        }
        quality = max(quality, sentence.quality)
        if sentence.speed.isFinite { speed = sentence.speed }
        if let course = sentence.course { self.course = course }
        if let day = sentence.day { self.day = day }
        if sentence.altitude.isFinite { altitude = sentence.altitude }
        if sentence.geoidSeparation.isFinite { separation = sentence.geoidSeparation }
        if sentence.horizontalDilution.isFinite { statedDilution = sentence.horizontalDilution }
        // GGA stops at 12.
        satellites = max(satellites, sentence.satellites)
    }

    mutating func merge(_ sentence: VelocitySentence) {
        count(OtherKind.velocity.rawValue, saysSpeed: sentence.speed.isFinite)
        velocity = sentence
    }

    /// One GSA comes for each system, with the dilutions of all together.
    mutating func merge(_ sentence: DilutionSentence) {
        count(OtherKind.dilution.rawValue, saysSpeed: false)
        dilution.dimensions = max(dilution.dimensions, sentence.dimensions)
        if sentence.horizontal.isFinite { dilution.horizontal = sentence.horizontal }
        if sentence.vertical.isFinite { dilution.vertical = sentence.vertical }
    }

    mutating func merge(_ sentence: ErrorSentence) {
        count(OtherKind.errors.rawValue, saysSpeed: false)
        errors = sentence
    }

    // MARK: - Result

    /// The fix, not validated, at a time (UTC, microseconds, 0 unknown). `recent`: dilutions of a moment shortly before, for
    /// receivers that do not state them each time.
    func fix(realMicroseconds: Int64, recent: DilutionSentence) -> Fix {
        let dilution = statedByGSA ?? recent
        var fix = Fix(
            realMicroseconds: realMicroseconds, bootMicroseconds: bootMicroseconds, latitude: latitude,
            longitude: longitude, horizontalAccuracy: horizontalAccuracy(dilution))
        fix.altitude = altitude
        fix.ellipsoidalAltitude = altitude + separation
        // A receiver without height repeats an old one.
        let hasHeight = altitude.isFinite && dilution.dimensions != 2
        fix.verticalAccuracy = hasHeight ? verticalAccuracy(dilution) : -1
        fix.speed = speed.isFinite ? speed : velocity.speed.isFinite ? velocity.speed : -1
        fix.course = (course ?? velocity.course)?.degrees ?? -1
        fix.flags = flags
        if quality >= .floatKinematic {
            fix.correction = .realTimeKinematic
        } else if quality == .differential {
            fix.correction = .differential
        }
        fix.source = "nmea"
        fix.satellites = satellites
        return fix
    }

    /// Metres, 68 %, 0 unknown. Of GST's standard deviations the distance root mean square, which holds 63 % (equal ones) to
    /// 68 % (one axis).
    private func horizontalAccuracy(_ dilution: DilutionSentence) -> Double {
        let stated = (errors.latitude * errors.latitude + errors.longitude * errors.longitude).squareRoot()
        if stated.isFinite { return stated }
        let hdop = statedDilution.isFinite ? statedDilution : dilution.horizontal
        return hdop.isFinite ? hdop * RangeError.horizontal * correctionFactor : 0
    }

    private func verticalAccuracy(_ dilution: DilutionSentence) -> Double {
        if errors.altitude.isFinite { return errors.altitude }
        return dilution.vertical.isFinite ? dilution.vertical * RangeError.vertical * correctionFactor : 0
    }

    private var correctionFactor: Double { quality >= .differential ? RangeError.corrected : 1 }
}
