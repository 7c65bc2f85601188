/// How long to wait before a service is asked again: 1, 2, 4 … 60 s.
struct RetryPause: Hashable, Sendable {
    private let first: Int64
    private let longest: Int64
    private var next: Int64

    /// Microseconds.
    init(first: Int64 = 1_000_000, longest: Int64 = 60_000_000) {
        self.first = first
        self.longest = longest
        next = first
    }

    /// Microseconds until the next attempt.
    mutating func take() -> Int64 {
        defer { next = min(2 * next, longest) }
        return next
    }

    /// Begins again, after a success.
    mutating func reset() { next = first }
}
