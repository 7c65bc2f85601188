import Foundation

/// Threads for tests that mostly wait: as many as are asked for, whatever the machine has of processors.
public enum Threads {
    /// Runs `body` with each number below `count` at the same time, and waits for all.
    public static func each(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
        let group = DispatchGroup()
        for index in 0..<count {
            group.enter()
            let thread = Thread {
                body(index)
                group.leave()
            }
            thread.stackSize = 4 << 20
            thread.start()
        }
        group.wait()
    }

    /// Runs `body`, which waits much, on a thread of its own: the few that tests share stay free for others.
    public static func one<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            let thread = Thread { continuation.resume(with: Result(catching: body)) }
            thread.stackSize = 4 << 20
            thread.start()
        }
    }
}
