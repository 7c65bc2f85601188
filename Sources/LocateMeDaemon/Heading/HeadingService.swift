internal import CompassDiagnosis
internal import EventLoop
internal import Geometry
internal import HeadingEstimation
internal import LocateMeModel
internal import MagnetometerCalibration

/// Hears of estimates, for every session's own reference and filter.
protocol HeadingServiceListener: AnyObject {
    /// A new estimate; it may be an invalid one.
    func headingService(_ service: HeadingService, estimated estimate: HeadingEstimate)
    /// No estimates come any more; they may come again by themselves.
    func headingService(_ service: HeadingService, lost reason: String)
    /// Sensors appeared, vanished or changed state.
    func headingServiceChanged(_ service: HeadingService)
}

/// The sensors and the estimator: on while somebody needs a heading, at the highest rate that is needed.
final class HeadingService {
    weak var listener: (any HeadingServiceListener)?
    let source: any SensorSource
    /// Called when somebody begins or ends to need headings.
    var needsChanged: () -> Void = {}
    /// Called with each raw field in µT (scale repaired) and its time in µs.
    var fieldSeen: (Vector3, Int64) -> Void = { _, _ in }
    /// Called with each specific force in m/s² and its time in µs.
    var forceSeen: (Vector3, Int64) -> Void = { _, _ in }
    /// Called with a batch fit that everyday use has made due.
    var fitIsDue: (CalibrationFitJob) -> Void = { _ in }
    private var memory: HeadingMemory
    private let log: Log
    /// What was logged of the sensors last.
    private var toldSensors = ""
    private(set) var estimator: HeadingEstimator
    private var scale = FieldScaleWatch()
    private var health = CompassHealth()
    /// A calibration that somebody made, as it was made or stored.
    private var made: StoredHeadingState.Magnetometer?
    private var identity: DeviceIdentity?
    /// The magnetometer's mount matrix in force.
    private var mountMatrix: Matrix3?
    /// What became of a calibration whose matrix was another one.
    private var matrixFinding: Finding?
    private var saved: StoredHeadingState?
    /// Who made the calibration in force and when, if somebody did: then refining does not make it anew.
    private var origin: (source: String, realMicroseconds: Int64)?
    private var needs: [ObjectIdentifier: Need] = [:]
    /// The rate in Hz at which specific force is needed by itself; nil: it is not.
    private var forceRate: Double?
    private var startedRate = 0.0
    private var hasRun = false
    /// True if an accelerometer feeds the heading.
    private var isForceForHeading = true
    private var watchdog: LoopTimer?
    private var saver: LoopTimer?
    private var slowdown: LoopTimer?
    private var patience: LoopTimer?
    private var suspended: (() -> Void)?
    private var slept: SleepGap
    private let sleptMicroseconds: () -> Int64

    /// What somebody needs.
    private struct Need {
        let rateHertz: Double
        let patience: (() -> HeadingPatience)?
    }

    /// The last angular rate in rad/s and its time.
    private var turning: (rate: Vector3, bootMicroseconds: Int64)?
    /// How old that may be, in µs, compared with the field.
    private static let turningMicroseconds: Int64 = 100_000

    /// True from the moment the machine is about to sleep until it is back.
    private(set) var isSuspended = false
    /// The newest estimate; nil while none is younger than what the watchdog allows.
    private(set) var latest: HeadingEstimate?
    /// CLOCK_BOOTTIME in µs at which `latest` came in.
    private(set) var latestArrival: Int64 = 0

    /// Silence in µs after which headings count as lost, for sensors of at least 2 Hz.
    private static let silenceMicroseconds: Int64 = 1_500_000
    private static let watchdogMicroseconds: Int64 = 500_000
    private static let saveMicroseconds: Int64 = 300_000_000
    /// How long a rate outlives the need for it.
    private static let slowdownMicroseconds: Int64 = 3_000_000
    /// How long devices may take to let go before sleep; the login manager waits 5 s at most.
    private static let letGoMicroseconds: Int64 = 3_500_000
    /// What clients are told.
    private static let suspendedReason = "suspended"

