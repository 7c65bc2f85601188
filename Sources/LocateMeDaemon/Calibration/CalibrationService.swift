internal import EventLoop
internal import Geometry
internal import HeadingEstimation
internal import LocateMeBusInterface
internal import LocateMeModel
internal import MagnetometerCalibration
internal import MessageBus

import func Glibc.atan

/// Guided runs, and the question whether the user should turn the device.
final class CalibrationService {
    /// Hears that `State`, `Quality` or `Reason` may have changed.
    var changed: () -> Void = {}
    /// Hears of the question being asked (reason) or settled (nil).
    var prompt: (CalibrationAdvisor.Reason?) -> Void = { _ in }
    private let headings: HeadingService
    private let connection: BusConnection
    private let loop: EventLoop
    private let log: Log
    private let worker: FitWorker?
    private var run: GuidedRun?
    private var questions = CalibrationQuestions()
    private var wasApplied = false

    /// Progress signals come this often, µs.
    private static let interval: Int64 = 200_000
    private static let defaultTimeoutMilliseconds: UInt32 = 120_000
    /// Samples per second that a run asks for: a tumble passes several degrees in each.
    private static let rateHertz = 50.0

    init(headings: HeadingService, connection: BusConnection, loop: EventLoop, log: Log) {
        self.headings = headings
        self.connection = connection
        self.loop = loop
        self.log = log
        do throws(Errno) {
            worker = try FitWorker(loop: loop)
        } catch {
            worker = nil
            log.error("calibrations cannot be fitted: \(error)")
        }
        headings.fieldSeen = { [weak self] field, time in self?.take(field, at: time) }
        headings.fitIsDue = { [weak self] job in self?.fit(job) }
    }

    // MARK: - Properties

    var state: CalibrationState {
        if let run {
            if run.failure != nil { return .failed }
            return run.fit == nil ? .collecting : .ready
        }
        if questions.openReason != nil { return .needed }
        return wasApplied ? .applied : .none
    }

    var quality: CalibrationQuality { headings.quality }

    var reason: String { questions.openReason?.rawValue ?? "" }

    /// The open question for a session that has just begun to want headings.
    var openReason: CalibrationAdvisor.Reason? { questions.openReason }

    /// The dictionary of `Get`.
    var values: [String: BusValue] {
        let state = headings.learned
        var error = Double.nan
        if let field = headings.earthField, let magnetometer = state.magnetometer, field.horizontal > 0 {
            error = atan(2 * magnetometer.hardIronSigma / field.horizontal) * Angle.degreesPerRadian
        }
        let age = (Clock.realMicroseconds() - state.createdRealMicroseconds) / 1_000_000
        return CalibrationValues.dictionary(
            of: state, headingError: error,
            ageSeconds: state.createdRealMicroseconds > 0 ? UInt32(clamping: max(0, age)) : nil)
    }

    // MARK: - Calls

    func begin(_ options: OptionDictionary, _ caller: BusCaller) throws(BusError) {
        if let run, run.owner != caller, run.failure == nil {
            throw BusError(.limitsExceeded, "another program calibrates just now; try again when it has finished")
        }
        if let reason = headings.unavailableReason { throw BusError(.headingFailure, reason) }
        let name = try options.string("Method") ?? GuidedCalibration.Method.figureEight.rawValue
        guard let method = GuidedCalibration.Method(rawValue: name) else {
            throw BusError(.invalidArgs, "Method is figure-eight or flat-turn, not '\(name)'")
        }
        let milliseconds = try options.uint32("TimeoutMs") ?? Self.defaultTimeoutMilliseconds
        guard (1000...3_600_000).contains(milliseconds) else {
            throw BusError(.invalidArgs, "TimeoutMs is from 1000 to 3600000")
        }
        endRun()
        let now = Clock.bootMicroseconds()
        let timeout = Int64(milliseconds) * 1000
        let run = GuidedRun(
            owner: caller,
            calibration: GuidedCalibration(
                method: method, startedAt: now, timeoutMicroseconds: timeout,
                expectedField: headings.earthField?.total, fieldPointsDown: (headings.earthField?.down ?? 1) >= 0),
            deadline: now + timeout)
        self.run = run
        run.timer = loop.makeTimer { [weak self] in self?.tick() }
        run.timer?.arm(afterMicroseconds: Self.interval, everyMicroseconds: Self.interval)
        run.watch = connection.watchName(caller.uniqueName) { [weak self] owner in
            if owner == nil { self?.endRun() }
        }
        headings.setNeed(self, rateHertz: Self.rateHertz)
        log.info("a guided calibration begins")
        changed()
    }

