/// Magnetometer samples waiting for their look-ahead to pass, in a ring of fixed size.
struct LookAheadQueue {
    /// One second at 200 Hz and then some.
    private static let capacity = 256
    private var ring: [PendingField] = []
    private var head = 0
    /// Number of samples waiting.
    private(set) var count = 0

    /// An empty queue; its storage is reserved at once.
    init() { ring.reserveCapacity(Self.capacity) }

    /// True if one more sample would overwrite the oldest.
    var isFull: Bool { count == Self.capacity }

    /// Adds the newest sample; a full queue traps.
    mutating func append(_ field: PendingField) {
        precondition(count < Self.capacity, "the look-ahead queue is full: take a sample first")
        let index = (head + count) % Self.capacity
        if index < ring.count { ring[index] = field } else { ring.append(field) }
        count += 1
    }

    /// Time of the oldest sample, nil if none waits.
    var oldestTime: Double? { count > 0 ? ring[head].time : nil }

    /// Takes the oldest sample, nil if none waits.
    mutating func takeOldest() -> PendingField? {
        guard count > 0 else { return nil }
        let field = ring[head]
        head = (head + 1) % Self.capacity
        count -= 1
        return field
    }

    /// Forgets all.
    mutating func removeAll() { count = 0 }
}
