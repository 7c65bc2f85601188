internal import Geometry
public import LocateMeModel

import func Glibc.cos
import func Glibc.log
import func Glibc.sin

/// Coarsens places for one application: what it learns is a cell of about 2 km × 2 km and nothing else.
///
/// First a secret offset is added, then the sum is snapped to the middle of its cell. The offset walks by the hour, so
/// that a long stay cannot be averaged to the true place and a crossing of a cell's edge tells no more than some hundred
/// metres: x ← 0.03 r + √(1 − 0.03²) x with r from the same distribution as x, which keeps its spread. The same cell
/// gives the same answer, and a new one comes at most each 10 minutes.
public struct ReducedAccuracy: Hashable, Sendable {
    /// Edge of a cell in metres.
    public static let cell = 2000.0
    /// Published accuracy in metres.
    public static let accuracy = 3000.0
    /// Standard deviation of the offset in metres, north and east each.
    public static let offset = 750.0
    /// Share of the new offset in the next.
    public static let step = 0.03
    /// Microseconds between new answers.
    public static let holdMicroseconds: Int64 = 600_000_000

    private static let hour: Int64 = 3_600_000_000
    /// Metres of one degree of latitude, mean of the ellipsoid.
    private static let metresPerDegree = 111_195.0

    private let beginning: Int64
    private var state: UInt64
    private var hours: Int64 = 0
    private var north = 0.0
    private var east = 0.0
    private var answer: Fix?
    private var answered: Int64 = .min

    /// Coarsens with a secret of the application, which began to hold at a UTC in µs since the Unix epoch. The same
    /// secret, beginning and time give the same offset, so that a restart tells nothing new.
    public init(secret: UInt64, beginning: Int64) {
        self.beginning = beginning
        state = secret
        (north, east) = draw()
    }

    /// The coarse fix in place of an exact one. `now` is UTC in µs since the Unix epoch, `boot` CLOCK_BOOTTIME in µs.
    public mutating func coarsen(_ fix: Fix, now: Int64, boot: Int64) -> Fix {
        walk(to: now)
        var place = middle(of: fix)
        if let answer {
            let isSame = answer.latitude == place.latitude && answer.longitude == place.longitude
            if !isSame, boot - answered < Self.holdMicroseconds {
                (place.latitude, place.longitude) = (answer.latitude, answer.longitude)
            } else if !isSame {
                answered = boot
            }
        } else {
            answered = boot
        }
        answer = place
        return place
    }

    // MARK: - Private

    private func middle(of fix: Fix) -> Fix {
        let row = Self.cell / Self.metresPerDegree
        let shifted = min(max(fix.latitude + north / Self.metresPerDegree, -90), 90)
        let latitude = min(max(((shifted / row).rounded(.down) + 0.5) * row, -90), 90)
        let shrink = max(cos(latitude * Angle.radiansPerDegree), 1e-3)
        let column = row / shrink
        let longitude = ((fix.longitude + east / (Self.metresPerDegree * shrink)) / column).rounded(.down) + 0.5
        var place = Fix(
            realMicroseconds: fix.realMicroseconds, bootMicroseconds: fix.bootMicroseconds, latitude: latitude,
            longitude: Angle.wrap180(longitude * column), horizontalAccuracy: max(Self.accuracy, fix.horizontalAccuracy)
        )
        place.flags = fix.flags.intersection([.simulated, .cached, .clockUnsure])
        place.flags.insert(.reduced)
        return place
    }

    /// Takes the steps of the hours that have passed since.
    private mutating func walk(to now: Int64) {
        let wanted = max(0, now &- beginning) / Self.hour
        // After some weeks nothing is left of the first offset: no need for more steps than that after a clock jump.
        if wanted - hours > 100_000 { hours = wanted - 100_000 }
        while hours < wanted {
            hours += 1
            let fresh = draw()
            let keep = (1 - Self.step * Self.step).squareRoot()
            north = Self.step * fresh.north + keep * north
            east = Self.step * fresh.east + keep * east
        }
    }

    /// Two normal numbers (Box and Muller 1958).
    private mutating func draw() -> (north: Double, east: Double) {
        let radius = Self.offset * (-2 * log(uniform())).squareRoot()
        let angle = 2 * Double.pi * uniform()
        return (radius * cos(angle), radius * sin(angle))
    }

    /// In (0, 1], by SplitMix64 (Steele, Lea and Flood 2014).
    private mutating func uniform() -> Double {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        mixed ^= mixed >> 31
        return (Double(mixed >> 11) + 1) / 9_007_199_254_740_992
    }
}
