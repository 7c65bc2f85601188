internal import EventLoop
internal import Glibc
internal import Synchronization

/// Runs an event loop with a location manager on a thread of its own, for programs without an event loop, and hands
/// updates over until it is told to stop.
///
/// The loop and everything on it is made, used and let go on that thread alone; others reach it through `stop()`.
final class UpdateStream: Sendable {
    /// What the thread runs: makes the manager, and keeps what it returns alive until the end.
    typealias Body = @Sendable (EventLoop, _ fail: @escaping (LocateMeError) -> Void) throws(LocateMeError) -> AnyObject

    private struct State {
        var isStopped = false
        var wakeup: Wakeup?
    }

    private let state = Mutex(State())
    private let body: Body
    private let finish: @Sendable (LocateMeError?) -> Void

    /// `finish` is called once at the end, with the error that ended it or nil after `stop()`.
    init(_ body: @escaping Body, finish: @escaping @Sendable (LocateMeError?) -> Void) {
        self.body = body
        self.finish = finish
    }

    /// Starts the thread.
    func start() {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(self)
        let status = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                Unmanaged<UpdateStream>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context.toOpaque())
        guard status == 0 else {
            context.release()
            finish(LocateMeError(.failed, "no thread could be started: \(Errno(rawValue: status))"))
            return
        }
        // Nothing waits for it; errors are impossible for a thread that was just made.
        _ = pthread_detach(thread)
    }

    /// Ends it soon; from any thread. Idempotent.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.wakeup?.signal()
        }
    }

    private func run() {
        do throws(LocateMeError) {
            finish(try runLoop())
        } catch {
            finish(error)
        }
    }

    /// Runs until it is stopped (nil) or fails.
    private func runLoop() throws(LocateMeError) -> LocateMeError? {
        var failure: LocateMeError?
        do throws(Errno) {
            let loop = try EventLoop()
            let wakeup = try Wakeup()
            let watch = try loop.watch(wakeup.descriptor, for: .readable) { _ in loop.stop() }
            defer {
                state.withLock { $0.wakeup = nil }
                watch.cancel()
            }
            let isStopped = state.withLock { state in
                state.wakeup = wakeup
                return state.isStopped
            }
            if isStopped { return nil }
            let content: AnyObject
            do throws(LocateMeError) {
                content = try body(loop) { error in
                    failure = error
                    loop.stop()
                }
            } catch {
                return error
            }
            try loop.run()
            withExtendedLifetime(content) {}
        } catch {
            throw LocateMeError(.failed, "the event loop failed: \(error)")
        }
        return failure
    }
}
