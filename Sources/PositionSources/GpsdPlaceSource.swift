public import EventLoop
public import LocateMeModel

/// Fixes from a gpsd. Connects while started, keeps trying for ever with pauses that grow, but for one nearby, and takes no
/// time of the loop when stopped. Whatever gpsd or its host does (hang, restart, send garbage, vanish) costs a new connection at most.
public final class GpsdPlaceSource: PlaceSource {
    /// How patient it is.
    public typealias Timing = SourceTiming

    private enum Phase {
        case stopped
        case resolving
        case connecting
        case connected
        case pausing
    }

    /// A JSON message of gpsd is far shorter (a sky view of 140 satellites has 14 000 bytes).
    private static let longestLine = 65_536

    /// Who hears of fixes.
    public weak var placeListener: (any PlaceSourceListener)?
    /// Why nothing is delivered, in a sentence that names the address; nil while all is well or stopped. Changes come with
    /// `placeSourceChanged`.
    public private(set) var problem: String?
    /// Lines that were no message of gpsd, since the source was made.
    public private(set) var garbageLines = 0

    private let loop: EventLoop
    private let address: GpsdAddress
    private let timing: Timing
    private let random: () -> Double
    private var state = SourceState.off
    private var phase = Phase.stopped
    private var timer: LoopTimer?
    private var epochTimer: LoopTimer?
    private var lookup: NameLookup?
    private var connection: StreamConnection?
    private var untried: [SocketAddress] = []
    private var pause: ReconnectDelay
    private var decoder = GpsdDecoder()
    private var lines = LineBuffer(limit: longestLine)
    private var epoch = FixEpoch()
    private var silence: SilenceWatch
    private var hasFix = false
    /// Whether gpsd is on this machine or its network, as far as is known.
    private var isNear = false

    /// A source that is stopped.
    ///
    /// - Parameters:
    ///   - loop: the loop it lives on.
    ///   - address: where gpsd listens.
    ///   - timing: how patient it is.
    ///   - random: uniform in [0, 1), for the variation of pauses.
    public init(
        loop: EventLoop, address: GpsdAddress = .local, timing: Timing = Timing(), random: @escaping () -> Double
    ) {
        self.loop = loop
        self.address = address
        self.timing = timing
        self.random = random
        pause = ReconnectDelay(first: timing.firstPause, longest: timing.longestPause)
        silence = SilenceWatch(now: 0, patience: 0, grace: 0)
        timer = loop.makeTimer { [weak self] in self?.timerFired() }
        epochTimer = loop.makeTimer { [weak self] in self?.flushEpoch() }
    }

    deinit {
        connection?.close()
        timer?.disarm()
        epochTimer?.disarm()
    }

    /// `gpsd`.
    public var placeState: SourceDescription { SourceDescription(id: "gpsd", kind: "gpsd", state: state) }

    /// Connects.
    public func start() {
        guard phase == .stopped else { return }
        pause.reset()
        problem = nil
        change(to: .starting)
        connect()
    }

    /// Disconnects.
    public func stop() {
        guard phase != .stopped else { return }
        disconnect()
        phase = .stopped
        problem = nil
        hasFix = false
        change(to: .off)
    }

    // MARK: - Connecting

    private func connect() {
        if let known = NameLookup.known(address.host, port: address.port) {
            untried = known
            return connectNext(after: nil)
        }
        phase = .resolving
        // One that is still asking from before a stop is as good as a new one.
        guard lookup == nil else { return }
        do throws(Errno) {
            lookup = try NameLookup(loop: loop, host: address.host, port: address.port) { [weak self] answer in
                self?.resolved(answer)
            }
        } catch {
            fail("cannot look up '\(address.host)': \(error)")
        }
    }

    private func resolved(_ answer: NameLookup.Answer) {
        lookup = nil
        guard phase == .resolving else { return }
        switch answer {
        case .success(let addresses):
            untried = addresses
            connectNext(after: nil)
        case .failure(let error):
            fail("cannot find the host '\(address.host)': \(error)")
        }
    }

    private func connectNext(after failure: String?) {
        connection = nil
        guard !untried.isEmpty else {
            return fail("cannot connect to gpsd at \(address): \(failure ?? "no address")")
        }
        let next = untried.removeFirst()
        phase = .connecting
        isNear = next.isNear
        do throws(Errno) {
            connection = try StreamConnection(loop: loop, address: next) { [weak self] event in self?.handle(event) }
            arm(after: isNear ? min(timing.connect, timing.connectNear) : timing.connect)
        } catch {
            connectNext(after: error.description)
        }
    }

