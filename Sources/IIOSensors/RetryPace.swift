/// When to try again what fails: soon while the trouble is young, ever more seldom as it lasts, so that what is over soon
/// is back soon and what is broken for good costs little. Pure: time is an argument.
struct RetryPace: Hashable, Sendable {
    /// The shortest pause, in µs.
    let shortest: Int64
    /// The longest pause, in µs.
    let longest: Int64
    /// A pause is the time since the first failure divided by this.
    let divisor: Int64
    private var since: Int64?
    /// When to try again, in µs of the clock of `failed(at:)`; `Int64.max` while nothing fails.
    private(set) var due = Int64.max

    /// For tries that cost nothing: every second at first, at the end every five minutes.
    static let cheap = RetryPace(shortest: 1_000_000, longest: 300_000_000, divisor: 8)

    /// For tries that interrupt what works meanwhile: after two seconds, then after as long as the trouble has lasted.
    static let dear = RetryPace(shortest: 2_000_000, longest: 300_000_000, divisor: 1)

    private init(shortest: Int64, longest: Int64, divisor: Int64) {
        self.shortest = shortest
        self.longest = longest
        self.divisor = divisor
    }

    /// A try has failed, at a time in µs.
    mutating func failed(at now: Int64) {
        let since = since ?? now
        self.since = since
        due = now + min(max((now - since) / divisor, shortest), longest)
    }

    /// The trouble is over.
    mutating func succeeded() {
        since = nil
        due = .max
    }
}
