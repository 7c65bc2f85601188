internal import EventLoop
internal import Glibc
internal import LocateMeModel

/// What a worker's thread does with its device: open, set rate and clock, capture through the buffer or poll,
/// put everything back. The context belongs to the thread, so nothing that blocks here holds up anybody else.
struct DeviceSession: ~Copyable {
    /// How a stretch of capturing or polling ended.
    enum Outcome {
        /// A stop or another rate was asked for: look at the orders.
        case newOrders
        /// No data came in time.
        case silent
        /// It is time to try the buffer again.
        case tryBuffer
        /// It cannot go on.
        case failed(WorkerFailure)
    }

    let plan: DevicePlan
    let worker: DeviceWorker
    let context: IIOContext
    let device: IIODevice
    var sensors: [ResolvedSensor]
    var settings: DeviceSettings
    private var bufferPause: Int64 = 5_000_000
    private var bufferDue = Int64.max

    /// Serves the device until it is told to stop. Nil, or why it had to give up.
    static func run(plan: DevicePlan, worker: DeviceWorker, ledger: SettingsLedger) -> WorkerFailure? {
        do throws(WorkerFailure) {
            var session = try DeviceSession(plan: plan, worker: worker, ledger: ledger)
            let failure = session.serve()
            session.restore()
            return failure
        } catch {
            return error
        }
    }

    private init(plan: DevicePlan, worker: DeviceWorker, ledger: SettingsLedger) throws(WorkerFailure) {
        let context = try Self.open(plan.uri)
        context.setTimeout(milliseconds: 5000)
        guard let device = context.device(id: plan.deviceID), device.name == plan.name || device.id == plan.name else {
            let gone = Errno(rawValue: ENODEV)
            throw WorkerFailure(code: gone, text: ReadFaults.text(gone))
        }
        let sensors = plan.sensors.compactMap { ResolvedSensor($0, in: device) }
        guard sensors.count == plan.sensors.count else {
            throw WorkerFailure(code: Errno(rawValue: ENODEV), text: "the device has lost channels")
        }
        self.plan = plan
        self.worker = worker
        self.device = device
        self.sensors = sensors
        settings = DeviceSettings(plan: plan, device: device, ledger: ledger)
        self.context = context
    }

    private static func open(_ uri: String) throws(WorkerFailure) -> IIOContext {
        do throws(Errno) {
            return try IIOContext(uri: uri)
        } catch {
            throw WorkerFailure(code: error, text: "the context \(uri) cannot be opened: \(error)")
        }
    }

    private mutating func restore() { settings.restore(in: context) }

    private mutating func serve() -> WorkerFailure? {
        var useBuffer = plan.canBuffer
        var because: String?
        while true {
            let orders = worker.orders
            if orders.stop { return nil }
            settings.apply(wantedHertz: orders.wantedHertz, worker: worker)
            var outcome = Outcome.tryBuffer
            if useBuffer {
                outcome = captureWithAnyTrigger(wantedHertz: orders.wantedHertz, because: &because)
            } else {
                if because != nil { bufferDue = Monitor.monotonicMicroseconds() + bufferPause }
                outcome = poll(wantedHertz: orders.wantedHertz, because: because, bufferDue: bufferDue)
            }
            switch outcome {
            case .newOrders: continue
            case .tryBuffer: useBuffer = true
            case .silent:
                useBuffer = false
                // 10 s, 20 s, … 5 min between tries, since each try interrupts the polling.
                bufferPause = min(bufferPause * 2, 300_000_000)
                guard plan.canPoll else {
                    let silent = Errno(rawValue: ETIMEDOUT)
                    return WorkerFailure(code: silent, text: because ?? ReadFaults.text(silent))
                }
            case .failed(let failure): return failure
            }
        }
    }

    /// Tries the buffer with each trigger; `.silent` if none makes data arrive.
    private mutating func captureWithAnyTrigger(wantedHertz: Double, because: inout String?) -> Outcome {
        let triggers: [String?] = plan.triggers.isEmpty ? [nil] : plan.triggers
        var failures: [String] = []
        for name in triggers {
            if worker.orders.stop { return .newOrders }
            if let name {
                guard let trigger = context.trigger(name: name) else { continue }
                do throws(Errno) {
                    try settings.use(trigger: trigger, wantedHertz: wantedHertz, worker: worker)
                } catch {
                    failures.append("trigger \(name): \(error)")
                    continue
                }
            }
            switch capture(trigger: name, wantedHertz: wantedHertz) {
            case .failed(let failure) where ReadFaults.isGone(failure.code): return .failed(failure)
            case .failed(let failure):
                failures.append((name.map { "trigger \($0): " } ?? "") + failure.text)
                reportBufferProblem(failure)
            case .silent: failures.append((name.map { "trigger \($0): " } ?? "") + "no data arrive")
            case let outcome: return outcome
            }
        }
        if failures.isEmpty { failures = ["no trigger is left"] }
        because = failures.joined(separator: "; ")
        return .silent
    }

    private func reportBufferProblem(_ failure: WorkerFailure) {
        let sensor = plan.sensors.first?.description.id ?? plan.key
        switch failure.code.rawValue {
        case EACCES, EPERM:
            worker.report(.problem(.noPermission(sensor: sensor, what: "the buffer of \(plan.name)")))
        case EBUSY:
            worker.report(.problem(.busy(sensor: sensor, name: plan.name)))
        default: break
        }
    }
}

extension ReadFaults {
    /// True for errors that mean that device or connection are not there any more.
    static func isGone(_ error: Errno) -> Bool {
        var faults = ReadFaults()
        return faults.failed(error, at: 0) == .gone
    }
}
