internal import EventLoop

/// Sends signals to one client no faster than it reads them; what it has no room for is replaced by newer. See
/// `FlowWindow`. Share one per client connection. Sends nothing of its own while nothing is offered.
public final class PeerFlow {
    /// The client.
    public let destination: String
    /// Messages that were replaced by newer ones, or refused since the bus itself does not read.
    public private(set) var superseded: UInt64 = 0
    /// Messages that were sent.
    public private(set) var sent: UInt64 = 0
    /// True once the client has answered a ping.
    public var hasAnswered: Bool { window.hasAnswered }
    /// Called once if the bus does not let this process ping the client (a policy on the system bus is missing);
    /// then everything is sent unchecked.
    public var onPingRefused: ((BusError) -> Void)?

    private let connection: BusConnection
    private var window: FlowWindow
    private var held: [(slot: String, message: BusMessage)] = []
    private var ping: PendingCall?
    private var retry: LoopTimer?
    private var isGone = false

    /// A flow to a client that has been sent nothing yet.
    public init(
        connection: BusConnection, destination: String, parameters: FlowWindow.Parameters = FlowWindow.Parameters()
    ) {
        self.connection = connection
        self.destination = destination
        window = FlowWindow(parameters)
    }

    deinit {
        ping?.cancel()
        retry?.disarm()
    }

    /// True while a message that is offered would be kept back: no need to build one that a newer will replace.
    public var isHolding: Bool { isGone || window.isClosed(now: Clock.bootMicroseconds()) }

    /// Sends the message, or keeps it until the client has caught up. Of messages in the same slot only the newest is
    /// kept; `slot` is, say, object path and signal name, and asked for only if something is kept.
    public func offer(_ message: BusMessage, slot: @autoclosure () -> String) {
        guard !isGone else {
            superseded += 1
            return
        }
        switch window.offer(now: Clock.bootMicroseconds()) {
        case .send:
            deliver(message, slot)
        case .sendAndPing:
            deliver(message, slot)
            sendPing()
        case .hold:
            hold(message, slot())
        case .holdAndPing:
            hold(message, slot())
            sendPing()
        }
        armRetry()
    }

    /// Forgets what is kept and waits for nothing more, for instance when the client is gone. Idempotent.
    public func cancel() {
        isGone = true
        held = []
        ping?.cancel()
        ping = nil
        retry?.disarm()
    }

    // MARK: - Private

    private func hold(_ message: BusMessage, _ slot: String) {
        if let index = held.firstIndex(where: { $0.slot == slot }) {
            held[index].message = message
            superseded += 1
        } else {
            held.append((slot, message))
        }
    }

    /// Sends a message behind those that were kept, except the one that it replaces.
    private func deliver(_ message: BusMessage, _ slot: () -> String) {
        if !held.isEmpty {
            let slot = slot()
            let waiting = held
            held = []
            for entry in waiting {
                if entry.slot == slot { superseded += 1 } else { write(entry.message) }
            }
        }
        write(message)
    }

    private func write(_ message: BusMessage) {
        if connection.sendDroppable(message) { sent += 1 } else { superseded += 1 }
    }

    /// What is kept must not be forgotten if nothing more is offered: without a pong to wait for, a timer ends the wait.
    private func armRetry() {
        guard !isGone, !held.isEmpty, retry?.isArmed != true,
            let delay = window.retryDelay(now: Clock.bootMicroseconds())
        else { return }
        let timer = retry ?? connection.loop.makeTimer { [weak self] in self?.release() }
        retry = timer
        timer.arm(afterMicroseconds: delay)
    }

    private func sendPing() {
        do throws(BusError) {
            let message = try BusMessage.methodCall(
                destination: destination, path: "/", interface: "org.freedesktop.DBus.Peer", member: "Ping")
            message.mayStartService = false
            ping = connection.call(message, timeoutMilliseconds: nil) { [weak self] in self?.answered($0) }
        } catch {
            // The destination is no bus name: nothing can be sent to it either.
            isGone = true
        }
    }

    private func answered(_ result: Result<BusMessage, BusError>) {
        ping = nil
        if case .failure(let error) = result, error.sender == nil || error.sender == BusConnection.busName {
            switch error.code {
            case .accessDenied:
                window.disable()
                onPingRefused?(error)
                onPingRefused = nil
            case .limitsExceeded, .noMemory:
                // The bus is short of something, which says nothing of the client.
                window.pingFailed()
                armRetry()
                return
            default:
                // ServiceUnknown, NameHasNoOwner, NoReply, Disconnected: the client or the bus is gone.
                cancel()
                return
            }
        } else {
            // A client that refuses the call has read it, too.
            if window.ponged(now: Clock.bootMicroseconds()) { sendPing() }
        }
        release()
    }

    /// The window is open again: what was kept goes out as if it were offered now.
    private func release() {
        let waiting = held
        held = []
        for entry in waiting { offer(entry.message, slot: entry.slot) }
    }
}
