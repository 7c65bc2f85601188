import Foundation
public import Testing

/// Runs each test of a suite on a thread of its own. Swift's concurrency has one thread a processor, and a test that waits
/// for another process holds one: on two processors two such tests would make all others wait as well.
public struct OwnThread: SuiteTrait, TestTrait, TestScoping {
    /// True: its tests, not the suite as a whole.
    public var isRecursive: Bool { true }

    /// Runs a test on the thread, and ends that with it.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        let executor = ThreadExecutor()
        defer { executor.stop() }
        try await withTaskExecutorPreference(executor) { try await function() }
    }
}

extension Trait where Self == OwnThread {
    /// For tests that mostly wait.
    public static var ownThread: Self { OwnThread() }
}

/// One thread that runs a task's jobs in their order until it is stopped.
private final class ThreadExecutor: TaskExecutor, @unchecked Sendable {
    private let condition = NSCondition()
    private var jobs: [UnownedJob] = []
    private var isStopped = false

    init() {
        let thread = Thread { [self] in
            while let job = next() { job.runSynchronously(on: asUnownedTaskExecutor()) }
        }
        thread.stackSize = 4 << 20
        thread.start()
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.withLock {
            jobs.append(job)
            condition.signal()
        }
    }

    /// Lets the thread end when no job is left.
    func stop() {
        condition.withLock {
            isStopped = true
            condition.signal()
        }
    }

    /// Waits for a job; nil when stopped.
    private func next() -> UnownedJob? {
        condition.withLock {
            while jobs.isEmpty && !isStopped { condition.wait() }
            return jobs.isEmpty ? nil : jobs.removeFirst()
        }
    }
}
