import Geometry

/// A session's heading filter, as Core Location's `headingFilter`: the least turn in degrees before another heading is
/// delivered.
///
/// The rule, exactly: a heading passes if
/// 1. the threshold is `none`, or
/// 2. none has passed since the start or `reset`, or
/// 3. its validity differs from that of the last that passed, or
/// 4. both are valid and the shortest turn from the last that passed is at least the threshold.
///
/// The last that passed is the one that counts, not the last offered, so a slow turn adds up. A change of the threshold lets
/// nothing pass by itself; it holds from the next heading on.
public struct HeadingFilter: Hashable, Sendable {
    /// Every heading passes.
    public static let none = -1.0
    /// Core Location's default.
    public static let standard = 1.0

    /// Degrees, or `none`. Anything below 0 and NaN count as `none`.
    public var thresholdDegrees: Double
    /// The last heading that passed, −1 if it was invalid; nil if none has.
    public private(set) var lastDelivered: Double?

    /// A filter at which nothing has passed.
    public init(thresholdDegrees: Double = HeadingFilter.standard) { self.thresholdDegrees = thresholdDegrees }

    /// Whether a heading in degrees passes; negative and non-finite ones are invalid headings. One that passes is
    /// remembered.
    public mutating func passes(_ heading: Double) -> Bool {
        let isValid = heading >= 0 && heading.isFinite
        guard decide(heading, isValid: isValid) else { return false }
        lastDelivered = isValid ? heading : -1
        return true
    }

    /// The least further turn in degrees, from a heading that has just been offered, before another can pass; 0 if any could.
    /// As `passes` for invalid headings.
    public func headroomDegrees(from heading: Double) -> Double {
        guard thresholdDegrees >= 0, let lastDelivered, lastDelivered >= 0, heading >= 0, heading.isFinite else {
            return 0
        }
        return max(0, thresholdDegrees - abs(Angle.turn(from: lastDelivered, to: heading)))
    }

    /// Forgets what has passed: the next heading passes.
    public mutating func reset() { lastDelivered = nil }

    private func decide(_ heading: Double, isValid: Bool) -> Bool {
        guard thresholdDegrees >= 0, let lastDelivered else { return true }
        guard (lastDelivered >= 0) == isValid else { return true }
        return isValid && abs(Angle.turn(from: lastDelivered, to: heading)) >= thresholdDegrees
    }
}
