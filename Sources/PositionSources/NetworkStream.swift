internal import EventLoop
internal import Glibc

/// A connection to a server by TCP or by a socket in the file system: looks the name up, tries each address in turn.
final class NetworkStream: ByteStream {
    /// Who is called.
    enum Target {
        case host(String, port: UInt16)
        case path(String)
    }

    private let loop: EventLoop
    private let timing: SourceTiming
    private let handler: (ByteStreamEvent) -> Void
    /// Whether the server is on this machine or its network; nil until it has an address.
    private(set) var isNear: Bool?
    private var isOpen = false
    private var isClosed = false
    private var lookup: NameLookup?
    private var connection: StreamConnection?
    private var untried: [SocketAddress] = []
    private var timer: LoopTimer?

    init(loop: EventLoop, target: Target, timing: SourceTiming, handler: @escaping (ByteStreamEvent) -> Void) {
        self.loop = loop
        self.timing = timing
        self.handler = handler
        timer = loop.makeTimer { [weak self] in self?.timerFired() }
        switch target {
        case .path(let path): untried = SocketAddress(path: path).map { [$0] } ?? []
        case .host(let host, let port):
            if let known = NameLookup.known(host, port: port) {
                untried = known
            } else {
                look(up: host, port)
                return
            }
        }
        timer?.arm(afterMicroseconds: 0)
    }

    deinit {
        connection?.close()
        timer?.disarm()
    }

    func close() {
        isClosed = true
        connection?.close()
        connection = nil
        lookup = nil
        timer?.disarm()
    }

    // MARK: - Private

    private func look(up host: String, _ port: UInt16) {
        do throws(Errno) {
            lookup = try NameLookup(loop: loop, host: host, port: port) { [weak self] answer in
                guard let self, !isClosed else { return }
                lookup = nil
                switch answer {
                case .success(let addresses):
                    untried = addresses
                    connectNext(after: "no address")
                case .failure(let error): fail("cannot find the host '\(host)': \(error)")
                }
            }
        } catch {
            untried = []
            timer?.arm(afterMicroseconds: 0)
        }
    }

    private func timerFired() {
        if connection == nil {
            connectNext(after: "no address")
        } else if !isOpen {
            connection?.close()
            connection = nil
            connectNext(after: "no answer")
        }
    }

    private func connectNext(after failure: String) {
        connection = nil
        guard !untried.isEmpty else { return fail("cannot connect: \(failure)") }
        let next = untried.removeFirst()
        isNear = next.isNear
        do throws(Errno) {
            connection = try StreamConnection(loop: loop, address: next) { [weak self] event in self?.handle(event) }
            let patience = next.isNear ? min(timing.connect, timing.connectNear) : timing.connect
            timer?.arm(afterMicroseconds: NMEAReceiver.microseconds(patience))
        } catch {
            connectNext(after: error.description)
        }
    }

    private func handle(_ event: StreamConnection.Event) {
        switch event {
        case .connected:
            isOpen = true
            timer?.disarm()
            handler(.opened)
        case .received(let bytes): handler(.received(bytes))
        case .closed(let error):
            if isOpen {
                fail("the connection was closed" + (error.map { ": \($0)" } ?? ""))
            } else {
                connectNext(after: error?.description ?? "closed")
            }
        }
    }

    private func fail(_ reason: String) {
        guard !isClosed else { return }
        close()
        handler(.closed(reason))
    }
}
