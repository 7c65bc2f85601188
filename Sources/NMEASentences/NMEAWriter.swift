public import LocateMeModel

/// Sentences as text, with checksum and line end, for plotters and autopilots.
///
/// Angles are in tenths of a degree, [0, 360) after rounding, never negative: the side of a variation is its letter.
/// Unknown members are empty fields.
public struct NMEAWriter: Hashable, Sendable {
    /// Two letters that say who talks, such as HC (magnetic compass) or GP.
    public let talker: String

    /// A writer for a talker; nil unless it is two capital letters.
    public init?(talker: String) {
        guard talker.utf8.count == 2, talker.utf8.allSatisfy({ (0x41...0x5a).contains($0) }) else { return nil }
        self.talker = talker
    }

    /// A magnetic compass.
    public static let compass = NMEAWriter(checked: "HC")
    /// A receiver of several systems.
    public static let receiver = NMEAWriter(checked: "GN")

    private init(checked talker: String) { self.talker = talker }

    // MARK: - Heading

    /// HDG: the sensor's reading; deviation, which added to it gives the magnetic heading; variation, which added to that
    /// gives the true one. Nil leaves the field empty: unknown.
    public func magneticWithVariation(
        _ reading: MagneticDirection, deviation: MagneticVariation? = nil, _ variation: MagneticVariation?
    ) -> String {
        sentence("HDG,\(angle(reading.degrees)),\(sided(deviation)),\(sided(variation))")
    }

    /// HDM: magnetic heading.
    public func magnetic(_ heading: MagneticDirection) -> String { sentence("HDM,\(angle(heading.degrees)),M") }

    /// HDT: true heading.
    public func trueNorth(_ heading: TrueDirection) -> String { sentence("HDT,\(angle(heading.degrees)),T") }

    /// THS: true heading of a sensor, or that it is invalid.
    public func trueWithStatus(_ heading: TrueDirection?) -> String {
        sentence(heading.map { "THS,\(angle($0.degrees)),A" } ?? "THS,,V")
    }

    /// ROT: degrees a minute, to starboard positive.
    public func turnRate(degreesPerMinute: Double) -> String {
        sentence(degreesPerMinute.isFinite ? "ROT,\(FixedPoint.text(degreesPerMinute, decimals: 1)),A" : "ROT,,V")
    }

    // MARK: - Place

    /// RMC of a valid fix.
    public func recommendedMinimum(_ fix: Fix, variation: MagneticVariation? = nil) -> String {
        let knots = fix.speed >= 0 ? FixedPoint.text(fix.speed / SentenceParser.metresPerSecondOfKnot, decimals: 2) : ""
        let course = fix.course >= 0 ? angle(fix.course) : ""
        return sentence(
            "RMC,\(time(fix)),A,\(place(fix)),\(knots),\(course),\(date(fix)),\(sided(variation)),\(mode(fix))")
    }

    /// GGA of a valid fix.
    public func fixData(_ fix: Fix) -> String {
        let hasHeight = fix.verticalAccuracy >= 0 && fix.altitude.isFinite
        let separation = fix.ellipsoidalAltitude - fix.altitude
        let height = hasHeight ? FixedPoint.text(fix.altitude, decimals: 1) : ""
        let geoid = hasHeight && separation.isFinite ? FixedPoint.text(separation, decimals: 1) : ""
        let satellites = fix.satellites >= 0 ? FixedPoint.text(Double(fix.satellites), decimals: 0, digits: 2) : ""
        return sentence("GGA,\(time(fix)),\(place(fix)),\(quality(fix)),\(satellites),,\(height),M,\(geoid),M,,")
    }

    /// GLL of a valid fix.
    public func geographicPosition(_ fix: Fix) -> String {
        sentence("GLL,\(place(fix)),\(time(fix)),A,\(mode(fix))")
    }

