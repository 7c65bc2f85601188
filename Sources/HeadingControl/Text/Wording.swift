internal import LocateMeModel

/// How quantities and enumerations are written for people, the same in every command.
enum Wording {
    /// "273.4°"; "–" for NaN.
    static func degrees(_ value: Double, decimals: Int = 1) -> String {
        value.isFinite ? DecimalText.fixed(value, decimals: decimals) + "°" : "–"
    }

    /// A heading "273.4°", which rounds to "0.0°", never to "360.0°"; "–" if it is invalid (negative or NaN).
    static func heading(_ value: Double) -> String { value >= 0 ? headingNumber(value, decimals: 1) + "°" : "–" }

    /// A heading as a plain number in [0, 360) after rounding.
    static func headingNumber(_ value: Double, decimals: Int) -> String {
        let text = DecimalText.fixed(value, decimals: decimals)
        return text.hasPrefix("360") ? DecimalText.fixed(0, decimals: decimals) : text
    }

    /// "±4.2°", "±18°" from ten degrees on; "–" if it is invalid.
    static func accuracy(_ value: Double) -> String {
        value >= 0 ? "±" + DecimalText.fixed(value, decimals: value < 9.95 ? 1 : 0) + "°" : "–"
    }

    /// "48.2 µT"; "–" for NaN.
    static func microtesla(_ value: Double, unicode: Bool = true) -> String {
        value.isFinite ? DecimalText.fixed(value, decimals: 1) + (unicode ? " µT" : " uT") : "–"
    }

    /// "3.4° E", "3.4° W"; "–" for NaN.
    static func declination(_ value: Double) -> String {
        value.isFinite ? degrees(value.magnitude) + (value < 0 ? " W" : " E") : "–"
    }

    /// ("47.37690° N", "8.54170° E").
    static func place(latitude: Double, longitude: Double) -> (latitude: String, longitude: String) {
        (
            "\(degrees(latitude.magnitude, decimals: 5)) \(latitude < 0 ? "S" : "N")",
            "\(degrees(longitude.magnitude, decimals: 5)) \(longitude < 0 ? "W" : "E")"
        )
    }

    /// "±5 m", "±1.2 km".
    static func metres(accuracy value: Double) -> String {
        guard value >= 0, value.isFinite else { return "–" }
        if value >= 10_000 { return "±\(DecimalText.fixed(value / 1000, decimals: 0)) km" }
        if value >= 1000 { return "±\(DecimalText.fixed(value / 1000, decimals: 1)) km" }
        return "±\(DecimalText.fixed(value, decimals: value < 9.95 ? 1 : 0)) m"
    }

    /// "very good".
    static func quality(_ quality: CalibrationQuality) -> String {
        switch quality {
        case .unknown: "unknown"
        case .uncalibrated: "uncalibrated"
        case .coarse: "coarse"
        case .good: "good"
        case .veryGood: "very good"
        }
    }

    /// The word of `--orientation`.
    static func orientation(_ orientation: HeadingOrientation) -> String {
        switch orientation {
        case .portrait: "portrait"
        case .upsideDown: "upside-down"
        case .landscapeLeft: "landscape-left"
        case .landscapeRight: "landscape-right"
        }
    }

    /// What a heading was made from, in words.
    static func source(_ source: HeadingSource) -> String {
        switch source {
        case .fused9: "magnetometer, accelerometer and gyroscope"
        case .fused6: "magnetometer and one more sensor"
        case .tilt: "magnetometer and accelerometer"
        case .flat: "magnetometer alone, held level"
        case .hub: "a sensor hub"
        case .nmea: "a compass that sends NMEA 0183"
        case .unknown: "sensors that were not named"
        }
    }
}
