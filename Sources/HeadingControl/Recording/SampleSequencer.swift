internal import SensorRecordings

/// Puts records of several sensors into the order of time: each sensor's own are in order, but they arrive in bursts.
/// Records wait until all that may come before them must have arrived.
struct SampleSequencer {
    /// How long a record waits, in microseconds of its own clock.
    let patience: Int64
    /// Records that came after later ones had been handed out, and were dropped.
    private(set) var dropped = 0
    private var waiting: [Record] = []
    private var handedOut = Int64.min

    /// A sequencer that waits so long.
    init(patienceMicroseconds: Int64) { patience = patienceMicroseconds }

    /// Takes a record.
    mutating func add(_ record: Record) {
        guard record.microseconds >= handedOut else {
            dropped += 1
            return
        }
        // Mostly it is the newest, so the search starts at the end.
        var index = waiting.count
        while index > 0, waiting[index - 1].microseconds > record.microseconds { index -= 1 }
        waiting.insert(record, at: index)
    }

    /// The records that are due at a time, in order.
    mutating func take(at microseconds: Int64) -> [Record] {
        let count = waiting.firstIndex { $0.microseconds > microseconds - patience } ?? waiting.count
        let due = Array(waiting[..<count])
        waiting.removeFirst(count)
        if let last = due.last { handedOut = last.microseconds }
        return due
    }

    /// All that are left, in order.
    mutating func takeAll() -> [Record] {
        defer { waiting = [] }
        if let last = waiting.last { handedOut = last.microseconds }
        return waiting
    }
}
