internal import EventLoop
internal import Glibc

/// Finds the addresses of a host without stopping the loop: numeric ones and `localhost` at once, names on a thread of
/// their own, because getaddrinfo(3) may wait long for a name server.
final class NameLookup {
    typealias Answer = Result<[SocketAddress], SocketAddress.ResolveError>

    /// What the thread and the loop share.
    ///
    /// `@unchecked Sendable` is sound: the thread writes `answer` once, before it signals the wake-up, and the loop reads
    /// it only after it has seen the signal. Whoever is last lets it go, so neither waits for the other.
    private final class Question: @unchecked Sendable {
        let host: String
        let port: UInt16
        let wakeup: Wakeup
        var answer: Answer?

        init(host: String, port: UInt16, wakeup: Wakeup) {
            self.host = host
            self.port = port
            self.wakeup = wakeup
        }

        func ask() {
            do throws(SocketAddress.ResolveError) {
                answer = .success(try SocketAddress.resolve(host, port: port, isNumeric: false))
            } catch {
                answer = .failure(error)
            }
            wakeup.signal()
        }
    }

    private let question: Question
    private var watch: Watch?

    /// The addresses, if they are known without asking anybody. `localhost` is one of them by RFC 6761: both loopback
    /// addresses.
    static func known(_ host: String, port: UInt16) -> [SocketAddress]? {
        let names = host == "localhost" ? ["::1", "127.0.0.1"] : [host]
        var addresses: [SocketAddress] = []
        for name in names {
            guard let found = try? SocketAddress.resolve(name, port: port, isNumeric: true) else { continue }
            addresses += found
        }
        return addresses.isEmpty ? nil : addresses
    }

    /// Asks; `completion` is called on the loop, once, unless the lookup is let go before.
    init(
        loop: EventLoop, host: String, port: UInt16, completion: @escaping (Answer) -> Void
    ) throws(Errno) {
        question = Question(host: host, port: port, wakeup: try Wakeup())
        watch = try loop.watch(question.wakeup.descriptor, for: .readable) { [weak self] _ in
            guard let self, let answer = question.answer else { return }
            question.wakeup.drain()
            watch?.cancel()
            watch = nil
            completion(answer)
        }
        let argument = Unmanaged.passRetained(question)
        var thread = pthread_t()
        let status = pthread_create(
            &thread, nil,
            { argument in
                // The argument is the retained question of above.
                if let argument { Unmanaged<Question>.fromOpaque(argument).takeRetainedValue().ask() }
                return nil
            }, argument.toOpaque())
        guard status == 0 else {
            argument.release()
            watch?.cancel()
            throw Errno(rawValue: status)
        }
        // Fails only for a thread that is not there.
        _ = pthread_detach(thread)
    }

    deinit { watch?.cancel() }
}
