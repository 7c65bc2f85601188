internal import CLinux
internal import Glibc

/// Detached threads for calls that may block for seconds or for ever. A thread that never comes back costs its
/// stack and whatever it holds; it keeps nobody else from working, and process exit does not wait for it.
enum WorkerThread {
    private final class Start {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Runs `body` on a new thread of the given name (15 bytes are kept). Signals stay blocked there, so that
    /// they arrive at the loop, and a broken connection gives an error instead of SIGPIPE. False if the system has no thread left.
    static func run(name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        guard pthread_attr_init(&attributes) == 0 else { return false }
        defer { _ = pthread_attr_destroy(&attributes) }
        _ = pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        var all = sigset_t()
        var before = sigset_t()
        sigfillset(&all)
        // Those of a crash go to the thread that crashed, and should leave a backtrace.
        for signal in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP] { sigdelset(&all, signal) }
        _ = pthread_sigmask(SIG_BLOCK, &all, &before)
        defer { _ = pthread_sigmask(SIG_SETMASK, &before, nil) }
        let start = Unmanaged.passRetained(Start(name: String(name.prefix(15)), body: body))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, &attributes,
            { argument in
                // pthread_create hands over the pointer that was given to it, never nil.
                guard let argument else { return nil }
                let start = Unmanaged<Start>.fromOpaque(argument).takeRetainedValue()
                // A thread without a name works as well.
                _ = pthread_setname_np(pthread_self(), start.name)
                start.body()
                return nil
            }, start.toOpaque())
        if status != 0 { start.release() }
        return status == 0
    }
}
