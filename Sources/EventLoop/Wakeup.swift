internal import CLinux
internal import Glibc
internal import Synchronization

/// An eventfd by which another thread wakes the loop. `signal()` may be called from any thread.
///
/// `Sendable` is sound: the descriptor never changes after `init` and write(2) on it is atomic.
public final class Wakeup: Sendable {
    /// The descriptor to watch for `.readable`; owned, closed with the object.
    public let descriptor: Int32
    /// True from a signal until the loop has heard it: what is signalled meanwhile needs no call of the kernel.
    private let isSignalled = Atomic(false)

    /// A wake-up that has not been signalled.
    public init() throws(Errno) {
        descriptor = eventfd(0, LOCATEME_EFD_CLOEXEC | LOCATEME_EFD_NONBLOCK)
        guard descriptor >= 0 else { throw Errno.current }
    }

    deinit { close(descriptor) }

    /// Makes the descriptor readable. Any number of signals before a `drain()` count as one.
    public func signal() {
        guard !isSignalled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        var one: UInt64 = 1
        // EAGAIN means that the counter is full, so the loop is going to wake anyway.
        _ = write(descriptor, &one, 8)
    }

    /// What is signalled from here on wakes anew; before looking at what the other thread left. For a loop that is told of
    /// each signal and not of a readable descriptor, which stays readable.
    func hear() { _ = isSignalled.exchange(false, ordering: .acquiringAndReleasing) }

    /// Makes the descriptor unreadable again; call it on the loop before looking at what the other thread left.
    public func drain() {
        var count: UInt64 = 0
        // EAGAIN: nobody has signalled.
        _ = read(descriptor, &count, 8)
        // After the read: a signal from here on writes again, and what was left before it is going to be looked at.
        _ = isSignalled.exchange(false, ordering: .acquiringAndReleasing)
    }
}
