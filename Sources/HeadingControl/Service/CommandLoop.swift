internal import EventLoop
internal import Glibc

/// The event loop of a command, with what all commands need on it.
enum CommandLoop {
    /// Signals that end a command cleanly.
    static let endSignals: [Int32] = [SIGINT, SIGTERM, SIGHUP]

    /// A loop.
    static func make() throws(CommandError) -> EventLoop {
        do throws(Errno) {
            return try EventLoop()
        } catch {
            throw CommandError(.failure, "cannot make an event loop: \(error)")
        }
    }

    /// Handles the ending signals and some more on the loop. A shell that starts a program in the background makes it
    /// ignore SIGINT; that stays so.
    static func handleSignals(
        _ loop: EventLoop, extra: [Int32] = [], _ handler: @escaping (Int32) -> Void
    ) throws(CommandError) {
        do throws(Errno) {
            try loop.handleSignals(endSignals + extra, handler)
        } catch {
            throw CommandError(.failure, "cannot receive signals: \(error)")
        }
    }

    /// Stops the loop when the reader of a pipe or the terminal behind the output is gone. Files have no such end and
    /// are not watched.
    static func watchForEnd(of output: TextOutput, _ loop: EventLoop) -> Watch? {
        try? loop.watch(output.descriptor, for: []) { [weak loop] readiness in
            if !readiness.isDisjoint(with: [.hangUp, .failed]) { loop?.stop() }
        }
    }
}
