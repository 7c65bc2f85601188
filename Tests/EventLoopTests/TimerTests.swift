import EventLoop
import TestSupport
import Testing

@Suite struct TimerTests {
    @Test("Timers fire in the order of their deadlines, not of their arming")
    func order() throws {
        let loop = try EventLoop()
        var fired: [Int] = []
        let past = Clock.bootMicroseconds() - 1_000_000
        let timers = [3, 1, 2].map { number in
            let timer = loop.makeTimer { fired.append(number) }
            timer.arm(atBootMicroseconds: past + Int64(number))
            return timer
        }
        #expect(try loop.run(until: { fired.count == 3 }))
        #expect(fired == [1, 2, 3])
        #expect(timers.allSatisfy { !$0.isArmed })
    }

    @Test("A timer never fires before its deadline")
    func notEarly() throws {
        let loop = try EventLoop()
        var at: Int64?
        let timer = loop.makeTimer { at = Clock.bootMicroseconds() }
        let deadline = Clock.bootMicroseconds() + 3000
        timer.arm(atBootMicroseconds: deadline)
        #expect(try loop.run(until: { at != nil }))
        #expect(try #require(at) >= deadline)
    }

    @Test("A handler can disarm a timer that is due in the same round")
    func disarmWithin() throws {
        let loop = try EventLoop()
        let past = Clock.bootMicroseconds() - 1_000_000
        var secondFired = false
        let second = loop.makeTimer { secondFired = true }
        var firstFired = false
        let first = loop.makeTimer {
            firstFired = true
            second.disarm()
            second.disarm()
        }
        first.arm(atBootMicroseconds: past)
        second.arm(atBootMicroseconds: past + 1)
        #expect(try loop.run(until: { firstFired }))
        try loop.runOnce(timeoutMilliseconds: 0)
        #expect(!secondFired)
    }

    @Test("A handler that arms its timer for the past is called again in the next round, not in this one")
    func rearmWithin() throws {
        let loop = try EventLoop()
        var rounds = 0
        var firedIn: [Int] = []
        var timer: LoopTimer?
        timer = loop.makeTimer {
            firedIn.append(rounds)
            if firedIn.count < 3 { timer?.arm(afterMicroseconds: 0) }
        }
        timer?.arm(afterMicroseconds: 0)
        while firedIn.count < 3, rounds < 1000 {
            rounds += 1
            try loop.runOnce(timeoutMilliseconds: 100)
        }
        #expect(Set(firedIn).count == 3)
        timer = nil
    }

    @Test("A repeating timer drops the deadlines that it has missed")
    func missed() throws {
        let loop = try EventLoop()
        var fired = 0
        let timer = loop.makeTimer { fired += 1 }
        let interval: Int64 = 60_000_000
        timer.arm(atBootMicroseconds: Clock.bootMicroseconds() - 10 * interval, everyMicroseconds: interval)
        #expect(try loop.run(until: { fired > 0 }))
        try loop.runOnce(timeoutMilliseconds: 0)
        #expect(fired == 1)
        #expect(timer.isArmed)
    }

    @Test("A repeating timer goes on until it is disarmed by its own handler")
    func repeats() throws {
        let loop = try EventLoop()
        var fired = 0
        var timer: LoopTimer?
        timer = loop.makeTimer {
            fired += 1
            if fired == 5 { timer?.disarm() }
        }
        timer?.arm(afterMicroseconds: 0, everyMicroseconds: 200)
        #expect(try loop.run(until: { fired >= 5 }))
        #expect(timer?.isArmed == false)
        try loop.runOnce(timeoutMilliseconds: 2)
        #expect(fired == 5)
        timer = nil
    }

    @Test("The last of several arms counts")
    func rearmed() throws {
        let loop = try EventLoop()
        var fired = 0
        let timer = loop.makeTimer { fired += 1 }
        timer.arm(afterMicroseconds: 0)
        timer.arm(afterMicroseconds: 3_600_000_000)
        try loop.runOnce(timeoutMilliseconds: 2)
        #expect(fired == 0)
        timer.arm(afterMicroseconds: -5)
        #expect(try loop.run(until: { fired > 0 }))
        timer.arm(atBootMicroseconds: .max)
        #expect(timer.isArmed)
    }

    @Test("A loop with nothing due sleeps through")
    func idle() throws {
        let loop = try EventLoop()
        let timer = loop.makeTimer { Issue.record("a disarmed timer fired") }
        timer.arm(afterMicroseconds: 1000)
        timer.disarm()
        let start = Clock.bootMicroseconds()
        try loop.runOnce(timeoutMilliseconds: 20)
        // epoll counts in CLOCK_MONOTONIC milliseconds, so allow for one.
        #expect(Clock.bootMicroseconds() - start >= 19_000)
    }
}
