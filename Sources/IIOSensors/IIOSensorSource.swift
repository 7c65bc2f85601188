public import EventLoop
public import LocateMeModel
internal import UdevDevices

/// Magnetometer, accelerometer, gyroscope and hub headings of IIO devices, through libiio.
///
/// Everything that may block, so every call of libiio, happens on threads of its own: one per scan of a context, one
/// per device in use, and one that reads the buffers of all of them. The loop only drains rings of samples. While nothing is wanted there is no thread, no open
/// device and no wake-up. A call that never returns costs its thread and the device it is in, nothing else.
public final class IIOSensorSource: SensorSource {
    /// Who hears of samples and changes, on the loop.
    public weak var sensorListener: (any SensorSourceListener)?
    /// All sensors of all contexts as of the last scan, chosen or not, each with the reason.
    public internal(set) var sensors: [SensorDescription] = []
    /// False: devices deliver what their chips measure.
    public let deliversCalibratedField = false

    let loop: EventLoop
    let uris: [String]
    let overrides: SensorOverrides
    let wakeup: Wakeup
    let ledger: SettingsLedger
    let reader = BufferReader()
    private var watch: Watch?
    private let deviceMonitor: UdevMonitor?
    private var deviceWatch: Watch?
    private var hotplugTimer: LoopTimer?
    private(set) var discoveryTimer: LoopTimer?
    private(set) var retryTimer: LoopTimer?
    private(set) var watchdogTimer: LoopTimer?

    // Discovery
    var jobs: [DiscoveryJob] = []
    var isToDiscoverAgain = false
    var stuckJobs: [DiscoveryJob] = []
    var scans: [String: ScanResult] = [:]
    var choice = SensorChoice([])

    // Sensors at work
    /// The rate that headings need, 0 while none is wanted.
    var headingHertz = 0.0
    /// The rate that the accelerometer by itself needs, 0 while it is not wanted.
    var orientationHertz = 0.0
    var workers: [DeviceWorker] = []
    var retired: [DeviceWorker] = []
    var states: [String: SourceState] = [:]
    var rates: [String: Double] = [:]
    var buffering: [String: Bool] = [:]
    var problems: [Finding] = []
    var scanPace = ScanPace()
    var retryDue: Int64 = 0
    var isLost = false
    /// True once all that a heading needs has delivered since `start`.
    var hasBeenComplete = false
    /// CLOCK_BOOTTIME in µs since when headings have been lost.
    var lostSince: Int64 = 0
    var hasChanged = false
    var lastFieldTime: Int64?
    var scaleCheck = ScaleCheck()
    var deadField = DeadFieldCheck()
    /// Of the gyroscope with that id; kept while it is off, since it takes turns to find out.
    var gyroscopeUnit = GyroscopeUnitCheck()
    var gyroscopeID = ""
    var magnetometerID = ""
    /// Magnetometers in whose place another one is used.
    var failed = FailedSensors()

    /// What a scan of one context gave.
    struct ScanResult {
        var devices: [DeviceDescription] = []
        var findings: [Finding] = []
        var failed = false
        /// One device keeps all others from being seen.
        var isHidden = false
    }

    /// A source on the loop; touches no device until `discover()` or `start(rateHertz:)`.
    ///
    /// - Parameters:
    ///   - contexts: libiio URIs, such as `local:` or `ip:phone.lan`, in order of preference.
    ///   - stateDirectory: an existing folder in which it is noted what has been changed in devices, so that it can be
    ///     put back after a crash; nil to note nothing.
    ///   - followsDevices: hear of devices that come and go, and look again.
    public init(
        loop: EventLoop, contexts: [String] = ["local:"], overrides: SensorOverrides = SensorOverrides(),
        stateDirectory: String? = nil, followsDevices: Bool = true
    ) throws(Errno) {
        self.loop = loop
        uris = contexts
        self.overrides = overrides
        ledger = SettingsLedger(directory: stateDirectory)
        wakeup = try Wakeup()
        let isLocal = contexts.contains { $0.hasPrefix("local:") }
        deviceMonitor = followsDevices && isLocal ? UdevMonitor(subsystem: "iio") : nil
        discoveryTimer = loop.makeTimer { [weak self] in self?.checkDiscovery() }
        retryTimer = loop.makeTimer { [weak self] in self?.discover() }
        watchdogTimer = loop.makeTimer { [weak self] in self?.watchWorkers() }
        hotplugTimer = loop.makeTimer { [weak self] in self?.lookAgain() }
        if let deviceMonitor {
            deviceWatch = try loop.watch(deviceMonitor.descriptor, for: .readable) { [weak self] _ in
                self?.devicesChanged()
            }
        }
        watch = try loop.watch(wakeup) { [weak self] in self?.drain() }
    }

