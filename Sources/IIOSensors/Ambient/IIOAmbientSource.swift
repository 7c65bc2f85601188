public import EventLoop
public import LocateMeModel

/// Ambient light and proximity of this machine's IIO devices, through libiio. Scans and reads happen on threads of their
/// own; while nothing is wanted there is no thread and no open device.
public final class IIOAmbientSource: AmbientSensorSource {
    /// Who hears of readings and changes, on the loop.
    public weak var ambientListener: (any AmbientSensorListener)?
    /// The kinds found by the last scan.
    public var kinds: Set<AmbientReading.Kind> { Set(channels.keys) }

    private let loop: EventLoop
    private let uri: String
    private let wakeup: Wakeup
    private var watch: Watch?
    private var rescanTimer: LoopTimer?
    private var job: DiscoveryJob?
    private var channels: [AmbientReading.Kind: AmbientChannel] = [:]
    private var wanted: Set<AmbientReading.Kind> = []
    private var workers: [AmbientReading.Kind: AmbientWorker] = [:]

    /// How often a sensor that is wanted and missing is looked for, in µs.
    private static let rescanMicroseconds: Int64 = 5_000_000

    /// A source on the loop; begins to look for sensors.
    ///
    /// - Parameter uri: the libiio context.
    public init(loop: EventLoop, uri: String = "local:") throws(Errno) {
        self.loop = loop
        self.uri = uri
        wakeup = try Wakeup()
        rescanTimer = loop.makeTimer { [weak self] in self?.rescan() }
        watch = try loop.watch(wakeup.descriptor, for: .readable) { [weak self] _ in self?.drain() }
        rescan()
    }

    deinit {
        for worker in workers.values { worker.requestStop() }
        watch?.cancel()
        rescanTimer?.disarm()
    }

    /// Switches the sensor of a kind on.
    public func start(_ kind: AmbientReading.Kind) {
        guard wanted.insert(kind).inserted else { return }
        if channels[kind] == nil { rescan() }
        connect(kind)
        armRescan()
    }

    /// Switches the sensor of a kind off.
    public func stop(_ kind: AmbientReading.Kind) {
        guard wanted.remove(kind) != nil else { return }
        workers.removeValue(forKey: kind)?.requestStop()
        armRescan()
    }

    /// Looks for sensors again; returns at once. Call it when devices have come or gone.
    public func rescan() {
        guard job == nil else { return }
        let scan = DiscoveryJob(uri: uri, skipping: [], ledger: SettingsLedger(directory: nil))
        if scan.start(wakeup: wakeup) { job = scan }
    }

    private func connect(_ kind: AmbientReading.Kind) {
        guard wanted.contains(kind), workers[kind] == nil, let channel = channels[kind] else { return }
        let worker = AmbientWorker(uri: uri, channel: channel, wakeup: wakeup)
        if worker.start() { workers[kind] = worker }
    }

    private func armRescan() {
        if wanted.allSatisfy({ workers[$0] != nil }) {
            rescanTimer?.disarm()
        } else if rescanTimer?.isArmed == false {
            rescanTimer?.arm(afterMicroseconds: Self.rescanMicroseconds)
        }
    }

    private func drain() {
        wakeup.drain()
        for (kind, worker) in workers {
            if let reading = worker.takeReading() { ambientListener?.ambientSource(self, delivered: reading) }
            guard worker.hasEnded else { continue }
            // It left by itself: the device is gone, or has moved to another number.
            workers[kind] = nil
            rescan()
        }
        takeScan()
        armRescan()
    }

    private func takeScan() {
        guard let state = job?.state, state.isDone else { return }
        job = nil
        var found: [AmbientReading.Kind: AmbientChannel] = [:]
        for kind in AmbientReading.Kind.allCases { found[kind] = AmbientChannel.best(kind, of: state.devices) }
        let isNew = found != channels
        channels = found
        for kind in wanted { connect(kind) }
        if isNew { ambientListener?.ambientSourceChanged(self) }
    }
}
