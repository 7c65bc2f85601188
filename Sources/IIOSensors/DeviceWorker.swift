internal import EventLoop
internal import LocateMeModel

/// One device's worker as both sides see it: the loop gives orders, the thread leaves samples and events.
///
/// `@unchecked Sendable` is sound: what both sides touch is `state`, only with the monitor held, and the ring,
/// which locks itself; what follows under "loop only" is touched on the loop's thread alone.
final class DeviceWorker: @unchecked Sendable {
    private struct State {
        var stopRequested = false
        var wantedHertz: Double
        var buffer: OpaquePointer?
        var events: [WorkerEvent] = []
        var streamFailure: Errno?
        var ended = false
    }

    let plan: DevicePlan
    private let monitor = Monitor()
    private let ring = SampleRing(capacity: 256)
    private let wakeup: Wakeup
    private var state: State
    /// Reads its buffer together with those of other devices; nil: its own thread does.
    let reader: BufferReader?
    /// True if headings are made at this device's samples.
    let isLeading: Bool

    /// How long samples that only serve those of another device may wait for it, µs: the loop wakes once for all.
    static let patience: Int64 = 130_000
    /// Rates in Hz below which every sample wakes the loop.
    private static let slowHertz = 9.0

    // Loop only
    /// The ring's oldest sample, taken out to be compared with those of other devices.
    private var next: SensorSample?
    var lastHeard: Int64 = 0
    var isSilent = false
    /// True once it has opened its device.
    var isOpen = false
    /// True once it was asked to leave: what its ring still holds is stale.
    var isRetired = false
    /// Kinds of sensor that have delivered since they were last lost.
    var delivering = SensorKinds()

    init(plan: DevicePlan, rateHertz: Double, wakeup: Wakeup, reader: BufferReader? = nil) {
        self.plan = plan
        self.wakeup = wakeup
        self.reader = reader
        isLeading = plan.sensors.contains {
            $0.description.kind == .magnetometer || $0.description.kind == .hubHeading
        }
        state = State(wantedHertz: rateHertz)
    }

    /// Starts the thread. False if the system has none left.
    func start(ledger: SettingsLedger) -> Bool {
        let started = WorkerThread.run(name: "iio-\(plan.name)") { [self] in
            let failure = DeviceSession.run(plan: plan, worker: self, ledger: ledger)
            end(failure)
        }
        if !started { monitor.locked { state.ended = true } }
        return started
    }

    // MARK: - Loop's side

    /// Asks the thread to leave the device. Returns at once.
    func requestStop() {
        monitor.locked {
            state.stopRequested = true
            if let buffer = state.buffer { IIOBuffer.cancel(buffer) }
            monitor.wakeAll()
        }
    }

    /// Asks for another rate.
    func setRate(hertz: Double) {
        monitor.locked {
            guard state.wantedHertz != hertz else { return }
            state.wantedHertz = hertz
            // The thread looks at its orders after each scan; a cancelled buffer could not be used again.
            monitor.wakeAll()
        }
    }

    /// CLOCK_BOOTTIME in µs of the next sample, nil if none waits.
    var nextSampleTime: Int64? {
        if next == nil { next = ring.pop() }
        return next?.bootMicroseconds
    }

    /// The next sample, nil if none waits.
    func takeSample() -> SensorSample? {
        defer { next = nil }
        return next ?? ring.pop()
    }

    /// Events since the last call.
    func takeEvents() -> [WorkerEvent] {
        monitor.locked {
            guard !state.events.isEmpty else { return [] }
            let events = state.events
            state.events = []
            return events
        }
    }

    /// True when the thread has left the device and will not come back.
    var hasEnded: Bool { monitor.locked { state.ended } }

    /// Waits until the thread has left the device. False if the deadline (CLOCK_MONOTONIC, µs) came first.
    func waitForEnd(untilMonotonicMicroseconds deadline: Int64) -> Bool {
        monitor.locked {
            while !state.ended {
                guard monitor.wait(untilMonotonicMicroseconds: deadline) else { return state.ended }
            }
            return true
        }
    }

