public import LocateMeModel

/// The fixes of one session on their way through plausibility, acceptance and filter, numbered, and never backward
/// in time. What one session sets changes nothing for another: each has a stream of its own.
public struct LocationStream: Sendable {
    private var plausibility = PlausibilityGate()
    private var window = AcceptanceWindow()
    private var filter = LocationFilter()
    private var speed = DerivedSpeed()
    private var highway = HighwayMode()
    private var sequence: UInt64 = 0
    private var lastReal: Int64 = .min
    private var lastBoot: Int64 = .min

    /// Nothing was delivered.
    public init() {}

    /// CLOCK_BOOTTIME in µs at which `expire` is due; nil: never.
    public var deadline: Int64? { window.deadline }

    /// True while the distance filter is that of fast roads.
    public private(set) var isOnHighway = false

    /// The last delivered fix; nil after a reset.
    public var last: Fix? { filter.last }

    /// A start: the next fix is a first one. Numbers go on.
    public mutating func reset() {
        plausibility.reset()
        window = AcceptanceWindow()
        filter.reset()
        speed = DerivedSpeed()
        highway = HighwayMode()
    }

    /// Takes a fix; calls `deliver` for what is to be delivered now, usually once or not at all. Returns why the fix
    /// itself was not delivered. `isStateChange`: the device begins to stand still or to move, which is told in any case.
    public mutating func take(
        _ fix: Fix, settings: LocationSettings, now: Int64, isStateChange: Bool = false, deliver: (Fix) -> Void
    ) -> FilterReason? {
        switch plausibility.judge(fix, limit: PlausibilityGate.Limit.forActivity(settings.activityType)) {
        case .held: return .implausible
        case .confirmed(let held): _ = accept(held, settings, now, isStateChange: false, deliver)
        case .passed: break
        }
        highway.update(speed: speed.update(fix), bootMicroseconds: fix.bootMicroseconds)
        return accept(fix, settings, now, isStateChange: isStateChange, deliver)
    }

    /// Ends the acceptance window at its deadline; returns what is to be delivered now.
    public mutating func expire(settings: LocationSettings) -> Fix? {
        guard let best = window.expire(), objection(best, settings, isStateChange: false) == nil else { return nil }
        return numbered(best)
    }

    /// The fix with the next number, a real time that does not go backward and a boot time that goes forward.
    public mutating func numbered(_ fix: Fix) -> Fix {
        var fix = fix
        sequence += 1
        fix.sequence = sequence
        if fix.realMicroseconds != 0 {
            fix.realMicroseconds = max(fix.realMicroseconds, lastReal)
            lastReal = fix.realMicroseconds
        }
        fix.bootMicroseconds = max(fix.bootMicroseconds, lastBoot &+ 1)
        lastBoot = fix.bootMicroseconds
        return fix
    }

    private mutating func accept(
        _ fix: Fix, _ settings: LocationSettings, _ now: Int64, isStateChange: Bool, _ deliver: (Fix) -> Void
    ) -> FilterReason? {
        guard let accepted = window.take(fix, settings: settings, now: now) else { return .inaccurate }
        if let reason = objection(accepted, settings, isStateChange: isStateChange) { return reason }
        deliver(numbered(accepted))
        return nil
    }

    private mutating func objection(
        _ fix: Fix, _ settings: LocationSettings, isStateChange: Bool
    ) -> FilterReason? {
        isOnHighway = highway.isOn && settings.widensOnHighways
        return filter.objection(
            to: fix, settings: settings, distanceFilter: isOnHighway ? HighwayMode.distanceFilter : nil,
            isStateChange: isStateChange)
    }
}
