/// Notices by the clocks that the machine has slept, for machines where nobody tells.
struct SleepGap {
    /// Sleep in µs from which on it counts: shorter is the step between two readings of clocks.
    static let shortest: Int64 = 100_000

    private var known: Int64

    /// `sleptMicroseconds`: how long the machine has slept since its start.
    init(sleptMicroseconds: Int64) { known = sleptMicroseconds }

    /// True if the machine has slept since the last call.
    mutating func update(sleptMicroseconds: Int64) -> Bool {
        let gap = sleptMicroseconds - known
        known = sleptMicroseconds
        return gap >= Self.shortest
    }
}
