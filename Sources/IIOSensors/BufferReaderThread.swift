internal import EventLoop
internal import Glibc

/// One thread of a `BufferReader`: waits for scans of its streams and takes them, until it has none any more.
///
/// `@unchecked Sendable` is sound: the state is only touched with the reader's monitor held; what the thread itself needs
/// are variables of `run`.
final class BufferReaderThread: @unchecked Sendable {
    /// Wakes the thread to look at `streams`.
    let wakeup: Wakeup
    var streams: [BufferStream]
    /// Counts changes of `streams`.
    var generation = 0
    /// The stream in whose read the thread is, and since when (CLOCK_MONOTONIC, µs).
    var reading: BufferStream?
    var readingSince: Int64 = 0
    /// What the thread waits with, and for which streams, once it does.
    var wait: StreamWait?
    var prompt: [BufferStream] = []

    private init(_ streams: [BufferStream], _ wakeup: Wakeup) {
        self.streams = streams
        self.wakeup = wakeup
    }

    /// Starts a thread for streams. Nil if the system has no thread or descriptor left.
    static func start(_ streams: [BufferStream], reader: BufferReader) -> BufferReaderThread? {
        guard let wakeup = try? Wakeup() else { return nil }
        let thread = BufferReaderThread(streams, wakeup)
        return WorkerThread.run(name: "iio-buffers", { thread.run(reader) }) ? thread : nil
    }

    private func run(_ reader: BufferReader) {
        while true {
            // Before looking: what changes from here on is told again.
            wakeup.drain()
            guard let (generation, streams) = reader.streams(of: self) else { return }
            follow(streams, generation, reader)
        }
    }

    /// Reads until a stream comes, goes, or is to be waited for in another way.
    private func follow(_ streams: [BufferStream], _ generation: Int, _ reader: BufferReader) {
        let prompt = streams.filter { !$0.isPatient }
        let patient = streams.filter(\.isPatient)
        let wait: StreamWait
        do throws(Errno) {
            wait = try StreamWait(wakeup: wakeup.descriptor, streams: prompt.map(\.descriptor))
        } catch {
            return reader.fails(self, error)
        }
        for index in wait.deaf { prompt[index].cannotBeWaitedFor() }
        guard wait.deaf.isEmpty, reader.waits(self, generation, for: prompt, with: wait) else { return }
        var result: StreamWait.Result
        repeat {
            result = wait.wait(milliseconds: Self.timeout(patient))
            if result.isWoken { return }
            if result.isAlarmed { reader.opens(wait) }
        } while round(prompt, wait, result, patient, generation, reader)
    }

    /// Reads what is ready, and what has waited long enough. False if the streams are to be looked at anew.
    private func round(
        _ prompt: [BufferStream], _ wait: StreamWait, _ result: StreamWait.Result, _ patient: [BufferStream],
        _ generation: Int, _ reader: BufferReader
    ) -> Bool {
        var wakesLoop: DeviceWorker?
        defer { wakesLoop?.wakeLoop() }
        var isSame = true
        if result.isAlarmed {
            for stream in prompt {
                guard let turn = turn(stream, generation, reader, .held) else { return false }
                if turn.wakesLoop { wakesLoop = stream.worker }
                isSame = isSame && !stream.isPatient && turn.failure == nil
            }
        } else {
            for number in 0..<result.streams {
                let (index, isFailing) = wait.stream(number)
                let stream = prompt[index]
                guard let turn = turn(stream, generation, reader, isFailing ? .failing : .announced) else {
                    return false
                }
                if turn.wakesLoop { wakesLoop = stream.worker }
                isSame = isSame && !stream.isPatient && turn.failure == nil
            }
        }
        guard !patient.isEmpty else { return isSame }
        let now = Monitor.monotonicMicroseconds()
        let isLoopWoken = wakesLoop != nil
        for stream in patient {
            let isDue = now >= stream.due
            guard isLoopWoken || isDue else { continue }
            guard let turn = turn(stream, generation, reader, .patient) else { return false }
            // Nobody else is going to wake the loop for them soon.
            if turn.wakesLoop || isDue && turn.scans > 0 { wakesLoop = stream.worker }
            isSame = isSame && stream.isPatient && turn.failure == nil
        }
        return isSame
    }

    /// Nil if the streams have changed.
    private func turn(
        _ stream: BufferStream, _ generation: Int, _ reader: BufferReader, _ cause: BufferStream.Cause
    ) -> BufferStream.Turn? {
        let now = Monitor.monotonicMicroseconds()
        guard reader.begins(stream, self, generation, now: now) else { return nil }
        let turn = stream.turn(now: now, cause)
        reader.ends(stream, self, turn)
        return turn
    }

    /// For epoll_wait(2), in ms.
    private static func timeout(_ patient: [BufferStream]) -> Int32 {
        guard !patient.isEmpty else { return -1 }
        var due = Int64.max
        for stream in patient { due = min(due, stream.due) }
        return Int32(clamping: max(0, (due - Monitor.monotonicMicroseconds() + 999) / 1000))
    }
}
