public import EventLoop

extension EventLoop {
    /// Runs the loop until the condition holds; false after the time limit. The condition is looked at before each
    /// wait and after each round, so whatever makes it true must wake the loop.
    public func run(until condition: () -> Bool, seconds: Double = 20) throws -> Bool {
        try withoutActuallyEscaping(condition) { condition in
            // The last hook: what those before it have dispatched may be what is waited for.
            let hook = beforeWaiting { if condition() { self.skipWait() } }
            defer { hook.cancel() }
            let deadline = Clock.bootMicroseconds() + Int64(seconds * 1_000_000)
            while !condition() {
                let left = deadline - Clock.bootMicroseconds()
                if left <= 0 { return false }
                try runOnce(timeoutMilliseconds: Int32(min(left / 1000 + 1, 1000)))
            }
            return true
        }
    }
}
