internal import LocateMeModel

extension MarineReport {
    /// A delta of Signal K with its line end (Signal K specification 1.7: data model "navigation", delta format; angles
    /// in radians, speeds in m/s, heights in metres); empty if nothing is known.
    public func delta(withHeading: Bool, withPlace: Bool) -> String {
        var values: [String] = []
        func add(_ path: String, _ value: String) {
            values.append(#"{"path":"navigation.\#(path)","value":\#(value)}"#)
        }
        if withHeading, let heading, let magnetic {
            add("headingMagnetic", Self.angle(magnetic.degrees))
            if let trueDirection { add("headingTrue", Self.angle(trueDirection.degrees)) }
            if let variation { add("magneticVariation", Self.angle(variation.degreesEast)) }
            if heading.turnRate.isFinite { add("rateOfTurn", Self.angle(heading.turnRate)) }
            if heading.pitch.isFinite, heading.roll.isFinite {
                let yaw = Self.angle(trueDirection?.degrees ?? magnetic.degrees)
                add(
                    "attitude",
                    #"{"roll":\#(Self.angle(heading.roll)),"pitch":\#(Self.angle(heading.pitch)),"yaw":\#(yaw)}"#)
            }
        }
        if withPlace, let fix, fix.latitude.isFinite, fix.longitude.isFinite {
            let hasHeight = fix.verticalAccuracy >= 0 && fix.altitude.isFinite
            let height = hasHeight ? #","altitude":\#(FixedPoint.trimmed(fix.altitude, decimals: 2))"# : ""
            let latitude = FixedPoint.trimmed(fix.latitude, decimals: 8)
            let longitude = FixedPoint.trimmed(fix.longitude, decimals: 8)
            add("position", #"{"latitude":\#(latitude),"longitude":\#(longitude)\#(height)}"#)
            if fix.speed >= 0, fix.speed.isFinite {
                add("speedOverGround", FixedPoint.trimmed(fix.speed, decimals: 3))
            }
            if fix.course >= 0, fix.course.isFinite { add("courseOverGroundTrue", Self.angle(fix.course)) }
        }
        guard !values.isEmpty else { return "" }
        let time = UTCDate(
            realMicroseconds: (withHeading ? heading?.realMicroseconds : nil) ?? fix?.realMicroseconds ?? 0)
        return
            #"{"context":"vessels.self","updates":[{"source":{"label":"locateme"},"timestamp":"\#(Self.text(time))","#
            + #""values":[\#(values.joined(separator: ","))]}]}"# + "\n"
    }

    /// Degrees as radians.
    private static func angle(_ degrees: Double) -> String {
        FixedPoint.trimmed(degrees * .pi / 180, decimals: 6)
    }

    /// RFC 3339 with milliseconds.
    private static func text(_ date: UTCDate) -> String {
        let day = [(date.year, 4), (date.month, 2), (date.day, 2)].map { FixedPoint.padded($0.0, $0.1) }
        let time = [date.hour, date.minute, date.second].map { FixedPoint.padded($0, 2) }
        let fraction = FixedPoint.padded(date.microsecond / 1000, 3)
        return day.joined(separator: "-") + "T" + time.joined(separator: ":") + ".\(fraction)Z"
    }
}