    init(
        source: any SensorSource, store: (any HeadingStateStore)?, storeTrouble: String? = nil, loop: EventLoop,
        log: Log, sleptMicroseconds: @escaping () -> Int64 = Clock.sleptMicroseconds
    ) {
        self.sleptMicroseconds = sleptMicroseconds
        slept = SleepGap(sleptMicroseconds: sleptMicroseconds())
        self.source = source
        memory = HeadingMemory(store, trouble: storeTrouble, log: log)
        self.log = log
        estimator = Self.makeEstimator(for: source, stored: nil)
        watchdog = loop.makeTimer { [weak self] in self?.checkSilence() }
        saver = loop.makeTimer { [weak self] in self?.save() }
        slowdown = loop.makeTimer { [weak self] in self?.slowDown() }
        patience = loop.makeTimer { [weak self] in self?.endSuspending(isOff: false) }
        isForceForHeading = source.sensors.contains { $0.kind == .accelerometer && $0.selected }
        adoptDevice()
        source.sensorListener = self
        tellSensors()
    }

    /// True if there is a sensor that a heading can be made from.
    var isAvailable: Bool {
        source.sensors.contains { $0.selected && ($0.kind == .magnetometer || $0.kind == .hubHeading) }
    }

    /// Why there is no heading sensor; nil if there is one, or if that is not known yet.
    var unavailableReason: String? {
        guard !isAvailable, !source.isDiscovering else { return nil }
        let rejected = source.sensors.first { $0.kind == .magnetometer || $0.kind == .hubHeading }
        guard let rejected else { return "no magnetometer was found" }
        return "the magnetometer \(rejected.name) cannot be used: \(rejected.reason)"
    }

    /// Why a valid heading does not come although the sensors are on.
    var silenceReason: String {
        if let unavailableReason { return unavailableReason }
        if isSuspended { return Self.suspendedReason }
        if latest == nil, let reason = source.silenceReason { return reason }
        guard latest != nil else { return "the magnetometer delivers nothing; see headingctl sensors" }
        return "no heading can be trusted yet; turn the device in all directions, away from metal"
    }

    /// True while the sensors are on.
    var isRunning: Bool { startedRate > 0 }

    /// Says that `who` needs headings at a rate in Hz, or none (nil). The sensors run at the highest rate that anybody
    /// needs: faster at once, slower after a while, since a change interrupts the others for a moment.
    ///
    /// - Parameter patience: asked after each heading; nil: none.
    func setNeed(_ who: AnyObject, rateHertz: Double?, patience: (() -> HeadingPatience)? = nil) {
        needs[ObjectIdentifier(who)] = rateHertz.map { Need(rateHertz: $0, patience: patience) }
        needsChanged()
        guard let wanted = wantedHertz else { return switchOff() }
        guard !isSuspended else { return }
        if wanted > startedRate { run(rateHertz: wanted) }
        if wanted < startedRate, slowdown?.isArmed == false {
            slowdown?.arm(afterMicroseconds: Self.slowdownMicroseconds)
        }
    }

    /// The highest rate in Hz that anybody needs, nil: nobody does.
    private var wantedHertz: Double? { needs.values.lazy.map(\.rateHertz).max() }

    /// True while specific force is needed by itself.
    var needsForce: Bool { forceRate != nil }

    /// Says that specific force is needed by itself, at a rate in Hz, or not (nil): that takes the accelerometer alone.
    func setForceNeed(rateHertz: Double?) {
        forceRate = rateHertz
        needsChanged()
        if !isSuspended { source.setOrientation(rateHertz: rateHertz) }
    }

    /// Takes back a rate that nobody needs any more.
    func slowDown() {
        guard isRunning, !isSuspended, let wanted = wantedHertz, wanted < startedRate else { return }
        run(rateHertz: wanted)
    }

    /// The magnetic model's field at the present place, nil without a place.
    func setEarthField(_ field: EarthField?) { estimator.setEarthField(field) }

