internal import EventLoop
internal import Glibc

/// Reads the buffers of several devices on one thread, so that the samples of one moment cost one waking of a thread and
/// one of the loop instead of one for each sensor. Opening, settings, attributes and closing stay on the devices' own
/// threads. A read that does not return costs its own device only: the others go on on a new thread.
///
/// `@unchecked Sendable` is sound: all state is only touched with the monitor held.
final class BufferReader: @unchecked Sendable {
    private let monitor = Monitor()
    /// The thread that new streams go to.
    private var current: BufferReaderThread?

    /// After so many µs in one read the thread is left alone with it.
    private static let stuckMicroseconds: Int64 = 150_000
    /// A read that takes so many µs holds the others up, …
    private static let longMicroseconds: Int64 = 50_000
    /// … and this often is too often.
    private static let mostLongReads = 3
    /// For no longer, in µs, are streams left alone: less than what their followers wait at most.
    private static let longestHold: Int64 = 60_000
    /// A sample is awaited so many µs later than it should come: one wake-up too early costs more than that.
    private static let margin: Int64 = 300

    // MARK: - For the threads of devices

    /// Begins to read a stream. False if the system has no thread left.
    func attach(_ stream: BufferStream) -> Bool {
        monitor.locked {
            let now = Monitor.monotonicMicroseconds()
            leaveStuckLocked(now)
            stream.lastScan = now
            if let current {
                current.streams.append(stream)
                stream.thread = current
                changed(current)
                return true
            }
            return begin([stream]) != nil
        }
    }

    /// Ends to read a stream: afterwards it is the caller's alone. Waits for a read of its own that is under way, but not for
    /// those of others.
    func detach(_ stream: BufferStream) {
        monitor.locked {
            let reading = stream.thread
            remove(stream)
            while let reading, reading.reading === stream { _ = monitor.wait(untilMonotonicMicroseconds: .max) }
        }
    }

    /// CLOCK_MONOTONIC in µs of a stream's last scan, or since when one could have been read.
    func lastScan(of stream: BufferStream) -> Int64 { monitor.locked { stream.lastScan } }

    // MARK: - For the loop

    /// Leaves a thread alone with a read that does not return; call it now and then.
    func leaveStuck() { monitor.locked { leaveStuckLocked(Monitor.monotonicMicroseconds()) } }

    /// Nobody needs what is measured before that CLOCK_BOOTTIME in µs at once: leaves the prompt streams alone until the first
    /// sample after it should be there, so that they cost one waking then in place of one for each sample.
    func letWait(untilBootMicroseconds time: Int64) {
        monitor.locked {
            guard let current, let wait = current.wait, !wait.isHeld, current.reading == nil else { return }
            var deadline = Int64.max
            for stream in current.prompt {
                guard let cadence = stream.cadence, (1...Self.longestHold).contains(time &- cadence.last) else {
                    return
                }
                let periods = (time - cadence.last + cadence.period - 1) / cadence.period
                // One is what it takes anyway.
                guard periods >= 2 else { return }
                deadline = min(deadline, cadence.last + periods * cadence.period + cadence.lag + Self.margin)
            }
            guard current.prompt.contains(where: \.isLeading) else { return }
            wait.hold(untilBootMicroseconds: deadline)
        }
    }

    // MARK: - For the reading threads

    /// What a thread is to read; nil if that is nothing and it is to end.
    func streams(of thread: BufferReaderThread) -> (generation: Int, streams: [BufferStream])? {
        monitor.locked {
            guard !thread.streams.isEmpty else {
                if current === thread { current = nil }
                return nil
            }
            return (thread.generation, thread.streams)
        }
    }

    /// A thread is about to wait for its prompt streams. False if its streams have changed since that generation.
    func waits(
        _ thread: BufferReaderThread, _ generation: Int, for prompt: [BufferStream], with wait: StreamWait
    ) -> Bool {
        monitor.locked {
            guard thread.generation == generation else { return false }
            thread.prompt = prompt
            thread.wait = wait
            return true
        }
    }

    /// The streams have been left alone for long enough.
    func opens(_ wait: StreamWait) { monitor.locked { wait.open() } }

    /// A thread cannot wait: its streams are given up, for their devices to try again or to do without.
    func fails(_ thread: BufferReaderThread, _ error: Errno) {
        monitor.locked {
            for stream in thread.streams {
                remove(stream)
                stream.worker.streamFailed(error)
            }
        }
    }

    /// A thread begins to read a stream. False if its streams have changed since that generation.
    func begins(_ stream: BufferStream, _ thread: BufferReaderThread, _ generation: Int, now: Int64) -> Bool {
        monitor.locked {
            guard thread.generation == generation else { return false }
            thread.reading = stream
            thread.readingSince = now
            return true
        }
    }

    /// It has read it.
    func ends(_ stream: BufferStream, _ thread: BufferReaderThread, _ turn: BufferStream.Turn) {
        let now = Monitor.monotonicMicroseconds()
        monitor.locked {
            thread.reading = nil
            guard stream.thread === thread else {
                // It was taken away meanwhile, and is waited for.
                monitor.wakeAll()
                return
            }
            if turn.scans > 0 { stream.lastScan = now }
            stream.cadence = turn.cadence
            if let failure = turn.failure {
                remove(stream)
                stream.worker.streamFailed(failure)
            } else if now - thread.readingSince > Self.longMicroseconds {
                stream.longReads += 1
                if stream.longReads >= Self.mostLongReads { leave(thread, alone: stream, now) }
            }
        }
    }

    // MARK: - Private, with the monitor held

    /// Starts a thread for streams. Nil if the system has none left.
    private func begin(_ streams: [BufferStream]) -> BufferReaderThread? {
        guard let thread = BufferReaderThread.start(streams, reader: self) else { return nil }
        for stream in streams { stream.thread = thread }
        current = thread
        return thread
    }

    private func changed(_ thread: BufferReaderThread) {
        thread.generation += 1
        thread.wait = nil
        thread.prompt = []
        thread.wakeup.signal()
    }

    private func remove(_ stream: BufferStream) {
        guard let thread = stream.thread else { return }
        thread.streams.removeAll { $0 === stream }
        stream.thread = nil
        changed(thread)
    }

    private func leaveStuckLocked(_ now: Int64) {
        guard let current, let stuck = current.reading, now - current.readingSince > Self.stuckMicroseconds else {
            return
        }
        leave(current, alone: stuck, now)
    }

    /// Moves all streams but one to a new thread.
    private func leave(_ thread: BufferReaderThread, alone stuck: BufferStream, _ now: Int64) {
        let others = thread.streams.filter { $0 !== stuck }
        if others.isEmpty {
            // Those that come later are not to wait for it.
            if current === thread { current = nil }
            return
        }
        // Without another thread they wait on; tried again at the next look.
        guard begin(others) != nil else { return }
        for stream in others { stream.lastScan = max(stream.lastScan, now) }
        thread.streams.removeAll { $0 !== stuck }
        changed(thread)
    }
}