    deinit {
        for worker in workers { worker.requestStop() }
        watch?.cancel()
        deviceWatch?.cancel()
        hotplugTimer?.disarm()
        discoveryTimer?.disarm()
        retryTimer?.disarm()
        watchdogTimer?.disarm()
    }

    /// True while a scan of the contexts is under way; `sensorSourceChanged` tells its end.
    public var isDiscovering: Bool { !jobs.isEmpty }

    /// True if no thread is in a device.
    public var isOff: Bool { workers.isEmpty && retired.isEmpty }

    /// True if the sensors found can give a heading.
    public var canGiveHeading: Bool {
        let kinds = Set(choice.selected.map(\.description.kind))
        return kinds.contains(.hubHeading) || kinds.isSuperset(of: [.magnetometer, .accelerometer])
    }

    /// The chosen magnetometer as it is known across reboots and renumbering; nil while none is chosen.
    public var magnetometerIdentity: DeviceIdentity? {
        guard let sensor = choice.selected.first(where: { $0.description.kind == .magnetometer }) else { return nil }
        let description = sensor.description
        let parent = description.path.split(separator: "/").dropLast().joined(separator: "/")
        return DeviceIdentity(
            busPath: sensor.uri.hasPrefix("local:") ? "/" + parent : sensor.uri, name: description.name,
            location: description.location.isEmpty ? description.label : description.location)
    }

    /// Where each chosen sensor stands.
    public var sensorStates: [SourceDescription] {
        let chosen = choice.selected.map(\.description.id)
        let extra = active.filter { !chosen.contains($0.description.id) }
        return (choice.selected + extra).map { sensor in
            let id = sensor.description.id
            return SourceDescription(id: id, kind: sensor.description.kind.sourceKind, state: states[id] ?? .off)
        }
    }

    /// The rate in force of the sensor that points north, in Hz; 0 while it is off or lost. What the device answers when
    /// it is asked, or how often it is polled.
    public var rateHertz: Double {
        guard headingHertz > 0 else { return 0 }
        let leading = choice.selected.first {
            $0.description.kind == .magnetometer || $0.description.kind == .hubHeading
        }
        guard let id = leading?.description.id, states[id] == .ok || states[id] == .starting else { return 0 }
        return rates[id] ?? 0
    }

    /// True while any sensor is wanted.
    var isWanted: Bool { wantedHertz > 0 }

    /// The rate in Hz that all who want samples can live with.
    var wantedHertz: Double { max(headingHertz, orientationHertz) }

    /// The sensors that are to deliver now.
    var active: [SensorCandidate] {
        var sensors = headingHertz > 0 ? choice.selected : []
        if orientationHertz > 0, let orientation = choice.orientation,
            !sensors.contains(where: { $0.description.kind == .accelerometer })
        {
            sensors.append(orientation)
        }
        return sensors
    }

    /// True if an accelerometer was found that turns with the screen.
    public var hasOrientationSensor: Bool { choice.orientation != nil }

