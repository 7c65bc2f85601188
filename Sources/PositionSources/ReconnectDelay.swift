/// How long to wait before the next attempt: 1, 2, 4 … 60 s, each varied by ± 20 % so that many clients of a server that
/// was restarted do not come back at once.
struct ReconnectDelay: Hashable, Sendable {
    /// Share by which a delay is varied up or down.
    static let jitter = 0.2

    private let first: Double
    private let longest: Double
    private var next: Double

    /// Delays that begin at `first` and double up to `longest`, both in seconds.
    init(first: Double, longest: Double) {
        self.first = first
        self.longest = longest
        next = first
    }

    /// Microseconds until the next attempt. `random` is uniform in [0, 1). `limit`: seconds that this one is not to exceed,
    /// but for the variation.
    mutating func take(random: Double, limit: Double = .infinity) -> Int64 {
        let seconds = min(next, limit) * (1 + Self.jitter * (2 * random - 1))
        next = min(next * 2, longest)
        return Int64(seconds * 1e6)
    }

    /// Begins again, after a success.
    mutating func reset() { next = first }
}
