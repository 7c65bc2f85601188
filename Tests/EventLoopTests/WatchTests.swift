import EventLoop
import Foundation
import Synchronization
import TestSupport
import Testing

/// A pipe that closes with it.
private final class TestPipe {
    let reading: Int32
    private(set) var writing: Int32

    init() throws {
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        (reading, writing) = (ends[0], ends[1])
    }

    deinit {
        close(reading)
        closeWriting()
    }

    func fill() { _ = write(writing, "x", 1) }

    func drain() {
        var byte: UInt8 = 0
        _ = read(reading, &byte, 1)
    }

    func closeWriting() {
        if writing >= 0 { close(writing) }
        writing = -1
    }
}

@Suite struct WatchTests {
    @Test("A descriptor is reported for as long as it is ready")
    func levelTriggered() throws {
        let loop = try EventLoop()
        let pipe = try TestPipe()
        var calls = 0
        let watch = try loop.watch(pipe.reading, for: .readable) { readiness in
            #expect(readiness == .readable)
            calls += 1
        }
        try loop.runOnce(timeoutMilliseconds: 0)
        #expect(calls == 0)
        pipe.fill()
        try loop.runOnce(timeoutMilliseconds: 0)
        try loop.runOnce(timeoutMilliseconds: 0)
        #expect(calls == 2)
        pipe.drain()
        try loop.runOnce(timeoutMilliseconds: 0)
        #expect(calls == 2)
        watch.cancel()
    }

    @Test("The end of the other side is a hang-up, also for those who wait for nothing")
    func hangUp() throws {
        let loop = try EventLoop()
        let pipe = try TestPipe()
        var seen: Readiness = []
        let watch = try loop.watch(pipe.reading, for: .readable) { seen.formUnion($0) }
        try watch.setInterest([])
        pipe.fill()
        try loop.runOnce(timeoutMilliseconds: 0)
        #expect(seen == [])
        pipe.closeWriting()
        try loop.runOnce(timeoutMilliseconds: 0)
        #expect(seen == .hangUp)
        watch.cancel()
    }

    @Test("A descriptor can be watched only once, and again after the watch is cancelled")
    func once() throws {
        let loop = try EventLoop()
        let pipe = try TestPipe()
        let first = try loop.watch(pipe.reading, for: .readable) { _ in }
        #expect(throws: Errno(rawValue: EEXIST)) { try loop.watch(pipe.reading, for: .readable) { _ in } }
        first.cancel()
        first.cancel()
        let second = try loop.watch(pipe.reading, for: .readable) { _ in }
        // A watch that is gone must not take its successor along.
        first.cancel()
        var calls = 0
        second.cancel()
        let third = try loop.watch(pipe.reading, for: .readable) { _ in calls += 1 }
        second.cancel()
        pipe.fill()
        try loop.runOnce(timeoutMilliseconds: 0)
        #expect(calls == 1)
        third.cancel()
    }

    @Test("What epoll cannot watch is refused with its error number")
    func refused() throws {
        let loop = try EventLoop()
        #expect(throws: Errno(rawValue: EBADF)) { try loop.watch(1_000_000, for: .readable) { _ in } }
        let file = open("/etc/passwd", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        #expect(throws: Errno(rawValue: EPERM)) { try loop.watch(file, for: .readable) { _ in } }
    }

    @Test("An event of this round for a descriptor that was cancelled and watched anew is stale and is skipped")
    func stale() throws {
        let loop = try EventLoop()
        let pipes = [try TestPipe(), try TestPipe()]
        var watches: [Watch] = []
        var old = 0
        var new = 0
        for index in 0..<2 {
            watches.append(
                try loop.watch(pipes[index].reading, for: .readable) { _ in
                    old += 1
                    // Both are ready in one round; whichever comes first replaces the other.
                    let other = 1 - index
                    watches[other].cancel()
                    do {
                        watches[other] = try loop.watch(pipes[other].reading, for: .readable) { _ in new += 1 }
                    } catch { Issue.record(error) }
                    watches[index].cancel()
                })
        }
        pipes[0].fill()
        pipes[1].fill()
        try loop.runOnce(timeoutMilliseconds: 0)
        #expect(old == 1)
        #expect(new == 0)
        try loop.runOnce(timeoutMilliseconds: 0)
        #expect(new == 1)
        for watch in watches { watch.cancel() }
        watches = []
    }

    @Test("A wake-up from another thread ends the wait; many before a drain count as one")
    func wakeup() throws {
        let loop = try EventLoop()
        let wakeup = try Wakeup()
        var calls = 0
        let watch = try loop.watch(wakeup.descriptor, for: .readable) { _ in
            wakeup.drain()
            calls += 1
        }
        Thread.detachNewThread {
            wakeup.signal()
            wakeup.signal()
        }
        #expect(try loop.run(until: { calls > 0 }))
        wakeup.drain()
        wakeup.drain()
        try loop.runOnce(timeoutMilliseconds: 0)
        #expect(calls <= 2)
        watch.cancel()
    }

    @Test(
        "A wake-up that is watched as such is heard once for what was signalled, again for what follows, and not in between"
    )
    func heard() throws {
        let loop = try EventLoop()
        let wakeup = try Wakeup()
        var calls = 0
        let watch = try loop.watch(wakeup) { calls += 1 }
        try loop.runOnce(timeoutMilliseconds: 0)
        #expect(calls == 0)
        for round in 1...3 {
            wakeup.signal()
            wakeup.signal()
            for _ in 0..<3 { try loop.runOnce(timeoutMilliseconds: 0) }
            #expect(calls == round)
        }
        watch.cancel()
        wakeup.signal()
        try loop.runOnce(timeoutMilliseconds: 0)
        #expect(calls == 3)
    }

    @Test("No signal of another thread is lost on a wake-up that is watched as such")
    func heardFromAnotherThread() throws {
        let loop = try EventLoop()
        let wakeup = try Wakeup()
        let left = Mutex(0)
        let total = 20_000
        var taken = 0
        let watch = try loop.watch(wakeup) {
            taken += left.withLock { waiting in
                defer { waiting = 0 }
                return waiting
            }
        }
        Thread.detachNewThread {
            for _ in 0..<total {
                left.withLock { $0 += 1 }
                wakeup.signal()
            }
        }
        // If a signal were lost, nothing else would wake the loop.
        #expect(try loop.run(until: { taken == total }))
        watch.cancel()
    }

    @Test("A watch outlives its loop without harm")
    func loopGone() throws {
        let pipe = try TestPipe()
        var loop: EventLoop? = try EventLoop()
        let watch = try #require(try loop?.watch(pipe.reading, for: .readable) { _ in })
        loop = nil
        watch.cancel()
        try watch.setInterest(.writable)
        #expect(watch.interest == .readable)
    }
}
