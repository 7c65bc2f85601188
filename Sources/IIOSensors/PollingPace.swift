/// Measures how often a device is really polled: chips that convert on each read are slower than wanted.
struct PollingPace: Hashable, Sendable {
    private var reportedHertz: Double
    private var windowStart: Int64?
    private var rounds = 0

    /// A pace that was announced as so many Hz.
    init(hertz: Double) { reportedHertz = hertz }

    /// Counts a round at a time in µs.
    ///
    /// - Returns: each time two seconds with two rounds or more have passed, the rate in Hz if it differs by more than
    ///   15 % from the one announced last; else nil.
    mutating func round(atMonotonicMicroseconds time: Int64) -> Double? {
        guard let start = windowStart else {
            windowStart = time
            rounds = 0
            return nil
        }
        rounds += 1
        let elapsed = time - start
        guard elapsed >= 2_000_000, rounds >= 2 else { return nil }
        let hertz = Double(rounds) * 1_000_000 / Double(elapsed)
        windowStart = time
        rounds = 0
        guard abs(hertz - reportedHertz) > 0.15 * reportedHertz else { return nil }
        reportedHertz = hertz
        return hertz
    }
}