    /// Switches the chosen sensors on, or changes their rate. Returns at once: scan, opening and every later trouble
    /// happen elsewhere and are told to the listener.
    ///
    /// - Parameter rateHertz: wanted samples per second, kept within 0.1 and 1000; devices get the smallest of their
    ///   rates that is not below.
    public func start(rateHertz: Double) {
        let wasWanted = headingHertz > 0
        headingHertz = Self.sane(rateHertz)
        if wasWanted { return applyRate() }
        isLost = false
        hasBeenComplete = false
        lastFieldTime = nil
        deadField = DeadFieldCheck()
        failed.begin(at: Clock.bootMicroseconds())
        beginWanting(afresh: orientationHertz == 0)
    }

    /// Switches on the accelerometer that turns with the screen and no other sensor, or changes its rate; nil switches it
    /// off. Returns at once.
    public func setOrientation(rateHertz: Double?) {
        let wasWanted = orientationHertz > 0
        orientationHertz = rateHertz.map(Self.sane) ?? 0
        switch (wasWanted, orientationHertz > 0) {
        case (true, true): applyRate()
        case (false, true): beginWanting(afresh: headingHertz == 0)
        case (true, false): endWanting()
        case (false, false): break
        }
    }

    /// Faster than any magnetometer here; slower than one sample in ten seconds is no heading.
    private static func sane(_ rateHertz: Double) -> Double {
        rateHertz.isFinite ? min(max(rateHertz, 0.1), 1000) : 100
    }

    private func applyRate() { for worker in workers { worker.setRate(hertz: wantedHertz) } }

    /// - Parameter afresh: nothing was wanted before.
    private func beginWanting(afresh: Bool) {
        if afresh {
            scanPace.reset()
            problems = []
            scaleCheck = ScaleCheck()
        }
        for sensor in active where states[sensor.description.id] == nil { states[sensor.description.id] = .starting }
        applyRate()
        watchdogTimer?.arm(afterMicroseconds: 250_000, everyMicroseconds: 250_000)
        // Contexts are snapshots: what was plugged in since the last scan shows only in a new one.
        discover()
    }

    /// Lets samples lie in the kernel until then, where that is possible.
    public func letWait(untilBootMicroseconds time: Int64) { reader.letWait(untilBootMicroseconds: time) }

    /// Switches off what `start` has switched on. Returns at once; the threads restore the devices and end by themselves.
    public func stop() {
        guard headingHertz > 0 else { return }
        headingHertz = 0
        isLost = false
        endWanting()
    }

    /// Goes on with what is wanted still; with nothing wanted, switches everything off.
    private func endWanting() {
        guard !isWanted else {
            let wanted = Set(active.map(\.description.id))
            for id in states.keys where !wanted.contains(id) {
                states[id] = nil
                rates[id] = nil
                buffering[id] = nil
            }
            applyRate()
            settle()
            return
        }
        retryTimer?.disarm()
        watchdogTimer?.disarm()
        for worker in workers { retire(worker) }
        states = [:]
        rates = [:]
        buffering = [:]
        sensorListener?.sensorSourceChanged(self)
    }

    /// Waits until all devices are off and restored, for the end of a process. `stop()` alone returns at once and
    /// lets the threads finish by themselves.
    ///
    /// - Returns: false if a device did not let go in time; its settings then stay changed.
    public func waitUntilOff(milliseconds: Int) -> Bool {
        let deadline = Monitor.monotonicMicroseconds() + Int64(max(milliseconds, 0)) * 1000
        return (workers + retired).reduce(true) { all, worker in
            worker.waitForEnd(untilMonotonicMicroseconds: deadline) && all
        }
    }

    /// Devices come in groups, a hub's three within some milliseconds: one look for all of them, after 0.1 s, but not
    /// put off for ever by a device that comes and goes.
    private func devicesChanged() {
        var isWorthALook = false
        while let event = deviceMonitor?.next() { isWorthALook = isWorthALook || event.action != "change" }
        guard isWorthALook, hotplugTimer?.isArmed == false else { return }
        hotplugTimer?.arm(afterMicroseconds: 100_000)
    }

    private func lookAgain() {
        scanPace.reset()
        discover()
    }

    /// Called on the loop when a thread has left something.
    private func drain() {
        drainSamples()
        drainEvents()
        checkDiscovery()
    }
}
