import EventLoop
import Foundation
import TestSupport
import Testing

@Suite struct LoopTests {
    @Test("Hooks run before each wait, in their order, until they are cancelled")
    func hooks() throws {
        let loop = try EventLoop()
        var calls: [Int] = []
        let first = loop.beforeWaiting { calls.append(1) }
        var second: LoopHook?
        second = loop.beforeWaiting {
            calls.append(2)
            second?.cancel()
        }
        loop.beforeWaiting { calls.append(3) }
        try loop.runOnce(timeoutMilliseconds: 0)
        try loop.runOnce(timeoutMilliseconds: 0)
        first.cancel()
        try loop.runOnce(timeoutMilliseconds: 0)
        #expect(calls == [1, 2, 3, 1, 3, 3])
    }

    @Test("A hook that cancels one behind it keeps it from running")
    func cancelLaterHook() throws {
        let loop = try EventLoop()
        var later: LoopHook?
        var ran = 0
        loop.beforeWaiting {
            ran += 1
            later?.cancel()
        }
        later = loop.beforeWaiting { Issue.record("a cancelled hook ran") }
        try loop.runOnce(timeoutMilliseconds: 0)
        #expect(ran == 1)
    }

    @Test("A hook that has left work keeps the loop from sleeping, once")
    func skipWait() throws {
        let loop = try EventLoop()
        var left = 2
        let hook = loop.beforeWaiting {
            if left > 0 {
                left -= 1
                loop.skipWait()
            }
        }
        try loop.runOnce()
        try loop.runOnce()
        #expect(left == 0)
        hook.cancel()
        let start = Clock.bootMicroseconds()
        try loop.runOnce(timeoutMilliseconds: 20)
        #expect(Clock.bootMicroseconds() - start >= 19_000)
    }

    @Test("stop() ends run() from a hook, a timer, and from before")
    func stop() throws {
        let loop = try EventLoop()
        loop.stop()
        try loop.run()
        let hook = loop.beforeWaiting { loop.stop() }
        try loop.run()
        hook.cancel()
        var fired = false
        let timer = loop.makeTimer {
            fired = true
            loop.stop()
        }
        timer.arm(afterMicroseconds: 0)
        try loop.run()
        #expect(fired)
    }

    @Test("Signals arrive on the loop and do not end the process")
    func signals() throws {
        // A thread of its own: the mask is the thread's, and a signal for one thread is read by that thread only.
        final class Outcome: @unchecked Sendable {
            // Written by the thread, read after it has said that it is done.
            var received: [Int32] = []
            var second: (any Error)?
            var failure: (any Error)?
        }
        let outcome = Outcome()
        let done = DispatchSemaphore(value: 0)
        let thread = Thread {
            do {
                let loop = try EventLoop()
                try loop.handleSignals([SIGUSR1, SIGUSR2]) { outcome.received.append($0) }
                do { try loop.handleSignals([SIGUSR1]) { _ in } } catch { outcome.second = error }
                pthread_kill(pthread_self(), SIGUSR2)
                pthread_kill(pthread_self(), SIGUSR1)
                _ = try loop.run(until: { outcome.received.count == 2 })
            } catch { outcome.failure = error }
            done.signal()
        }
        thread.start()
        done.wait()
        #expect(outcome.failure == nil)
        #expect(outcome.received.sorted() == [SIGUSR1, SIGUSR2].sorted())
        #expect(outcome.second as? Errno == Errno(rawValue: EEXIST))
    }

    @Test("No descriptor is left behind by loops, watches, timers and wake-ups")
    func descriptors() throws {
        func socketsAndEvents() throws -> Int {
            // Other tests open files meanwhile; only this many more of our kinds would show a leak.
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        }
        let before = try socketsAndEvents()
        for _ in 0..<200 {
            let loop = try EventLoop()
            let wakeup = try Wakeup()
            let watch = try loop.watch(wakeup.descriptor, for: .readable) { _ in }
            let timer = loop.makeTimer {}
            timer.arm(afterMicroseconds: 0)
            try loop.runOnce(timeoutMilliseconds: 0)
            watch.cancel()
        }
        #expect(try socketsAndEvents() < before + 150)
    }

    @Test("Errors speak plain words")
    func errnoText() {
        // strerror(3) of glibc in the C locale.
        #expect(Errno(rawValue: ENOENT).description == "No such file or directory")
        #expect(Errno(rawValue: 12345).description.contains("12345"))
    }
}
