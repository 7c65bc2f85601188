import MessageBus
import Testing

@Suite struct FlowWindowTests {
    private static let second: Int64 = 1_000_000

    @Test("The first message brings a ping along; with each answered, half a window apart, none is kept back")
    func steady() {
        var window = FlowWindow()
        var pings: [Int] = []
        for index in 0..<1000 {
            // 100 messages a second; the pong comes before the next message.
            switch window.offer(now: Int64(index) * 10_000) {
            case .send: break
            case .sendAndPing:
                pings.append(index)
                do {
                    let again = window.ponged(now: Int64(index) * 10_000)
                    #expect(!again)
                }
            case .hold, .holdAndPing: Issue.record("message \(index) was kept back")
            }
        }
        // Default: every 32 messages at the latest.
        #expect(pings.prefix(4) == [0, 32, 64, 96])
        #expect(pings.count == 32)
    }

    @Test("A slow stream brings a ping along every five seconds at most")
    func slow() {
        var window = FlowWindow()
        var pings = 0
        for index in 0..<100 {
            if window.offer(now: Int64(index) * Self.second) == .sendAndPing {
                pings += 1
                do {
                    let again = window.ponged(now: Int64(index) * Self.second)
                    #expect(!again)
                }
            }
        }
        #expect(pings == 20)
    }

    @Test("A client that stops reading gets no more than the window, then nothing")
    func stopped() {
        var window = FlowWindow()
        #expect(window.offer(now: 0) == .sendAndPing)
        _ = window.ponged(now: 0)
        var sent = 0
        for index in 1...10_000 {
            let decision = window.offer(now: Int64(index) * 1000)
            if decision == .send || decision == .sendAndPing { sent += 1 }
        }
        #expect(sent == FlowWindow.Parameters().windowMessages)
        #expect(window.isClosed(now: 11 * Self.second))
        #expect(window.retryDelay(now: 11 * Self.second) == nil, "only a pong opens it")
        do {
            let again = window.ponged(now: 11 * Self.second)
            #expect(!again)
        }
        #expect(!window.isClosed(now: 11 * Self.second))
    }

    @Test("A ping that stays unanswered for two seconds stops a slow stream, too")
    func impatient() {
        var window = FlowWindow()
        _ = window.offer(now: 0)
        _ = window.ponged(now: 0)
        #expect(window.offer(now: 6 * Self.second) == .sendAndPing)
        #expect(window.offer(now: 7 * Self.second) == .send)
        #expect(window.offer(now: 8 * Self.second) == .hold)
        _ = window.ponged(now: 0)
        #expect(window.offer(now: 9 * Self.second) == .send)
    }

    @Test("A client that never answers pings still gets one message a second")
    func neverAnswers() throws {
        var window = FlowWindow()
        var sent: [Int64] = []
        for index in 0..<1000 {
            let now = Int64(index) * 100_000
            let decision = window.offer(now: now)
            if decision == .send || decision == .sendAndPing { sent.append(now) }
        }
        // Two seconds of patience, then a trickle.
        #expect(sent.filter { $0 < 2 * Self.second }.count == 20)
        #expect(try #require(window.retryDelay(now: 99 * Self.second + 900_000)) <= Self.second)
        // The first pong covers the first message only: the rest has to be asked for.
        do {
            let again = window.ponged(now: 100 * Self.second)
            #expect(again)
        }
        do {
            let again = window.ponged(now: 100 * Self.second)
            #expect(!again)
        }
        #expect(!window.isClosed(now: 100 * Self.second))
        let later = sent.filter { $0 >= 10 * Self.second && $0 < 60 * Self.second }
        #expect(later.count == 50)
    }

    @Test("A lost ping proves nothing; another follows and opens the window again")
    func lostPing() throws {
        var window = FlowWindow()
        _ = window.offer(now: 0)
        _ = window.ponged(now: 0)
        for index in 1...64 { _ = window.offer(now: Int64(index) * 1000) }
        #expect(window.isClosed(now: 100_000))
        window.pingFailed()
        #expect(window.isClosed(now: 100_000))
        #expect(window.offer(now: 200_000) == .hold)
        #expect(try #require(window.retryDelay(now: 200_000)) <= 5 * Self.second)
        #expect(window.offer(now: 6 * Self.second) == .holdAndPing)
        #expect(window.offer(now: 6 * Self.second) == .hold)
        _ = window.ponged(now: 0)
        #expect(window.offer(now: 6 * Self.second) == .send)
    }

    @Test("Without the right to ping everything is sent")
    func disabled() {
        var window = FlowWindow()
        _ = window.offer(now: 0)
        window.disable()
        for index in 0..<1000 { #expect(window.offer(now: Int64(index)) == .send) }
        #expect(!window.isClosed(now: 100 * Self.second))
    }
}
