public import LocateMeModel

/// Decides which of several sources' fixes is the place. Sources are known by their index.
///
/// The most accurate fresh fix of a live source counts. A configured place counts only while no live source is fresh,
/// or while it is more accurate than the live one and agrees with it: a receiver that says that we are elsewhere
/// is evidence, a file is not.
public struct PlaceArbiter: Sendable {
    /// A live fix older than this no longer counts as the present place, in µs: five missed fixes of a receiver that
    /// sends one each second, and a margin for slow ones.
    public static let freshMicroseconds: Int64 = 10_000_000
    /// Two fixes agree if they are closer than this many times the sum of their 68 % accuracies.
    public static let agreement = 3.0
    /// m/s by which the accuracy of an old fix grows with its age if it says no speed: a walk.
    public static let agingSpeed = 1.0
    /// Metres that no accuracy exceeds: half of the earth's circumference.
    public static let largestAccuracy = 20_000_000.0

    /// Why a source was chosen.
    public enum Reason: String, Hashable, Sendable {
        /// No other is fresh.
        case onlyFresh = "no other source is fresh"
        /// It is more accurate than the others.
        case mostAccurate = "it is the most accurate"
        /// A configured place, since no receiver has a fix.
        case noReceiver = "no receiver has a fix"
        /// A configured place that is more accurate than the receiver's and agrees with it.
        case agrees = "it is more accurate than the receiver and agrees with it"
        /// A receiver that disagrees with the configured place.
        case disagrees = "the configured place is elsewhere"
    }

    /// What was chosen.
    public struct Choice: Hashable, Sendable {
        /// The place.
        public var fix: Fix
        /// Index of its source.
        public var source: Int
        /// Why this one.
        public var reason: Reason
    }

    private var latest: [Fix?]
    private var silent: [Bool]
    private var stored: Fix?

    /// No source has delivered yet.
    public init(sources: Int) {
        latest = Array(repeating: nil, count: sources)
        silent = Array(repeating: false, count: sources)
    }

    /// A fix that was known at an earlier run, with a boot time made from its age (it may be negative): known, never present.
    public mutating func restore(_ fix: Fix) { stored = fix }

    /// Takes a valid fix of one source. Returns it if it is now the place, nil if another source's is better.
    public mutating func take(_ fix: Fix, from source: Int, now: Int64) -> Fix? {
        guard latest.indices.contains(source) else { return nil }
        latest[source] = fix
        silent[source] = false
        return choice(now: now)?.source == source ? fix : nil
    }

    /// Says that a source has no position now; its last fix stays known but is no longer the place.
    public mutating func lose(_ source: Int) {
        guard silent.indices.contains(source) else { return }
        silent[source] = true
    }

    /// Forgets a source's fix, such as the old one of a configured place that was changed.
    public mutating func forget(_ source: Int) {
        guard latest.indices.contains(source) else { return }
        latest[source] = nil
        silent[source] = false
    }

    /// The place now, nil if no source has a fresh fix.
    public func current(now: Int64) -> Fix? { choice(now: now)?.fix }

    /// The newest fix of a receiver that is known, as it was; for keeping over a restart.
    public var newest: Fix? {
        let fixes = latest.compactMap { $0 }.filter { !$0.flags.contains(.fixed) } + [stored].compactMap { $0 }
        return fixes.max { $0.bootMicroseconds < $1.bootMicroseconds }
    }

    /// The place now or, flagged as cached, the newest that was known, with an accuracy that has grown with its age.
    /// `maximumAge` in µs, 0 for any.
    public func lastKnown(maximumAge: Int64, now: Int64) -> Fix? {
        if let current = current(now: now), isYoung(current, maximumAge: maximumAge, now: now) { return current }
        let all = latest.compactMap { $0 } + [stored].compactMap { $0 }
        let known = all.max { $0.bootMicroseconds < $1.bootMicroseconds }
        guard let known, isYoung(known, maximumAge: maximumAge, now: now) else { return nil }
        return Self.aged(known, now: now)
    }

    /// An old fix as an answer to where the device is now.
    static func aged(_ fix: Fix, now: Int64) -> Fix {
        var fix = fix
        let seconds = Double(max(now &- fix.bootMicroseconds, 0)) * 1e-6
        fix.horizontalAccuracy = min(
            fix.horizontalAccuracy + max(fix.speed, agingSpeed) * seconds, max(largestAccuracy, fix.horizontalAccuracy))
        fix.flags.insert(.cached)
        return fix
    }

    private func isYoung(_ fix: Fix, maximumAge: Int64, now: Int64) -> Bool {
        maximumAge == 0 || fix.flags.contains(.fixed) || now - fix.bootMicroseconds <= maximumAge
    }

    /// The place now and why, nil if no source has a fresh fix.
    public func choice(now: Int64) -> Choice? {
        var live: Choice?
        var configured: Choice?
        var count = 0
        for (source, known) in latest.enumerated() {
            guard let fix = known, !silent[source] else { continue }
            if fix.flags.contains(.fixed) {
                if fix.horizontalAccuracy < configured?.fix.horizontalAccuracy ?? .infinity {
                    configured = Choice(fix: fix, source: source, reason: .noReceiver)
                }
            } else if now - fix.bootMicroseconds <= Self.freshMicroseconds {
                count += 1
                if fix.horizontalAccuracy < live?.fix.horizontalAccuracy ?? .infinity {
                    live = Choice(fix: fix, source: source, reason: .mostAccurate)
                }
            }
        }
        guard var live else { return configured }
        if count == 1 { live.reason = .onlyFresh }
        guard var configured, configured.fix.horizontalAccuracy < live.fix.horizontalAccuracy else { return live }
        let sum = configured.fix.horizontalAccuracy + live.fix.horizontalAccuracy
        if configured.fix.metres(to: live.fix) <= Self.agreement * sum {
            configured.reason = .agrees
            return configured
        }
        live.reason = .disagrees
        return live
    }
}