    /// Switches the sensors off and keeps what was learned.
    func stop() {
        needs = [:]
        if forceRate != nil { source.setOrientation(rateHertz: nil) }
        forceRate = nil
        switchOff()
    }

    // MARK: - Sleep

    /// Switches the sensors off although they are needed, since the machine goes to sleep; calls `done` when the devices
    /// have let go, or when that takes too long.
    func suspend(_ done: @escaping () -> Void) {
        guard !isSuspended else { return done() }
        isSuspended = true
        guard isRunning || forceRate != nil else { return done() }
        if forceRate != nil { source.setOrientation(rateHertz: nil) }
        if isRunning {
            switchOff()
            lose(Self.suspendedReason)
        }
        guard !source.isOff else { return done() }
        suspended = done
        patience?.arm(afterMicroseconds: Self.letGoMicroseconds)
    }

    /// Switches the sensors on again for those who still need them. What was known of the attitude counts as stale, the
    /// gyroscope's bias as uncertain. Works without a `suspend` before it.
    func resume() {
        endSuspending(isOff: true)
        isSuspended = false
        if let forceRate { source.setOrientation(rateHertz: forceRate) }
        guard let wanted = wantedHertz else { return }
        if isRunning {
            switchOff()
            lose(Self.suspendedReason)
        }
        run(rateHertz: wanted)
    }

    // MARK: - Calibration

    /// The model's field at the present place, nil without one.
    var earthField: EarthField? { estimator.earthField }

    /// True if the source's field needs no calibration of ours.
    var isCalibratedAtSource: Bool { source.deliversCalibratedField }

    /// True if something was stored of the present magnetometer.
    var startedFromStore: Bool { saved?.magnetometer != nil }

    /// What the magnetometer's field must be multiplied by: 1 unless its driver's scale is off by a power of ten.
    var scaleFactor: Double { scale.factor }

    /// How well the magnetometer is calibrated: of the newest estimate, else of what is known of the device.
    var quality: CalibrationQuality {
        if let latest { return latest.calibration }
        return identity == nil || isCalibratedAtSource ? .unknown : estimator.quality
    }

    /// Standard deviation of the worst component of `hardIron`, µT.
    var hardIronSigma: Double {
        let sigma = estimator.hardIronSigma
        return max(sigma.x, sigma.y, sigma.z)
    }

    /// What is known of the present device, learned or stored.
    var learned: StoredHeadingState {
        var state = hasRun ? estimator.storedState : saved ?? StoredHeadingState()
        state.fieldScale = scale.factor
        state.mountMatrix = mountMatrix
        if let origin {
            state.source = origin.source
            state.createdRealMicroseconds = origin.realMicroseconds
        }
        return state
    }

    /// What is wrong with what is stored of the compass.
    var memoryFindings: [Finding] { memory.findings }

    /// What use has shown to be wrong with the sensors.
    var healthFindings: [Finding] {
        var context = CompassHealth.Context()
        context.sensors = source.sensors
        context.wantedHertz = startedRate
        context.earthField = earthField
        context.calibration = latest?.calibration ?? .unknown
        if let origin { context.calibrationAge = Double(Clock.realMicroseconds() - origin.realMicroseconds) * 1e-6 }
        context.made = made
        context.fieldScale = scale.factor
        if let made, hasRun {
            context.hardIronMoved = (estimator.hardIron - made.hardIron).length
            context.hardIronSigma = hardIronSigma
        }
        return [matrixFinding].compactMap { $0 } + health.findings(context)
    }

    /// Whether enough attitudes were seen to judge the axes; nil while nothing is seen or there is nothing to judge.
    var hasJudgedAxes: Bool? {
        guard hasRun, source.magnetometerIdentity != nil, isForceForHeading else { return nil }
        return health.axes.judgement() != nil
    }

    /// Uses a batch fit of everyday use, if it says more than is known.
    func apply(_ fit: CalibrationFit) { estimator.apply(fit) }

