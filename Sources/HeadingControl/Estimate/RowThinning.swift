/// Lets at most so many rows a second pass, evenly in the time of the recording.
struct RowThinning {
    private let interval: Int64
    private var due = Int64.min

    /// Everything passes for nil.
    init(rateHertz: Double?) { interval = rateHertz.map { Int64((1e6 / $0).rounded()) } ?? 0 }

    /// Whether the row of a time in microseconds passes; times must not decrease.
    mutating func keeps(_ microseconds: Int64) -> Bool {
        guard interval > 0 else { return true }
        guard microseconds >= due else { return false }
        // Keeping to the grid avoids that jitter of the samples lowers the rate; after a gap the grid starts anew.
        due = due == .min || microseconds - due > interval ? microseconds + interval : due + interval
        return true
    }
}