    /// VTG of a valid fix.
    public func velocity(_ fix: Fix, variation: MagneticVariation? = nil) -> String {
        var (course, magnetic) = ("", "")
        if fix.course >= 0 {
            let direction = TrueDirection(degrees: fix.course)
            course = angle(direction.degrees)
            if let variation { magnetic = angle(direction.uncorrected(by: variation).degrees) }
        }
        var (knots, kilometres) = ("", "")
        if fix.speed >= 0 {
            knots = FixedPoint.text(fix.speed / SentenceParser.metresPerSecondOfKnot, decimals: 2)
            kilometres = FixedPoint.text(fix.speed * 3.6, decimals: 2)
        }
        return sentence("VTG,\(course),T,\(magnetic),M,\(knots),N,\(kilometres),K,\(mode(fix))")
    }

    /// ZDA of a time, UTC in microseconds since the Unix epoch.
    public func date(realMicroseconds: Int64) -> String {
        let date = UTCDate(realMicroseconds: realMicroseconds)
        return sentence(
            "ZDA,\(clock(date)),\(FixedPoint.padded(date.day, 2)),\(FixedPoint.padded(date.month, 2)),\(FixedPoint.padded(date.year, 4)),00,00"
        )
    }

    // MARK: - Parts

    private func sentence(_ body: String) -> String {
        let text = talker + body
        let sum = text.utf8.reduce(0, ^)
        let digits = String(sum, radix: 16, uppercase: true)
        return "$\(text)*\(sum < 16 ? "0" : "")\(digits)\r\n"
    }

    private func angle(_ degrees: Double) -> String {
        guard degrees.isFinite else { return "" }
        let tenths = Int((degrees * 10).rounded()) % 3600
        return "\(tenths / 10).\(tenths % 10)"
    }

    private func sided(_ variation: MagneticVariation?) -> String {
        guard let east = variation?.degreesEast, east.isFinite else { return "," }
        let tenths = Int((min(abs(east), 180) * 10).rounded())
        return "\(tenths / 10).\(tenths % 10),\(east < 0 && tenths > 0 ? "W" : "E")"
    }

    private func place(_ fix: Fix) -> String {
        coordinate(fix.latitude, width: 2, "N", "S") + "," + coordinate(fix.longitude, width: 3, "E", "W")
    }

    private func coordinate(_ degrees: Double, width: Int, _ positive: String, _ negative: String) -> String {
        guard degrees.isFinite, abs(degrees) <= 180 else { return "," }
        // Rounded as a whole, so that minutes never show as 60.
        let parts = Int((abs(degrees) * 60_000_00).rounded())
        let minutes = parts % 60_000_00
        return FixedPoint.padded(parts / 60_000_00, width) + FixedPoint.padded(minutes / 100_000, 2) + "."
            + FixedPoint.padded(minutes % 100_000, 5)
            + "," + (degrees < 0 && parts > 0 ? negative : positive)
    }

    private func time(_ fix: Fix) -> String {
        fix.realMicroseconds > 0 ? clock(UTCDate(realMicroseconds: fix.realMicroseconds)) : ""
    }

    private func clock(_ date: UTCDate) -> String {
        "\(FixedPoint.padded(date.hour, 2))\(FixedPoint.padded(date.minute, 2))\(FixedPoint.padded(date.second, 2)).\(FixedPoint.padded(date.microsecond / 10_000, 2))"
    }

    private func date(_ fix: Fix) -> String {
        guard fix.realMicroseconds > 0 else { return "" }
        let date = UTCDate(realMicroseconds: fix.realMicroseconds)
        return FixedPoint.padded(date.day, 2) + FixedPoint.padded(date.month, 2) + FixedPoint.padded(date.year % 100, 2)
    }

    private func mode(_ fix: Fix) -> String {
        if fix.flags.contains(.simulated) { return "S" }
        if fix.flags.contains(.fixed) { return "M" }
        if fix.flags.contains(.deadReckoned) { return "E" }
        return switch fix.correction {
        case .none: "A"
        case .differential: "D"
        case .realTimeKinematic: "R"
        }
    }

    private func quality(_ fix: Fix) -> String {
        if fix.flags.contains(.simulated) { return "8" }
        if fix.flags.contains(.fixed) { return "7" }
        if fix.flags.contains(.deadReckoned) { return "6" }
        return switch fix.correction {
        case .none: "1"
        case .differential: "2"
        case .realTimeKinematic: "4"
        }
    }
}
