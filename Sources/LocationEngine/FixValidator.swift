internal import Geometry
public import LocateMeModel

/// Decides whether a fix that one source gave may be used, and repairs what can be repaired: place, accuracies, motion,
/// time. One validator for each source, because the order of times is the source's own.
///
/// Boot time orders fixes and measures ages; the source's date is for people only. Hence a receiver whose date is off by
/// a rollover of the GPS week number is as good as any other. One thing a date does prove: a fix that is long past
/// when it comes in is one that the source had kept. It gets the boot time of its moment and the flag `cached`. A
/// source whose fixes are all past by the same time has a wrong clock instead, which shows with the third. One that was
/// kept from before what the source has already given tells nothing new; if the next one follows it, the source's clock was
/// set back.
public struct FixValidator: Sendable {
    /// Why a fix was dropped.
    public enum DropReason: String, Hashable, Sendable, CaseIterable {
        /// Latitude or longitude is not finite, or the latitude beyond ±90°.
        case placeInvalid = "place-invalid"
        /// Exactly (0, 0), which many receivers give for "unknown", without signs that it is meant.
        case placeZero = "place-zero"
        /// Horizontal accuracy negative or not finite.
        case accuracyInvalid = "accuracy-invalid"
        /// Horizontal accuracy above half of the earth's circumference.
        case accuracyAbsurd = "accuracy-absurd"
        /// Later than the synchronised clock by more than is explained.
        case timeInFuture = "time-in-future"
        /// Much earlier than the source's fixes before.
        case timeBackward = "time-backward"
    }

    /// The decision on one fix.
    public enum Verdict: Hashable, Sendable {
        /// Usable, after repairs.
        case accepted(Fix)
        /// Not usable.
        case dropped(DropReason)

        /// The usable fix, if it is one.
        public var fix: Fix? {
            if case .accepted(let fix) = self { fix } else { nil }
        }
    }

    /// Tunables. The defaults are the product's rules.
    public struct Parameters: Hashable, Sendable {
        /// A fix at exactly (0, 0) is believed up to this accuracy in metres, if it is three-dimensional or corrected.
        public var zeroPlaceAccuracy = 100.0
        /// An accuracy better than this, in metres, is believed only of carrier-phase receivers and configured places.
        public var smallestPlainAccuracy = 0.1
        /// Metres; half of the earth's circumference.
        public var largestAccuracy = 20_000_000.0
        /// An unknown vertical accuracy is taken to be the horizontal one times this, the usual ratio of dilutions.
        public var verticalRatio = 1.5
        /// Below this speed in m/s a course is noise.
        public var slowestCourse = 0.5
        /// Speeds from here on, in m/s, are no motion on or near the earth.
        public var fastestSpeed = 12_000.0
        /// Heights in metres that are on, in or near the earth: below its deepest trench (10.9 km) nobody has a receiver, beyond
        /// geostationary satellites (35,786 km) neither.
        public var believedAltitudes = -12_000.0...40_000_000.0
        /// A time up to so many microseconds ahead of the clock is believed.
        public var futureTolerance: Int64 = 2_000_000
        /// A step backward up to so many microseconds is a leap second correction: delivered, with the latest time given
        /// before.
        public var backwardTolerance: Int64 = 30_000_000
        /// After so many fixes in a row from further back than that, the source's clock counts as corrected.
        public var backwardPatience = 5
        /// A fix whose time is up to so many microseconds behind a clock that is right was measured when it came in.
        public var lagTolerance: Int64 = 10_000_000
        /// After so many fixes in a row that are behind by the same time, that is an error of the source's clock.
        public var lagPatience = 3
        /// The same after fixes that were not behind.
        public var stepPatience = 2
        /// Two lags are the same if they differ by at most so many microseconds.
        public var lagJitter: Int64 = 2_000_000
        /// UTC in microseconds since the Unix epoch: the system clock cannot be right if it is before this.
        public var earliestClock: Int64

