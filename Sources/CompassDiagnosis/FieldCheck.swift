public import Geometry
public import LocateMeModel

/// Compares the calibrated field with the magnetic model's at the place: strength and dip, over the last few seconds.
public struct FieldCheck: Sendable {
    /// What differs.
    public enum Verdict: Hashable, Sendable {
        /// Strength and dip are those of the model.
        case right
        /// The field is not the earth's: iron, a magnet or a current is near.
        case disturbed
        /// The horizontal part is right and the vertical one too small: the vertical axis counts too little.
        case verticalTooSmall
    }

    private var horizontal = 0.0
    private var down = 0.0
    private var count = 0

    /// Estimates that the mean is over.
    private static let span = 100
    private static let least = 50
    /// Relative deviation of the strength that means something: indoors it is 5 to 15 % (Grenoble recordings).
    private static let tolerance = 0.25
    private static let dipTolerance = 15.0
    /// Strengths in µT that are the earth's anywhere, with room for what is about indoors.
    static let plausible = 15.0...90.0

    /// Nothing has been seen yet.
    public init() {}

    /// Takes a calibrated field in µT and the direction up, both in the device frame.
    public mutating func update(field: Vector3, up: Vector3) {
        guard field.isFinite, let up = up.normalized else { return }
        let vertical = field.dot(up)
        count += 1
        let weight = 1 / Double(min(count, Self.span))
        horizontal += ((field - up * vertical).length - horizontal) * weight
        down += (-vertical - down) * weight
    }

    /// Strength in µT; NaN before enough was seen.
    public var strength: Double {
        count >= Self.least ? (horizontal * horizontal + down * down).squareRoot() : .nan
    }
    /// Dip in degrees, down positive; NaN before enough was seen.
    public var inclination: Double {
        guard count >= Self.least, strength > 0 else { return .nan }
        return 90 - Angle.degreesPerRadian * arcCosine(down / strength)
    }

    /// True if a field of that strength in µT and dip in degrees, NaN unknown, is about what is expected, or, where nothing is
    /// expected, one that the earth's field can have.
    static func isEarths(strength: Double, inclination: Double, expected: EarthField?) -> Bool {
        guard let expected, expected.total > 1 else { return plausible.contains(strength) }
        let dip = 90 - Angle.degreesPerRadian * arcCosine(expected.down / expected.total)
        return abs(strength / expected.total - 1) <= tolerance
            && (inclination.isNaN || abs(inclination - dip) <= dipTolerance)
    }

    /// What differs from the model's field, `right` while too little was seen or nothing is expected.
    public func verdict(expected: EarthField?) -> Verdict {
        guard let expected, count >= Self.least, expected.total > 1 else { return .right }
        guard !Self.isEarths(strength: strength, inclination: inclination, expected: expected) else { return .right }
        if abs(horizontal / expected.horizontal - 1) < 0.1, expected.down != 0, down / expected.down > -0.1,
            down / expected.down < 0.6
        {
            return .verticalTooSmall
        }
        return .disturbed
    }
}
