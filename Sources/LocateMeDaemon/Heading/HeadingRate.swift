/// How fast the sensors must run for a session.
enum HeadingRate {
    /// Hz that serve a heading filter in degrees (negative: none).
    ///
    /// A hand turns a device at up to about 200°/s, so a fine filter is served by all that is worth drawing, a coarse
    /// one by less. Found by reckoning, not by a source.
    static func hertz(filterDegrees: Double) -> Double { filterDegrees < 5 ? 50 : 25 }

    /// Hz for a single heading.
    static let single = 25.0
}
