public import LocateMeModel

/// Tells when the device is somewhere else: by a distance that is certain in spite of both accuracies, and not more
/// often than an interval. The first fix is told as it is, so that there is something to compare with. No fix is too
/// inaccurate: one that is only proves less.
public struct SignificantChangeDetector: Hashable, Sendable {
    /// Metres, default and least.
    public static let distance = 500.0
    /// Seconds, default.
    public static let interval: UInt32 = 300

    /// Metres.
    public var distance = Self.distance
    /// Seconds.
    public var intervalSeconds = Self.interval
    /// What was told last.
    public var last: Fix?

    /// Nothing was told.
    public init() {}

    /// True if the fix is to be told, which is then remembered.
    public mutating func update(_ fix: Fix) -> Bool {
        guard let last else {
            self.last = fix
            return true
        }
        guard fix.bootMicroseconds - last.bootMicroseconds >= Int64(intervalSeconds) * 1_000_000,
            last.metres(to: fix) - fix.horizontalAccuracy - last.horizontalAccuracy >= distance
        else { return false }
        self.last = fix
        return true
    }

    /// CLOCK_BOOTTIME in µs before which no fix can be told.
    public var nextPossible: Int64 {
        last.map { $0.bootMicroseconds + Int64(intervalSeconds) * 1_000_000 } ?? .min
    }
}
