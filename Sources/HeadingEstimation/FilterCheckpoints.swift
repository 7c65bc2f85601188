/// States of the magnetic filter at times past, in a ring of fixed size: where to go back to when a magnet turns out to have been
/// met a little earlier.
struct FilterCheckpoints {
    /// The filter before it used the sample of that number.
    struct Checkpoint {
        var time: Double
        var number: Int
        var filter: MagneticFilter
    }

    /// Spacing in s times this covers rollback and look-ahead.
    private static let capacity = 20
    private var ring: [Checkpoint] = []
    private var kept = 0
    private var first = 0

    /// Empty; the storage is reserved at once.
    init() { ring.reserveCapacity(Self.capacity) }

    /// Time of the newest, nil if there is none.
    var newestTime: Double? { kept > first ? ring[(kept - 1) % Self.capacity].time : nil }

    /// Keeps a state newer than all others.
    mutating func append(_ checkpoint: Checkpoint) {
        let index = kept % Self.capacity
        if index < ring.count { ring[index] = checkpoint } else { ring.append(checkpoint) }
        kept += 1
        first = max(first, kept - Self.capacity)
    }

    /// The newest state that is not newer than `time`, or the oldest of all; nil if there is none. The newer ones are forgotten.
    mutating func goBack(to time: Double) -> Checkpoint? {
        guard kept > first else { return nil }
        while kept - 1 > first, ring[(kept - 1) % Self.capacity].time > time { kept -= 1 }
        return ring[(kept - 1) % Self.capacity]
    }

    /// Forgets all.
    mutating func removeAll() { first = kept }
}
