public import LocateMeModel

/// Fixes of one session that wait to be delivered together: until the oldest has waited for the maximum delay, until there
/// are 1000, or until they are asked for.
public struct FixBatch: Sendable {
    /// A batch never holds more.
    public static let capacity = 1000

    /// What waits, the newest last.
    public private(set) var fixes: [Fix] = []
    /// CLOCK_BOOTTIME in µs at which the batch is due; nil if nothing waits.
    public private(set) var deadline: Int64?

    /// Nothing waits.
    public init() {}

    /// Takes a fix at a CLOCK_BOOTTIME in µs; true if the batch is due now.
    public mutating func add(_ fix: Fix, maximumDelayMilliseconds delay: UInt32, now: Int64) -> Bool {
        fixes.append(fix)
        let due = now + Int64(delay) * 1000
        deadline = min(deadline ?? due, due)
        return delay == 0 || fixes.count >= Self.capacity
    }

    /// Empties the batch and gives what was in it.
    public mutating func removeAll() -> [Fix] {
        deadline = nil
        defer { fixes = [] }
        return fixes
    }
}