    /// Puts a calibration in force and stores it before it returns. Throws if it is in force but not stored.
    func use(_ magnetometer: StoredHeadingState.Magnetometer, source: String) throws(StorageFailure) {
        var state = learned
        state.magnetometer = magnetometer
        state.source = source
        state.createdRealMicroseconds = HeadingMemory.presentRealMicroseconds
        origin = (source, state.createdRealMicroseconds)
        made = magnetometer
        estimator.setCalibration(magnetometer)
        saved = state
        try memory.save(state, for: identity)
    }

    /// Forgets the calibration, here and in the store.
    func forgetCalibration() throws(StorageFailure) {
        estimator.setCalibration(nil)
        saved = nil
        origin = nil
        made = nil
        guard scale.factor != 1 else { return try memory.save(nil, for: identity) }
        // That the driver's scale is off is no calibration: it stays known.
        var state = StoredHeadingState()
        state.fieldScale = scale.factor
        try memory.save(state, for: identity)
    }

    // MARK: - Private

    private func run(rateHertz: Double) {
        let wasRunning = isRunning
        startedRate = rateHertz
        if !wasRunning {
            if hasRun { estimator.restart() }
            hasRun = true
            slept = SleepGap(sleptMicroseconds: sleptMicroseconds())
            watchdog?.arm(
                afterMicroseconds: Self.watchdogMicroseconds, everyMicroseconds: Self.watchdogMicroseconds)
            saver?.arm(afterMicroseconds: Self.saveMicroseconds, everyMicroseconds: Self.saveMicroseconds)
        }
        source.start(rateHertz: rateHertz)
    }

    private func switchOff() {
        guard isRunning else { return }
        startedRate = 0
        latest = nil
        watchdog?.disarm()
        saver?.disarm()
        slowdown?.disarm()
        source.stop()
        save()
    }

    private func endSuspending(isOff: Bool) {
        patience?.disarm()
        guard let done = suspended else { return }
        suspended = nil
        if !isOff { log.warning("a sensor is not switched off before sleep: its device does not let go") }
        done()
    }

    /// Starts over if the machine has slept without telling: what the sensors hold is from before. True if so.
    private func noticeSleep() -> Bool {
        guard slept.update(sleptMicroseconds: sleptMicroseconds()) else { return false }
        log.info("the machine has slept")
        resume()
        return true
    }

    private static func makeEstimator(for source: any SensorSource, stored: StoredHeadingState?) -> HeadingEstimator {
        var parameters = HeadingParameters()
        // Fits take milliseconds: they run on a thread of their own.
        parameters.fitsInline = false
        var age = 0.0
        if let created = stored?.createdRealMicroseconds, created > 0 {
            age = max(0, Double(Clock.realMicroseconds() - created) * 1e-6)
        }
        return HeadingEstimator(
            parameters: parameters, stored: stored, storedAgeSeconds: age,
            fieldIsCalibrated: source.deliversCalibratedField)
    }

    /// The sample as the estimator is to see it: the scale of a driver that is off by a power of ten repaired.
    private func repaired(_ sample: SensorSample) -> SensorSample {
        guard case .magneticField(let raw) = sample.reading, !source.deliversCalibratedField else { return sample }
        if scale.update(raw, expectedField: estimator.earthField?.total) {
            log.warning(
                "the magnetometer's scale is off: its field is multiplied by \(scale.factor) from now on (driver or device fault)"
            )
            // What was learned with the other scale is not of this field.
            estimator.setCalibration(nil)
            origin = nil
            save()
        }
        var sample = sample
        let field = raw * scale.factor
        sample.reading = .magneticField(field)
        fieldSeen(field, sample.bootMicroseconds)
        return sample
    }

