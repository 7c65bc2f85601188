/// A sentence that says where, whither, when or how well; whoever the talker is.
public enum NMEASentence: Hashable, Sendable {
    /// RMC, GGA, GNS or GLL.
    case position(PositionSentence)
    /// VTG.
    case velocity(VelocitySentence)
    /// GSA.
    case dilution(DilutionSentence)
    /// GST.
    case errors(ErrorSentence)
    /// ZDA.
    case date(DateSentence)
    /// HDG, HDM, HDT or THS, with a valid heading.
    case heading(HeadingSentence)
    /// ROT: degrees per minute, to starboard positive.
    case turnRate(degreesPerMinute: Double)
    /// A sound sentence of another type, or one that says that it has nothing to say.
    case other
}

/// RMC, GGA, GNS and GLL, which have the members of each other. Unknown numbers are NaN.
public struct PositionSentence: Hashable, Sendable {
    /// The types.
    public enum Kind: UInt8, Hashable, Sendable {
        /// Recommended minimum: place, speed, course, date.
        case rmc = 1
        /// Fix data of GPS: place, height, quality.
        case gga
        /// Fix data of several systems.
        case gns
        /// Geographic position.
        case gll
    }

    /// Whether the receiver stands by it.
    public enum Validity: Hashable, Sendable {
        /// It has a fix.
        case valid
        /// It has none: status V, quality 0, mode N.
        case void
        /// A status letter that is not of the standard, such as D: counts if another sentence of the moment is valid.
        case doubtful
    }

    /// What the place was made of: GGA's quality, or the mode of the others.
    public enum Quality: UInt8, Hashable, Sendable, Comparable {
        /// Not said.
        case unknown = 0
        /// Entered by somebody.
        case manual
        /// Simulated.
        case simulated
        /// Dead reckoning.
        case estimated
        /// Satellites alone.
        case autonomous
        /// Differential corrections, or the precise service.
        case differential
        /// Carrier phase, ambiguities not fixed.
        case floatKinematic
        /// Carrier phase.
        case kinematic

        /// By how much can be expected of it.
        public static func < (left: Quality, right: Quality) -> Bool { left.rawValue < right.rawValue }
    }

    /// The type.
    public var kind: Kind
    /// Time of the fix; nil if not stated.
    public var time: TimeOfDay?
    /// Whether there is a fix.
    public var validity = Validity.valid
    /// What it was made of.
    public var quality = Quality.unknown
    /// Degrees north, [−90, 90].
    public var latitude = Double.nan
    /// Degrees east, [−180, 180].
    public var longitude = Double.nan
    /// Digits after the decimal point of the minutes.
    public var decimals = 0
    /// m/s over ground.
    public var speed = Double.nan
    /// Course over ground.
    public var course: TrueDirection?
    /// Days since 1970-01-01; nil if not stated.
    public var day: Int64?
    /// Receivers repeat constants here: for information only.
    public var variation: MagneticVariation?
    /// Satellites used; −1 not stated.
    public var satellites = -1
    /// Horizontal dilution of precision.
    public var horizontalDilution = Double.nan
    /// Metres above mean sea level.
    public var altitude = Double.nan
    /// Metres of the geoid above the ellipsoid.
    public var geoidSeparation = Double.nan

    /// True if there are both coordinates.
    public var hasPlace: Bool { latitude.isFinite && longitude.isFinite }

    /// An empty sentence of a type.
    public init(kind: Kind) { self.kind = kind }
}

/// VTG. Unknown numbers are NaN.
public struct VelocitySentence: Hashable, Sendable {
    /// m/s over ground.
    public var speed = Double.nan
    /// Course over ground.
    public var course: TrueDirection?

    /// Nothing known.
    public init() {}
}

/// GSA. Unknown numbers are NaN.
public struct DilutionSentence: Hashable, Sendable {
    /// 1 no fix, 2 without height, 3 with; 0 not stated.
    public var dimensions = 0
    /// Horizontal dilution of precision.
    public var horizontal = Double.nan
    /// Vertical dilution of precision.
    public var vertical = Double.nan

    /// Nothing known.
    public init() {}
}

/// GST: standard deviations in metres. Unknown numbers are NaN.
public struct ErrorSentence: Hashable, Sendable {
    /// Time of the fix; nil if not stated.
    public var time: TimeOfDay?
    /// Of the latitude.
    public var latitude = Double.nan
    /// Of the longitude.
    public var longitude = Double.nan
    /// Of the altitude.
    public var altitude = Double.nan

    /// Nothing known.
    public init() {}
}

/// ZDA.
public struct DateSentence: Hashable, Sendable {
    /// Time of day.
    public var time: TimeOfDay
    /// Days since 1970-01-01.
    public var day: Int64

    /// A date with its time.
    public init(time: TimeOfDay, day: Int64) {
        self.time = time
        self.day = day
    }
}

/// HDG, HDM, HDT and THS. The type of the sentence decides which north it counts from.
public enum HeadingSentence: Hashable, Sendable {
    /// From magnetic north, the compass's deviation already applied, with the variation if the sentence has one.
    case magnetic(MagneticDirection, variation: MagneticVariation?)
    /// From true north, by what kind of sensor.
    case trueNorth(TrueDirection, Sensor)

    /// What measures a true heading, as far as the talker tells.
    public enum Sensor: Hashable, Sendable {
        /// A north-seeking gyrocompass or a satellite compass (talkers HE, G…, B…, Q…).
        case northSeeking
        /// Another one: mostly a magnetic compass, with a variation applied.
        case other
    }
}