    private func handle(_ event: StreamConnection.Event) {
        switch event {
        case .connected:
            phase = .connected
            lines = LineBuffer(limit: Self.longestLine)
            decoder = GpsdDecoder()
            epoch.reset()
            connection?.send("?WATCH={\"enable\":true,\"json\":true};\n")
            silence = SilenceWatch(
                now: Clock.bootMicroseconds(), patience: Self.microseconds(timing.silence),
                grace: Self.microseconds(timing.firstReport))
            armSilence()
        case .received(let bytes): receive(bytes)
        case .closed(let error):
            if phase == .connecting {
                connectNext(after: error?.description ?? "closed")
            } else {
                fail("gpsd at \(address) closed the connection" + (error.map { ": \($0)" } ?? ""))
            }
        }
    }

    private func disconnect() {
        connection?.close()
        connection = nil
        untried = []
        timer?.disarm()
        epochTimer?.disarm()
    }

    /// Gives up the connection and comes back after a pause.
    private func fail(_ reason: String) {
        disconnect()
        if let fix = epoch.flush() { deliver(fix) }
        // The listener may have stopped the source.
        guard phase != .stopped else { return }
        phase = .pausing
        timer?.arm(
            afterMicroseconds: pause.take(random: random(), limit: isNear ? timing.longestNearPause : .infinity))
        report(reason, as: state == .ok || state == .lost ? .lost : .failed)
    }

    private func timerFired() {
        switch phase {
        case .stopped, .resolving: break
        case .connecting:
            connection?.close()
            connectNext(after: "no answer")
        case .pausing: connect()
        case .connected: checkSilence()
        }
    }

    // MARK: - Listening

    private func receive(_ bytes: UnsafeRawBufferPointer) {
        var received: [[UInt8]] = []
        lines.append(bytes) { received.append($0) }
        for line in received {
            // The listener may have stopped the source.
            guard phase == .connected else { return }
            switch decoder.decode(line) {
            case .report(let report): handle(report)
            case .deviceGone: loseFix("gpsd at \(address) has lost its receiver")
            case .other: break
            case .garbage: garbageLines += 1
            }
        }
    }

    private func handle(_ report: GpsdReport) {
        let now = Clock.bootMicroseconds()
        silence.heard(at: now)
        armSilence()
        pause.reset()
        guard let fix = report.fix(bootMicroseconds: now) else {
            if hasFix {
                hasFix = false
                if let fix = epoch.flush() { deliver(fix) }
                placeListener?.placeSourceHasNoFix(self)
            }
            // It works again, only without a position yet.
            if state == .failed || state == .lost, phase == .connected {
                problem = nil
                change(to: .starting)
            }
            return
        }
        for ready in epoch.add(fix) { deliver(ready) }
        if let deadline = epoch.deadline, phase == .connected {
            epochTimer?.arm(atBootMicroseconds: deadline)
        } else {
            epochTimer?.disarm()
        }
    }

    private func flushEpoch() {
        if let fix = epoch.flush() { deliver(fix) }
    }

    private func deliver(_ fix: Fix) {
        hasFix = true
        problem = nil
        change(to: .ok)
        placeListener?.placeSource(self, delivered: fix)
    }

    private func checkSilence() {
        let now = Clock.bootMicroseconds()
        if now < silence.deadline { return armSilence() }
        // A timer that comes seconds late has slept with the machine.
        if now - silence.deadline > 2_000_000 {
            silence.resumed(at: now)
            return armSilence()
        }
        let heardGarbage = garbageLines > 0 && state == .starting
        fail(
            heardGarbage
                ? "what listens at \(address) does not speak gpsd's protocol"
                : "gpsd at \(address) sends no positions; is a receiver plugged in?")
    }

    private func armSilence() { timer?.arm(atBootMicroseconds: silence.deadline) }

    private func arm(after seconds: Double) { timer?.arm(afterMicroseconds: Self.microseconds(seconds)) }

    // MARK: - State

    private func loseFix(_ reason: String) {
        guard hasFix || state == .ok else { return }
        report(reason, as: .lost)
    }

    private func report(_ reason: String, as new: SourceState) {
        let isNews = problem != reason
        problem = reason
        if hasFix {
            hasFix = false
            placeListener?.placeSourceHasNoFix(self)
        }
        guard phase != .stopped else { return }
        if new != state { change(to: new) } else if isNews { placeListener?.placeSourceChanged(self) }
    }

    private func change(to new: SourceState) {
        guard new != state else { return }
        state = new
        placeListener?.placeSourceChanged(self)
    }

    private static func microseconds(_ seconds: Double) -> Int64 { Int64(seconds * 1e6) }
}