        /// The rules, for a program that was built at a time.
        public init(earliestClock: Int64) { self.earliestClock = earliestClock }
    }

    /// A rollover of the ten-bit GPS week number: 1024 weeks in microseconds.
    static let rolloverMicroseconds: Int64 = 1024 * 7 * 86_400 * 1_000_000
    /// The end of the year 9999; later times are none, and neither are those before 1970.
    static let endOfTime: Int64 = 253_402_300_800 * 1_000_000

    /// Number of drops by reason.
    public private(set) var drops: [DropReason: Int] = [:]
    /// Why the latest fix was dropped; nil if it was accepted or there was none. A log line is due when this changes.
    public private(set) var latestDrop: DropReason?

    private let parameters: Parameters
    private var latestReal: Int64 = .min
    private var latestBoot: Int64 = .min
    private var backwardRun = 0
    private var lag: Int64 = 0
    private var lagRun = 0

    /// A validator that has seen nothing.
    public init(parameters: Parameters) { self.parameters = parameters }

    /// Decides on a fix at a moment.
    public mutating func validate(_ fix: Fix, at clock: ClockReading) -> Verdict {
        var fix = fix
        do throws(DropReason) {
            try checkPlace(&fix)
            clean(&fix)
            try checkTime(&fix, clock)
        } catch {
            drops[error, default: 0] += 1
            latestDrop = error
            return .dropped(error)
        }
        latestDrop = nil
        return .accepted(fix)
    }

    // MARK: - Place

    private func checkPlace(_ fix: inout Fix) throws(DropReason) {
        guard fix.latitude.isFinite, abs(fix.latitude) <= 90, fix.longitude.isFinite else { throw .placeInvalid }
        fix.longitude = Angle.wrap180(fix.longitude)
        guard fix.horizontalAccuracy.isFinite, fix.horizontalAccuracy >= 0 else { throw .accuracyInvalid }
        guard fix.horizontalAccuracy <= parameters.largestAccuracy else { throw .accuracyAbsurd }
        if fix.latitude == 0, fix.longitude == 0 {
            let isSubstantial = fix.verticalAccuracy >= 0 || fix.correction != .none
            let isAccurate = fix.horizontalAccuracy > 0 && fix.horizontalAccuracy <= parameters.zeroPlaceAccuracy
            guard isSubstantial, isAccurate else { throw .placeZero }
        }
        let believesSmall = fix.correction == .realTimeKinematic || fix.flags.contains(.fixed)
        if fix.horizontalAccuracy == 0 || fix.horizontalAccuracy < parameters.smallestPlainAccuracy && !believesSmall {
            fix.horizontalAccuracy = Self.floor(ofSource: fix.source)
        }
    }

    /// Metres, 68 %: what a source of that kind achieves when it does not say.
    private static func floor(ofSource source: String) -> Double {
        switch source {
        case "wifi": 20
        case "cell": 1000
        case "ip": 5000
        default: 3
        }
    }

    /// Marks members that make no sense as invalid, each for itself.
    private func clean(_ fix: inout Fix) {
        // NaN is in no range.
        if !parameters.believedAltitudes.contains(fix.altitude) { fix.altitude = .nan }
        if !parameters.believedAltitudes.contains(fix.ellipsoidalAltitude) { fix.ellipsoidalAltitude = .nan }
        let hasHeight = fix.altitude.isFinite || fix.ellipsoidalAltitude.isFinite
        if !hasHeight || !fix.verticalAccuracy.isFinite || fix.verticalAccuracy < 0 {
            fix.verticalAccuracy = -1
        } else if fix.verticalAccuracy == 0 {
            fix.verticalAccuracy = fix.horizontalAccuracy * parameters.verticalRatio
        }
        if !fix.speed.isFinite || fix.speed < 0 || fix.speed >= parameters.fastestSpeed { fix.speed = -1 }
        if !fix.speedAccuracy.isFinite || fix.speedAccuracy <= 0 || fix.speed < 0 { fix.speedAccuracy = -1 }
        if fix.course == 360 { fix.course = 0 }
        let isSlow = fix.speed >= 0 && fix.speed < parameters.slowestCourse
        if !fix.course.isFinite || fix.course < 0 || fix.course > 360 || isSlow { fix.course = -1 }
        if !fix.courseAccuracy.isFinite || fix.courseAccuracy <= 0 || fix.course < 0 { fix.courseAccuracy = -1 }
    }

