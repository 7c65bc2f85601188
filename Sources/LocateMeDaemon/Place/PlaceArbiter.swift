internal import LocateMeModel

/// Decides which of several sources' fixes is the place. Sources are known by their index.
///
/// The most accurate fresh fix of a live source counts. A configured place counts only while no live source is fresh,
/// or while it is more accurate than the live one and agrees with it: a receiver that says that we are elsewhere
/// is evidence, a file is not.
struct PlaceArbiter {
    /// A live fix older than this no longer counts as the present place, in µs: five missed fixes of a receiver that
    /// sends one each second, and a margin for slow ones.
    static let freshMicroseconds: Int64 = 10_000_000
    /// Two fixes agree if they are closer than this many times the sum of their 68 % accuracies.
    static let agreement = 3.0

    private var latest: [Fix?]
    private var silent: [Bool]

    /// No source has delivered yet.
    init(sources: Int) {
        latest = Array(repeating: nil, count: sources)
        silent = Array(repeating: false, count: sources)
    }

    /// Takes a valid fix of one source. Returns it if it is now the place, nil if another source's is better.
    mutating func take(_ fix: Fix, from source: Int, now: Int64) -> Fix? {
        guard latest.indices.contains(source) else { return nil }
        latest[source] = fix
        silent[source] = false
        return best(now: now)?.source == source ? fix : nil
    }

    /// Says that a source has no position now; its last fix stays known but is no longer the place.
    mutating func lose(_ source: Int) {
        guard silent.indices.contains(source) else { return }
        silent[source] = true
    }

    /// Forgets a source's fix, such as the old one of a configured place that was changed.
    mutating func forget(_ source: Int) {
        guard latest.indices.contains(source) else { return }
        latest[source] = nil
        silent[source] = false
    }

    /// The place now, nil if no source has a fresh fix.
    func current(now: Int64) -> Fix? { best(now: now)?.fix }

    /// The place now or, flagged as cached, the newest that was known. `maximumAge` in µs, 0 for any.
    func lastKnown(maximumAge: Int64, now: Int64) -> Fix? {
        if let current = current(now: now), isYoung(current, maximumAge: maximumAge, now: now) { return current }
        let known = latest.compactMap { $0 }.max { $0.bootMicroseconds < $1.bootMicroseconds }
        guard var known, isYoung(known, maximumAge: maximumAge, now: now) else { return nil }
        known.flags.insert(.cached)
        return known
    }

    private func isYoung(_ fix: Fix, maximumAge: Int64, now: Int64) -> Bool {
        maximumAge == 0 || fix.flags.contains(.fixed) || now - fix.bootMicroseconds <= maximumAge
    }

    private func best(now: Int64) -> (fix: Fix, source: Int)? {
        var live: (fix: Fix, source: Int)?
        var configured: (fix: Fix, source: Int)?
        for (source, known) in latest.enumerated() {
            guard let fix = known, !silent[source] else { continue }
            if fix.flags.contains(.fixed) {
                if fix.horizontalAccuracy < configured?.fix.horizontalAccuracy ?? .infinity {
                    configured = (fix, source)
                }
            } else if now - fix.bootMicroseconds <= Self.freshMicroseconds,
                fix.horizontalAccuracy < live?.fix.horizontalAccuracy ?? .infinity
            {
                live = (fix, source)
            }
        }
        guard let live else { return configured }
        guard let configured, configured.fix.horizontalAccuracy < live.fix.horizontalAccuracy else { return live }
        let sum = configured.fix.horizontalAccuracy + live.fix.horizontalAccuracy
        let agrees = GroundDistance.metres(from: configured.fix, to: live.fix) <= Self.agreement * sum
        return agrees ? configured : live
    }
}