    /// Takes what is stored of the present magnetometer.
    private func adoptDevice() {
        func resolution(_ kind: SensorKind) -> Double {
            guard let scale = source.sensors.first(where: { $0.kind == kind && $0.selected })?.scale else { return 0 }
            return max(abs(scale.x), abs(scale.y), abs(scale.z))
        }
        health.setResolution(magnetometer: resolution(.magnetometer), accelerometer: resolution(.accelerometer))
        let found = source.magnetometerIdentity
        let matrix = source.sensors.first { $0.kind == .magnetometer && $0.selected }?.mountMatrix
        let isTurned = matrix != nil && mountMatrix != nil && matrix != mountMatrix
        guard found != identity || isTurned else { return }
        save()
        // Where nothing is stored, what is known is known all the same.
        let known = found == identity && hasRun ? learned : nil
        identity = found
        mountMatrix = matrix
        matrixFinding = nil
        saved = nil
        origin = nil
        made = nil
        if let found, var state = memory.load(for: found) ?? known {
            turn(&state, of: found)
            saved = state
            if state.source != "online", state.magnetometer != nil {
                origin = (state.source, state.createdRealMicroseconds)
                made = state.magnetometer
            }
        }
        let field = estimator.earthField
        estimator = Self.makeEstimator(for: source, stored: saved)
        estimator.setEarthField(field)
        scale = FieldScaleWatch(factor: saved?.fieldScale ?? 1)
        health = CompassHealth()
        health.setResolution(magnetometer: resolution(.magnetometer), accelerometer: resolution(.accelerometer))
    }

    /// Brings what is known of a magnetometer into the frame of its present mount matrix, or forgets what cannot be.
    private func turn(_ state: inout StoredHeadingState, of device: DeviceIdentity) {
        guard let mountMatrix, let before = state.mountMatrix, before != mountMatrix else { return }
        let id = source.sensors.first { $0.kind == .magnetometer && $0.selected }?.id ?? ""
        if let turned = state.turned(to: mountMatrix) {
            state = turned
            guard state.magnetometer != nil else { return }
            matrixFinding = Finding(
                code: "calibration-turned", severity: .info, sensor: id,
                text:
                    "the magnetometer's mount matrix is another one than when it was calibrated; the calibration was turned",
                remedy: "calibrate anew with headingctl calibrate if headings are off")
        } else {
            state.mountMatrix = mountMatrix
            state.magnetometer = nil
            state.gyroscope = nil
            matrixFinding = Finding(
                code: "calibration-dropped", severity: .warning, sensor: id,
                text:
                    "the magnetometer's mount matrix is another one than when it was calibrated, and no turn of it; the calibration is not used",
                remedy: "calibrate anew with headingctl calibrate")
        }
        if let matrixFinding { log.warning("\(device): \(matrixFinding.text)") }
    }

    /// Logs which sensor points north, and why if it is not the one that was chosen first, or why there is none.
    private func tellSensors() {
        guard !source.isDiscovering else { return }
        let leading = source.sensors.first { $0.selected && ($0.kind == .magnetometer || $0.kind == .hubHeading) }
        let codes: Set<String> = ["magn-replaced", "device-unreadable"]
        let why = source.diagnose().filter { codes.contains($0.code) }.map { "; \($0.text)" }.joined()
        let text: String
        if let leading {
            text = "headings come from \(leading.name.isEmpty ? leading.id : leading.name) (\(leading.id))" + why
        } else {
            text = "there is no compass: \(unavailableReason ?? "nothing points north")" + why
        }
        guard text != toldSensors else { return }
        toldSensors = text
        if leading == nil || !why.isEmpty { log.warning(text) } else { log.info(text) }
    }

    private func save() {
        guard let identity, hasRun else { return }
        var learned = learned
        guard learned != saved, !memory.isRefused || learned.magnetometer != nil else { return }
        // What everyday use has refined is as old as this moment; what somebody made keeps its date.
        if origin == nil { learned.createdRealMicroseconds = HeadingMemory.presentRealMicroseconds }
        do throws(StorageFailure) {
            try memory.save(learned, for: identity)
            saved = learned
        } catch {
            log.error("what was learned of \(identity) could not be kept: \(error)")
        }
    }