    // MARK: - Time

    private mutating func checkTime(_ fix: inout Fix, _ clock: ClockReading) throws(DropReason) {
        let now = min(max(clock.realMicroseconds, 0), Self.endOfTime)
        let isClockSure = clock.isSynchronized && now >= parameters.earliestClock
        let hasTime = fix.realMicroseconds > 0 && fix.realMicroseconds < Self.endOfTime
        if hasTime {
            repairRollover(&fix, now, isClockSure: isClockSure)
            if isClockSure { try dateBack(&fix, now, clock) }
            if fix.realMicroseconds - now > parameters.futureTolerance {
                guard !isClockSure else { throw .timeInFuture }
                fix.flags.insert(.clockUnsure)
            }
        } else {
            fix.realMicroseconds = now
            fix.flags.insert(.clockUnsure)
        }
        try keepOrder(&fix, isTimeKnown: hasTime || isClockSure)
        fix.bootMicroseconds = max(min(fix.bootMicroseconds, clock.bootMicroseconds), latestBoot &+ 1)
        latestBoot = fix.bootMicroseconds
    }

    /// Gives a fix that was kept by its source the boot time at which it was true, which is negative if that was before
    /// the machine started.
    private mutating func dateBack(_ fix: inout Fix, _ now: Int64, _ clock: ClockReading) throws(DropReason) {
        let behind = now - fix.realMicroseconds
        guard behind > parameters.lagTolerance else {
            lagRun = 0
            return
        }
        lagRun = lagRun > 0 && abs(behind - lag) <= parameters.lagJitter ? lagRun + 1 : 1
        lag = behind
        let moment = min(fix.bootMicroseconds, clock.bootMicroseconds) &- behind
        let isOlderThanKnown = moment <= latestBoot
        if lagRun >= (isOlderThanKnown ? parameters.stepPatience : parameters.lagPatience) {
            fix.flags.insert(.clockUnsure)
            return
        }
        // With a later boot time, which order demands, it would pass for a place of now.
        guard !isOlderThanKnown else {
            backwardRun += 1
            throw .timeBackward
        }
        fix.bootMicroseconds = moment
        fix.flags.insert(.cached)
    }

    /// Moves a date that is off by more than 512 weeks by the nearest number of rollovers.
    private func repairRollover(_ fix: inout Fix, _ now: Int64, isClockSure: Bool) {
        let ahead = fix.realMicroseconds - max(now, parameters.earliestClock)
        guard abs(ahead) > Self.rolloverMicroseconds / 2 else { return }
        let rollovers = (Double(ahead) / Double(Self.rolloverMicroseconds)).rounded()
        fix.realMicroseconds -= Int64(rollovers) * Self.rolloverMicroseconds
        fix.flags.insert(.timeRepaired)
        if !isClockSure { fix.flags.insert(.clockUnsure) }
    }

    /// Real time never goes backward, except where the source's clock turns out to have been corrected.
    private mutating func keepOrder(_ fix: inout Fix, isTimeKnown: Bool) throws(DropReason) {
        if latestReal != .min, fix.realMicroseconds < latestReal {
            if latestReal - fix.realMicroseconds <= parameters.backwardTolerance {
                fix.realMicroseconds = latestReal
            } else {
                backwardRun += 1
                guard backwardRun >= parameters.backwardPatience else { throw .timeBackward }
            }
        }
        backwardRun = 0
        // A wrong clock that stood in for an unknown time must not push back the times that the source then gives.
        if isTimeKnown { latestReal = fix.realMicroseconds }
    }
}

extension FixValidator.DropReason: Error {}
