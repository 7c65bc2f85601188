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
    var maker: SampleMaker
    var settings: DeviceSettings
    /// Why the buffer is not used; nil while it is, or if there is none.
    private(set) var bufferTrouble: String?
    /// The error behind it; nil if it is silence.
    private(set) var bufferFault: Errno?
    private var thermometer: DeviceThermometer?
    /// Of the device as the context shows it.
    private let node: [UInt64]?
    private var faultPace = RetryPace.cheap
    private var silencePace = RetryPace.dear
    private var nextTrigger = 0
    private var hasTriedBuffer = false
    /// True if the buffer has delivered in the capture that is under way or was the last.
    var hasDelivered = false

    /// How many triggers are tried before values are read one by one: together they take two seconds.
    private static let triggersAtFirst = 3

    /// Serves the device until it is told to stop. Nil, or why it had to give up: one of this machine that fails is waited
    /// for as long as it is there.
    static func run(plan: DevicePlan, worker: DeviceWorker, ledger: SettingsLedger) -> WorkerFailure? {
        var pace = DeviceReturn()
        do throws(WorkerFailure) {
            while true {
                var session = try DeviceSession(plan: plan, worker: worker, ledger: ledger)
                repeat {
                    let begin = Monitor.monotonicMicroseconds()
                    let failure = session.serve()
                    session.restore()
                    guard let failure, plan.isLocal else { return failure }
                    worker.report(.failed(failure))
                    pace.failed(at: Monitor.monotonicMicroseconds(), usedSince: begin)
                    guard session.waitForReturn(&pace) else { return worker.orders.stop ? nil : failure }
                    // To open the context again costs more than all else: not for what has not been replaced.
                } while try session.begin(ledger: ledger)
            }
        } catch {
            return error
        }
    }

    /// Begins anew with the same context, since what the device has been told may be forgotten. False if it is another one by
    /// now.
    private mutating func begin(ledger: SettingsLedger) throws(WorkerFailure) -> Bool {
        guard let node, node == Self.node(of: plan) else { return false }
        maker = SampleMaker(worker: worker, sensors: try Self.sensors(of: plan, in: device))
        settings = DeviceSettings(plan: plan, device: device, ledger: ledger)
        (bufferTrouble, bufferFault) = (nil, nil)
        (faultPace, silencePace) = (.cheap, .dear)
        (nextTrigger, hasTriedBuffer, hasDelivered) = (0, false, false)
        return true
    }

    private static func sensors(of plan: DevicePlan, in device: IIODevice) throws(WorkerFailure) -> [ResolvedSensor] {
        let sensors = plan.sensors.compactMap { ResolvedSensor($0, in: device) }
        guard sensors.count == plan.sensors.count else {
            throw WorkerFailure(code: Errno(rawValue: ENODEV), text: "the device has lost channels")
        }
        return sensors
    }

    /// What tells a device's folder in sysfs from that of a device that came in its place; nil if it is not there.
    private static func node(of plan: DevicePlan) -> [UInt64]? {
        var status = stat()
        guard stat("/sys/bus/iio/devices/\(plan.deviceID)/", &status) == 0 else { return nil }
        return [UInt64(status.st_dev), UInt64(status.st_ino)]
    }

    private init(plan: DevicePlan, worker: DeviceWorker, ledger: SettingsLedger) throws(WorkerFailure) {
        // Before, so that a device that takes its place meanwhile is another one.
        node = plan.isLocal ? Self.node(of: plan) : nil
        let context = try Self.open(plan.uri)
        context.setTimeout(milliseconds: 5000)
        guard let device = context.device(id: plan.deviceID), device.name == plan.name || device.id == plan.name else {
            let gone = Errno(rawValue: ENODEV)
            throw WorkerFailure(code: gone, text: ReadFaults.text(gone))
        }
        let sensors = try Self.sensors(of: plan, in: device)
        self.plan = plan
        self.worker = worker
        self.device = device
        maker = SampleMaker(worker: worker, sensors: sensors)
        settings = DeviceSettings(plan: plan, device: device, ledger: ledger)
        self.context = context
        if sensors.contains(where: { $0.sensor.description.kind == .magnetometer }) {
            thermometer = DeviceThermometer(device)
        }
    }

    /// Delivers the magnetometer's temperature if there is one and it is time.
    mutating func readTemperature(at now: Int64) {
        guard let degrees = thermometer?.read(at: now) else { return }
        worker.deliver(
            SensorSample(bootMicroseconds: Clock.bootMicroseconds(), reading: .temperature(degreesCelsius: degrees)))
    }

    /// True if the device has a thermometer.
    var hasThermometer: Bool { thermometer != nil }

    /// CLOCK_MONOTONIC in µs when the temperature is to be read.
    var temperatureDue: Int64 { thermometer?.due ?? .max }

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
        while true {
            let orders = worker.orders
            if orders.stop { return nil }
            worker.report(.alive)
            settings.apply(wantedHertz: orders.wantedHertz, worker: worker)
            let outcome =
                useBuffer
                ? captureWithAnyTrigger(wantedHertz: orders.wantedHertz) : poll(wantedHertz: orders.wantedHertz)
            switch outcome {
            case .newOrders: continue
            case .tryBuffer: useBuffer = true
            case .silent:
                useBuffer = false
                guard plan.canPoll else {
                    let silent = Errno(rawValue: ETIMEDOUT)
                    return WorkerFailure(code: silent, text: bufferTrouble ?? ReadFaults.text(silent))
                }
            case .failed(let failure): return failure
            }
        }
    }

    /// CLOCK_MONOTONIC in µs when the buffer is to be tried again.
    var bufferDue: Int64 {
        if !plan.canBuffer { return .max }
        return bufferFault == nil ? silencePace.due : faultPace.due
    }

    /// Tries the buffer with the triggers in turn, at first with several, later with one at a time, since nothing is polled
    /// meanwhile; `.silent` if none makes data arrive.
    private mutating func captureWithAnyTrigger(wantedHertz: Double) -> Outcome {
        let triggers: [String?] = plan.triggers.isEmpty ? [nil] : plan.triggers
        var failures: [String] = []
        var fault: Errno?
        let tries = hasTriedBuffer ? 1 : min(triggers.count, Self.triggersAtFirst)
        for _ in 0..<tries {
            if worker.orders.stop { return .newOrders }
            worker.report(.alive)
            let name = triggers[nextTrigger % triggers.count]
            if let name {
                guard let trigger = context.trigger(name: name) else {
                    nextTrigger += 1
                    continue
                }
                do throws(Errno) {
                    try settings.use(trigger: trigger, wantedHertz: wantedHertz, worker: worker)
                } catch {
                    failures.append("trigger \(name): \(error)")
                    fault = error
                    nextTrigger += 1
                    continue
                }
            }
            let outcome = capture(trigger: name, wantedHertz: wantedHertz)
            switch outcome {
            case .failed(let failure) where ReadFaults.isGone(failure.code): return outcome
            case .failed(let failure):
                failures.append((name.map { "trigger \($0): " } ?? "") + failure.text)
                fault = failure.code
                reportBufferProblem(failure)
            case .silent:
                failures.append((name.map { "trigger \($0): " } ?? "") + "no data arrive")
                fault = nil
            default: return outcome
            }
            // What has worked is the first to be tried again; values are read meanwhile.
            if hasDelivered { break }
            nextTrigger += 1
        }
        hasTriedBuffer = true
        if failures.isEmpty { failures = ["no trigger is left"] }
        bufferTrouble = failures.joined(separator: "; ")
        bufferFault = fault
        let now = Monitor.monotonicMicroseconds()
        if fault == nil { silencePace.failed(at: now) } else { faultPace.failed(at: now) }
        return .silent
    }

    /// The buffer has worked for a while: the next trouble is a new one.
    mutating func bufferHasWorked() {
        bufferTrouble = nil
        bufferFault = nil
        faultPace.succeeded()
        silencePace.succeeded()
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
