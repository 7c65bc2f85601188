/// Decides how much one client may be sent ahead of what it has shown to have read. Pure: time is an argument.
///
/// D-Bus has no flow control between two clients: what the receiver does not read, the bus daemon keeps (up to
/// 127 MB per connection), and later throws away. So the sender mixes `Peer.Ping` calls into its signals. A client
/// reads in order, so its pong proves that it has read everything before the ping. Without a pong, sending stops.
public struct FlowWindow: Hashable, Sendable {
    /// The limits.
    public struct Parameters: Hashable, Sendable {
        /// Messages sent at most beyond the last that was proved read. Larger: more stale messages for a client that
        /// was stopped for a while, and more memory in the bus; smaller: a busy client loses updates. Default 64.
        public var windowMessages = 64
        /// A ping goes out after so many messages, … Default 32: half the window, so that a pong that comes at once
        /// keeps the stream going.
        public var pingAfterMessages = 32
        /// … or with the first message so many µs after the last ping. Default 5 s.
        public var pingAfterMicroseconds: Int64 = 5_000_000
        /// Sending stops if a ping was not answered for so many µs. Default 2 s.
        public var patienceMicroseconds: Int64 = 2_000_000
        /// A client that has never answered a ping may be one that cannot: it gets one message per so many µs instead
        /// of none. Default 1 s.
        public var trickleMicroseconds: Int64 = 1_000_000

        /// The defaults.
        public init() {}
    }

    /// What to do with a message.
    public enum Decision: Hashable, Sendable {
        /// Send it.
        case send
        /// Send it, then a ping.
        case sendAndPing
        /// Keep it back.
        case hold
        /// Keep it back and send a ping: the last one was lost.
        case holdAndPing
    }

    private var parameters: Parameters
    /// Messages sent before the ping that is under way.
    private var covered = 0
    /// Messages sent after the last ping.
    private var sincePing = 0
    private var isPinging = false
    private var lastPing: Int64?
    private var lastSent: Int64 = 0
    /// True once a ping was answered.
    public private(set) var hasAnswered = false
    private var isDisabled = false

    /// A window in which nothing is under way.
    public init(_ parameters: Parameters = Parameters()) {
        self.parameters = parameters
        // A window that fills before a ping is due would never open again.
        self.parameters.windowMessages = max(parameters.windowMessages, 2)
        self.parameters.pingAfterMessages = min(
            max(parameters.pingAfterMessages, 1), self.parameters.windowMessages / 2)
    }

    /// True while messages would be kept back.
    public func isClosed(now: Int64) -> Bool {
        if isDisabled { return false }
        if covered + sincePing >= parameters.windowMessages { return true }
        guard isPinging, let lastPing else { return false }
        return now - lastPing >= parameters.patienceMicroseconds
    }

    /// A message is to be sent at a CLOCK_BOOTTIME in µs; does the book-keeping of the decision.
    public mutating func offer(now: Int64) -> Decision {
        if isDisabled { return .send }
        let isPingDue = !isPinging && (lastPing.map { now - $0 >= parameters.pingAfterMicroseconds } ?? true)
        if isClosed(now: now), hasAnswered || now - lastSent < parameters.trickleMicroseconds {
            guard isPingDue else { return .hold }
            beginPing(now)
            return .holdAndPing
        }
        lastSent = now
        sincePing += 1
        guard !isPinging, isPingDue || sincePing >= parameters.pingAfterMessages else { return .send }
        beginPing(now)
        return .sendAndPing
    }

    /// The ping was answered: everything sent before it was read. True if another ping has to follow at once, since
    /// the window is still full of what was sent after it.
    public mutating func ponged(now: Int64) -> Bool {
        isPinging = false
        hasAnswered = true
        covered = 0
        guard !isDisabled, sincePing >= parameters.windowMessages else { return false }
        beginPing(now)
        return true
    }

    /// When a message that is kept back may be offered again without a pong, in µs from now; nil: only a pong helps.
    public func retryDelay(now: Int64) -> Int64? {
        if !isClosed(now: now) { return 0 }
        if !hasAnswered { return max(lastSent + parameters.trickleMicroseconds - now, 0) }
        guard !isPinging, let lastPing else { return nil }
        return max(lastPing + parameters.pingAfterMicroseconds - now, 0)
    }

    /// The ping got lost on the way: it proves nothing, the next is due after `pingAfterMicroseconds`.
    public mutating func pingFailed() {
        isPinging = false
        sincePing += covered
        covered = 0
    }

    /// Pings cannot be sent to this client: everything is sent from now on.
    public mutating func disable() { isDisabled = true }

    private mutating func beginPing(_ now: Int64) {
        isPinging = true
        lastPing = now
        covered += sincePing
        sincePing = 0
    }
}
