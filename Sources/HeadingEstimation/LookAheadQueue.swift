/// Magnetometer samples waiting for their look-ahead to pass, and behind them those already used, as far as the ring
/// reaches: they are used again when a magnet turns out to have been met a little earlier. Fixed size.
struct LookAheadQueue {
    /// Look-ahead and rollback together reach 3 s: at 200 Hz and then some.
    private static let capacity = 768
    private var ring: [PendingField] = []
    /// Number of samples ever appended, and ever taken.
    private var appended = 0
    private(set) var taken = 0
    /// The earliest sample that may be used again.
    private var earliest = 0

    /// An empty queue; its storage is reserved at once.
    init() { ring.reserveCapacity(Self.capacity) }

    /// Number of samples waiting.
    var count: Int { appended - taken }

    /// True if one more sample would overwrite the oldest that waits.
    var isFull: Bool { count == Self.capacity }

    /// Adds the newest sample; a full queue traps.
    mutating func append(_ field: PendingField) {
        precondition(!isFull, "the look-ahead queue is full: take a sample first")
        let index = appended % Self.capacity
        if index < ring.count { ring[index] = field } else { ring.append(field) }
        appended += 1
    }

    /// Time of the oldest sample that waits, nil if none does.
    var oldestTime: Double? { count > 0 ? ring[taken % Self.capacity].time : nil }

    /// Takes the oldest sample that waits, nil if none does.
    mutating func takeOldest() -> PendingField? {
        guard count > 0 else { return nil }
        defer { taken += 1 }
        return ring[taken % Self.capacity]
    }

    /// True if all samples from `number` on (counted from the first ever taken) are still there.
    func reaches(back number: Int) -> Bool { number >= max(earliest, appended - Self.capacity) }

    /// A sample already taken, by its number; it must be within reach.
    subscript(number: Int) -> PendingField { ring[number % Self.capacity] }

    /// Forbids going back behind the present: what was taken so far belongs to another attitude or calibration.
    mutating func forgetTaken() { earliest = taken }
}