    func cancel(_ caller: BusCaller) throws(BusError) {
        _ = try ownRun(caller)
        endRun()
    }

    func apply(_ caller: BusCaller) throws(BusError) -> [String: BusValue] {
        let run = try ownRun(caller)
        guard let fit = run.fit else {
            throw BusError(.notCalibrated, run.failure ?? run.calibration.progress.hint)
        }
        try put(fit.stored, source: "guided")
        log.info("a guided calibration was applied")
        let cloud = run.calibration.points.sampled(atMost: 400)
        endRun()
        var result = values
        result["Cloud"] = .doubles(cloud.flatMap { [$0.x, $0.y, $0.z] })
        return result
    }

    func reset() throws(BusError) {
        do throws(StorageFailure) {
            try headings.forgetCalibration()
        } catch {
            throw BusError(.storageFailure, "forgotten now, but it may come back at the next start: \(error)")
        }
        wasApplied = false
        questions = CalibrationQuestions()
        log.info("the calibration was reset")
        changed()
    }

    func importing(_ options: OptionDictionary) throws(BusError) {
        if let reason = headings.unavailableReason { throw BusError(.headingFailure, reason) }
        try put(try CalibrationValues.magnetometer(importing: options), source: "imported")
        log.info("a calibration was imported")
        changed()
    }

    // MARK: - Private

    private func put(_ magnetometer: StoredHeadingState.Magnetometer, source: String) throws(BusError) {
        do throws(StorageFailure) {
            try headings.use(magnetometer, source: source)
        } catch {
            throw BusError(.storageFailure, "in force until the service ends, but not stored: \(error)")
        }
        wasApplied = true
        if questions.openReason != nil {
            questions.settle()
            prompt(nil)
        }
    }

    private func ownRun(_ caller: BusCaller) throws(BusError) -> GuidedRun {
        guard let run, run.owner.uniqueName == caller.uniqueName else {
            throw BusError(.accessDenied, "no guided calibration of this program is going on; call Begin first")
        }
        return run
    }

    private func endRun() {
        guard let run else { return }
        run.end()
        self.run = nil
        headings.setNeed(self, rateHertz: nil)
        changed()
    }

    private func take(_ field: Vector3, at time: Int64) {
        guard let run, run.failure == nil else { return }
        run.calibration.add(field, at: Clock.bootMicroseconds())
        guard let worker, !worker.isBusy, let job = run.calibration.takeFitJob() else { return }
        _ = worker.run(job) { [weak self, weak run] outcome in
            run?.calibration.take(outcome)
            self?.changed()
        }
    }

    /// A fit of everyday use; a refused one comes again with more samples.
    private func fit(_ job: CalibrationFitJob) {
        _ = worker?.run(job) { [weak self] outcome in
            if case .success(let fit) = outcome { self?.headings.apply(fit) }
        }
    }

    private func tick() {
        guard let run else { return }
        if run.failure == nil {
            if case .failed(let reason) = run.calibration.state { run.failure = reason }
            if run.failure == nil, run.fit == nil, Clock.bootMicroseconds() >= run.deadline {
                run.failure = "the time is over; no samples came or the device was not turned enough"
            }
            if run.failure != nil {
                headings.setNeed(self, rateHertz: nil)
                changed()
            }
        }
        send(run.calibration.progress, hint: run.failure, to: run)
        if run.failure != nil { run.timer?.disarm() }
    }

    private func send(_ progress: GuidedCalibration.Progress, hint: String?, to run: GuidedRun) {
        do throws(BusError) {
            let message = try BusMessage.signal(
                path: LocateMeBus.compassPath, interface: LocateMeInterfaces.calibration1.name, member: "Progress",
                destination: run.owner.uniqueName)
            try message.write { writer throws(BusError) in
                try writer.append(progress.coverage)
                try writer.append(BusValue.doubles(progress.bins))
                try writer.append(progress.residual)
                try writer.append(UInt32(clamping: progress.samples))
                try writer.append(hint ?? progress.hint)
            }
            // Five a second and only during a run: dropped when the bus does not take them.
            _ = connection.send(message)
        } catch {
            log.error("the signal Progress could not be made, dropping it: \(error)")
        }
    }

    // MARK: - The question

    /// Looks at a new estimate, a few times a second.
    func consider(_ estimate: HeadingEstimate) {
        let now = Clock.bootMicroseconds()
        guard questions.isDue(at: now) else { return }
        let advice = questions.update(
            estimate, of: headings.estimator, startedFromStore: headings.startedFromStore, at: now)
        switch advice {
        case .none: return
        case .ask(let reason): prompt(reason)
        case .settled: prompt(nil)
        }
        changed()
    }
}
