public import LocateMeModel

/// Holds fixes that nothing could have moved to, until the next one says whether the jump was real.
///
/// From the last accepted fix, a fix may be as far as the speed limit (or three times the speed that the fix itself gives,
/// if that is more) allows in the time between, and both accuracies on top: a coarse fix of 50 km must not
/// block the exact one after it. One that is farther is held. If the next fix is as far away but agrees with the held
/// one by the same measure, both pass; if not, the held one is dropped and the next is judged by itself.
public struct PlausibilityGate: Hashable, Sendable {
    /// What became of a fix.
    public enum Verdict: Hashable, Sendable {
        /// It passes.
        case passed
        /// It waits for another that agrees; what waited before is dropped.
        case held
        /// It passes, and before it the one that was held.
        case confirmed(held: Fix)
    }

    /// Speeds in m/s that nothing of the kind exceeds.
    public enum Limit {
        /// On foot, running downhill.
        public static let walk = 15.0
        /// On roads and rails.
        public static let vehicle = 90.0
        /// Anything: airliners in the jet stream reach 350.
        public static let other = 350.0

        /// The limit for a number of `Location1.ActivityType`.
        public static func forActivity(_ type: UInt32) -> Double {
            switch type {
            case 2, 4: vehicle
            case 3: walk
            default: other
            }
        }
    }

    private var accepted: Fix?
    private var held: Fix?

    /// Nothing has passed, so the first fix will.
    public init() {}

    /// Forgets what has passed.
    public mutating func reset() { self = PlausibilityGate() }

    /// Judges a fix. `limit` in m/s.
    public mutating func judge(_ fix: Fix, limit: Double) -> Verdict {
        guard let accepted, !fix.flags.contains(.fixed), !accepted.flags.contains(.fixed) else { return pass(fix) }
        if Self.canReach(fix, from: accepted, limit: limit) { return pass(fix) }
        guard let waiting = held, Self.canReach(fix, from: waiting, limit: limit) else {
            held = fix
            return .held
        }
        _ = pass(fix)
        return .confirmed(held: waiting)
    }

    private mutating func pass(_ fix: Fix) -> Verdict {
        accepted = fix
        held = nil
        return .passed
    }

    /// Written without a division, since two fixes may have one time.
    static func canReach(_ fix: Fix, from earlier: Fix, limit: Double) -> Bool {
        let seconds = Double(abs(fix.bootMicroseconds - earlier.bootMicroseconds)) * 1e-6
        let speed = max(3 * fix.speed, limit)
        let reach = speed * seconds + fix.horizontalAccuracy + earlier.horizontalAccuracy
        return earlier.metres(to: fix) <= reach
    }
}