    // MARK: - Thread's side

    /// The orders in force.
    var orders: (stop: Bool, wantedHertz: Double) { monitor.locked { (state.stopRequested, state.wantedHertz) } }

    /// Makes a running buffer known, so that a stop can end its wait. False if the stop came before.
    func bufferOpened(_ buffer: OpaquePointer) -> Bool {
        monitor.locked {
            guard !state.stopRequested else { return false }
            state.buffer = buffer
            return true
        }
    }

    /// The buffer is about to be closed.
    func bufferCloses() { monitor.locked { state.buffer = nil } }

    /// Sleeps until the deadline (CLOCK_MONOTONIC, µs), a stop, or another rate than `wantedHertz`.
    func sleep(untilMonotonicMicroseconds deadline: Int64, wantedHertz: Double) {
        monitor.locked {
            while !state.stopRequested, state.wantedHertz == wantedHertz {
                guard monitor.wait(untilMonotonicMicroseconds: deadline) else { return }
            }
        }
    }

    /// True if its samples make the loop wake, those of others may wait for them.
    func isUrgent(atHertz hertz: Double) -> Bool { isLeading || hertz < Self.slowHertz }

    /// Leaves a sample for the loop. True if the loop is to be woken for it.
    func push(_ sample: SensorSample) -> Bool {
        let waited = ring.push(sample)
        // Times that jump count as long, too.
        return isLeading || !(0..<Self.patience).contains(waited)
            || isUrgent(atHertz: monitor.locked { state.wantedHertz })
    }

    /// Wakes the loop for what was left.
    func wakeLoop() { wakeup.signal() }

    /// Hands a sample to the loop.
    func deliver(_ sample: SensorSample) {
        if push(sample) { wakeLoop() }
    }

    /// What failed before is forgotten.
    func streamBegins() { monitor.locked { state.streamFailure = nil } }

    /// On the reader's thread: the buffer cannot be read any more.
    func streamFailed(_ error: Errno) {
        monitor.locked {
            state.streamFailure = error
            monitor.wakeAll()
        }
    }

    /// Sleeps until the deadline (CLOCK_MONOTONIC, µs), a stop, another rate than `wantedHertz`, or a failure of the stream
    /// that the reader has, which is returned.
    func followStream(untilMonotonicMicroseconds deadline: Int64, wantedHertz: Double) -> Errno? {
        monitor.locked {
            while !state.stopRequested, state.wantedHertz == wantedHertz, state.streamFailure == nil {
                guard monitor.wait(untilMonotonicMicroseconds: deadline) else { break }
            }
            return state.streamFailure
        }
    }

    /// Hands an event to the loop.
    func report(_ event: WorkerEvent) {
        monitor.locked { state.events.append(event) }
        wakeup.signal()
    }

    private func end(_ failure: WorkerFailure?) {
        monitor.locked {
            state.events.append(.ended(failure))
            state.ended = true
            monitor.wakeAll()
        }
        wakeup.signal()
    }
}

/// A set of kinds of sensor that is asked with each sample: a `Set` would hash the kinds' names.
struct SensorKinds: Hashable, Sendable {
    private var bits: UInt8 = 0

    /// True if the kind is in it.
    func contains(_ kind: SensorKind) -> Bool { bits & Self.bit(kind) != 0 }

    /// Adds a kind.
    mutating func insert(_ kind: SensorKind) { bits |= Self.bit(kind) }

    /// Takes a kind out.
    mutating func remove(_ kind: SensorKind) { bits &= ~Self.bit(kind) }

    private static func bit(_ kind: SensorKind) -> UInt8 {
        switch kind {
        case .magnetometer: 1
        case .accelerometer: 2
        case .gyroscope: 4
        case .hubHeading: 8
        }
    }
}
