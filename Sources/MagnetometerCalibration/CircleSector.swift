import func Glibc.atan2

/// Twenty sectors of 18° each, from −x counter-clockwise: the coverage of a turn on the level.
enum CircleSector {
    /// Number of sectors.
    static let count = 20

    /// The sector of a direction, 0…19.
    static func index(x: Double, y: Double) -> Int {
        min(count - 1, max(0, Int((atan2(y, x) + .pi) / (2 * .pi) * Double(count))))
    }
}