    /// As long as no heading can have turned far enough for anybody, the samples need not wake us one by one.
    private func letSamplesWait() {
        guard isRunning, source.samplesFollowBootClock, let latest, latest.isValid, latest.source == .fused9,
            let turning, latest.bootMicroseconds - turning.bootMicroseconds < Self.turningMicroseconds
        else { return }
        let up = latest.attitude.matrix.row2
        var deadline = Int64.max
        for need in needs.values {
            guard let patience = need.patience?() else { return }
            let seconds = TurnForecast.seconds(headroomDegrees: patience.turnDegrees, rate: turning.rate, up: up)
            let turned = latest.bootMicroseconds + Int64(seconds * 1e6)
            deadline = min(deadline, max(turned, patience.untilBootMicroseconds))
            guard deadline > latest.bootMicroseconds else { return }
        }
        source.letWait(untilBootMicroseconds: deadline)
    }

    private func checkSilence() {
        guard !noticeSleep() else { return }
        let rate = source.rateHertz
        let allowed = max(Self.silenceMicroseconds, rate > 0 ? Int64(3_000_000 / rate) : 0)
        guard latest != nil, Clock.bootMicroseconds() - latestArrival > allowed else { return }
        lose("the magnetometer has fallen silent")
    }

    private func lose(_ reason: String) {
        latest = nil
        log.warning("headings are lost: \(reason)")
        listener?.headingService(self, lost: reason)
    }
}

extension HeadingService: SensorSourceListener {
    func sensorSource(_ source: any SensorSource, delivered sample: SensorSample) {
        if forceRate != nil, case .acceleration(let force) = sample.reading {
            forceSeen(force, sample.bootMicroseconds)
        }
        guard isRunning, !noticeSleep() else { return }
        // Of an accelerometer that is on for itself: the heading is made without one.
        if case .acceleration = sample.reading, !isForceForHeading { return }
        if case .angularRate(let rate) = sample.reading { turning = (rate, sample.bootMicroseconds) }
        // Where samples have a time of their own, that of their arrival says nothing.
        health.update(
            sample, arrival: source.samplesFollowBootClock ? Clock.bootMicroseconds() : sample.bootMicroseconds)
        guard var estimate = estimator.update(repaired(sample)) else { return }
        // Also where there is no heading: that may be a magnet's work.
        if estimate.hasTilt, estimate.calibration.rawValue >= CalibrationQuality.good.rawValue {
            health.update(
                calibratedField: estimate.field, up: estimate.attitude.matrix.row2, isDisturbed: estimate.isDisturbed)
        }
        if let job = estimator.takeFitJob() { fitIsDue(job) }
        if estimate.source == .hub { estimate.source = source.hubHeadingSource }
        latestArrival = Clock.bootMicroseconds()
        // Where samples have a time of their own, clients are told when the estimate came.
        if !source.samplesFollowBootClock { estimate.bootMicroseconds = latestArrival }
        latest = estimate
        listener?.headingService(self, estimated: estimate)
    }

    func sensorSourceDelivered(_ source: any SensorSource) { letSamplesWait() }

    func sensorSourceChanged(_ source: any SensorSource) {
        if source.isOff { endSuspending(isOff: true) }
        isForceForHeading = source.sensors.contains { $0.kind == .accelerometer && $0.selected }
        adoptDevice()
        tellSensors()
        listener?.headingServiceChanged(self)
    }

    func sensorSource(_ source: any SensorSource, lost reason: String) {
        guard isRunning else { return }
        lose(reason)
    }

    func sensorSourceRestarted(_ source: any SensorSource) { estimator.restart() }

    /// The sensors work, but what they would say is of a magnet: an invalid heading in disturbed surroundings.
    func sensorSource(_ source: any SensorSource, overflowedAt bootMicroseconds: Int64) {
        guard isRunning, !noticeSleep() else { return }
        var estimate =
            latest ?? HeadingEstimate(bootMicroseconds: bootMicroseconds, field: .zero, source: .unknown)
        estimate.bootMicroseconds = bootMicroseconds
        estimate.accuracyDegrees = -1
        estimate.isDisturbed = true
        estimate.fieldStrength = .nan
        estimate.inclination = .nan
        latestArrival = Clock.bootMicroseconds()
        latest = estimate
        listener?.headingService(self, estimated: estimate)
    }
}
