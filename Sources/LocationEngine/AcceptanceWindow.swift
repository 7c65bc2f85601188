public import LocateMeModel

/// Waits for an accurate fix, but not for ever: the first inaccurate one opens a window that ends with the first
/// accurate fix, after a number of tries or at a fixed deadline, and then the best one counts, not the newest. Further
/// inaccurate fixes do not move the deadline.
public struct AcceptanceWindow: Hashable, Sendable {
    private var best: Fix?
    private var tries: UInt32 = 0
    /// CLOCK_BOOTTIME in µs at which `expire` is due; nil while no window is open.
    public private(set) var deadline: Int64?

    /// No window is open.
    public init() {}

    /// Takes a fix; returns the one that is accepted now, if any.
    public mutating func take(_ fix: Fix, settings: LocationSettings, now: Int64) -> Fix? {
        if settings.requiredAccuracy <= 0 || fix.horizontalAccuracy <= settings.requiredAccuracy {
            if tries > 0 { self = AcceptanceWindow() }
            return fix
        }
        if deadline == nil { deadline = now + Int64(settings.acceptTimeoutMilliseconds) * 1000 }
        tries += 1
        if fix.horizontalAccuracy < best?.horizontalAccuracy ?? .infinity { best = fix }
        return tries >= settings.acceptTries ? expire() : nil
    }

    /// Ends the window; returns its best fix, flagged so.
    public mutating func expire() -> Fix? {
        var fix = best
        fix?.flags.insert(.bestAvailable)
        self = AcceptanceWindow()
        return fix
    }
}
