/// Finds the unit of a hub's heading. The kernel's scale for `in_rot_from_north_*` cannot be trusted: recent
/// drivers print 1 even if the hub sends tenths, older ones the magnetometer's scale (0.000001), see
/// `hid_sensor_format_scale` and hadess/iio-sensor-proxy PR 15.
///
/// The unit is 1, 1/10 or 1/100 degree: the largest that no value so far contradicts by exceeding 360°. It only
/// ever gets smaller, so it settles as soon as the device has turned past the first tenth of the circle.
struct HubHeadingScale: Hashable, Sendable {
    /// Degrees per count now believed.
    private(set) var degreesPerCount: Double

    /// Starts from the device's scale; nil or an absurd one means that nothing is known.
    ///
    /// One that is a degree in radians, or a power of ten of it, is what drivers print that scale angles to radians: the counts
    /// are degrees or parts of them.
    init(scale: Double?) {
        let ofDegree = (scale ?? 0) / (Double.pi / 180)
        if let power = [1, 0.1, 0.01].first(where: { abs(ofDegree / $0 - 1) < 1e-3 }) {
            degreesPerCount = power
        } else if let scale, (0.001...1).contains(scale) {
            degreesPerCount = scale
        } else {
            degreesPerCount = 1
        }
    }

    /// The heading in [0, 360) degrees for raw counts with the offset already added; nil if they are no heading
    /// in any unit (negative, beyond 360° in hundredths).
    mutating func degrees(_ counts: Double) -> Double? {
        guard counts.isFinite, counts >= 0, counts <= 36000 else { return nil }
        var unit = degreesPerCount
        while counts * unit > 360.5 { unit /= 10 }
        guard unit >= 0.0005 else { return nil }
        degreesPerCount = unit
        let degrees = counts * unit
        return degrees >= 360 ? degrees - 360 : degrees
    }
}
