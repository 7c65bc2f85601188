/// When a source that keeps silent counts as lost: after max(5 s, 5 × its period), where the period is measured; longer
/// before its first two reports, when a receiver may still be searched for, and after a suspend. Times are boot times in
/// microseconds.
struct SilenceWatch: Hashable, Sendable {
    private let patience: Int64
    private let grace: Int64
    private var latest: Int64?
    private var period: Int64?
    /// The time from which the source is lost.
    private(set) var deadline: Int64

    /// A watch that begins now, with the shortest silence and the one at the beginning, microseconds.
    init(now: Int64, patience: Int64, grace: Int64) {
        self.patience = patience
        self.grace = grace
        deadline = now + grace
    }

    /// A report came.
    mutating func heard(at now: Int64) {
        if let latest {
            // Several reports of one moment do not make the period shorter; one pause makes it longer only by halves.
            let interval = now - latest
            if interval > 50_000 { period = period.map { $0 + (interval - $0) / 2 } ?? interval }
        }
        latest = now
        deadline = now + (period.map { max(patience, 5 * $0) } ?? grace)
    }

    /// The machine slept: whoever was silent because of that has the time of the beginning.
    mutating func resumed(at now: Int64) { deadline = now + grace }
}
