internal import EventLoop
internal import Glibc
internal import LocateMeModel

/// What a worker changes in its device and puts back: rates, the clock of the timestamps, the trigger.
struct DeviceSettings {
    /// The clock that stamps the samples.
    struct Clock {
        var kind: TimestampMapper.Clock
        var name: String

        /// CLOCK_BOOTTIME minus the stamping clock now, in µs.
        var shift: Int64 { kind == .shifted ? Monitor.bootShift(ofIIOClock: name) ?? 0 : 0 }
    }

    private let plan: DevicePlan
    private let device: IIODevice
    private let ledger: SettingsLedger
    private let attributes: [IIOAttribute]
    private var changed: [(key: String, attribute: IIOAttribute)] = []
    private var triggerBefore: String?
    private var ratesInForce: [String: Double] = [:]
    private(set) var clock: Clock

    init(plan: DevicePlan, device: IIODevice, ledger: SettingsLedger) {
        self.plan = plan
        self.device = device
        self.ledger = ledger
        attributes = device.attributes
        clock = Clock(kind: plan.isLocal ? .shifted : .foreign, name: "realtime")
        if plan.hasTimestamp, plan.isLocal { chooseClock() }
    }

    /// Sets the rate of each sensor to the smallest that serves, and says what is in force.
    mutating func apply(wantedHertz: Double, worker: DeviceWorker) {
        var done: [String: Double] = [:]
        for sensor in plan.sensors {
            guard let name = sensor.rateAttribute, let attribute = attributes.first(where: { $0.fileName == name })
            else { continue }
            let id = sensor.description.id
            if let rate = done[name] {
                ratesInForce[id] = rate
            } else {
                let target =
                    sensor.rates?.smallest(atLeast: wantedHertz)
                    ?? SamplingRates.Rate(hertz: wantedHertz, text: AttributeText.decimal(wantedHertz))
                do throws(Errno) {
                    let rate = try set(attribute, to: target.text, hertz: target.hertz, owner: plan.key)
                    done[name] = rate
                    ratesInForce[id] = rate
                    worker.report(.solved(code: Finding.rateCode, sensor: id))
                } catch {
                    ratesInForce[id] = try? attribute.readNumber()
                    worker.report(
                        .problem(
                            .rate(sensor: id, attribute: name, wanted: target.text, now: ratesInForce[id], error: error)
                        ))
                }
            }
            if let rate = ratesInForce[id] { worker.report(.rate(sensor: id, hertz: rate)) }
        }
    }

    /// Makes a trigger the device's; timers get the wanted rate.
    mutating func use(trigger: IIODevice, wantedHertz: Double, worker: DeviceWorker) throws(Errno) {
        if let rate = trigger.attribute(fileName: "sampling_frequency") {
            let hertz = try set(
                rate, to: AttributeText.decimal(wantedHertz), hertz: wantedHertz, owner: "\(plan.uri)/\(trigger.id)")
            for sensor in plan.sensors {
                let id = sensor.description.id
                ratesInForce[id] = min(hertz, ratesInForce[id] ?? hertz)
                worker.report(.rate(sensor: id, hertz: ratesInForce[id] ?? hertz))
            }
        }
        let current = (try? device.currentTrigger()) ?? ""
        if current == trigger.name { return }
        try device.setTrigger(trigger)
        if triggerBefore == nil { triggerBefore = current }
    }

    /// The lowest rate in force among the device's sensors, in Hz.
    func slowestHertz(wanted: Double) -> Double {
        ratesInForce.values.filter { $0 > 0 }.min() ?? wanted
    }

    /// How often to poll: as wanted, but not more often than the device measures.
    func pollingHertz(wanted: Double) -> Double {
        let fastest = ratesInForce.values.filter { $0 > 0 }.max() ?? wanted
        return min(max(wanted, 0.1), max(fastest, 0.1))
    }

    /// Puts back what was changed. Nobody can be told of a failure that could still do something about it.
    mutating func restore(in context: borrowing IIOContext) {
        for (key, attribute) in changed.reversed() {
            guard let original = ledger.release(key) else { continue }
            _ = try? attribute.write(original)
        }
        changed = []
        if let triggerBefore {
            let trigger = triggerBefore.isEmpty ? nil : context.trigger(name: triggerBefore)
            _ = try? device.setTrigger(trigger)
        }
        triggerBefore = nil
    }

    // MARK: - Private

    /// Writes a rate unless it is in force already, and reads back what the driver made of it.
    private mutating func set(
        _ attribute: IIOAttribute, to text: String, hertz: Double, owner: String
    ) throws(Errno) -> Double {
        let before = try attribute.read()
        let key = "\(owner)/\(attribute.fileName)"
        let isMine = changed.contains { $0.key == key }
        let value = AttributeText.number(before)
        if let value, abs(value - hertz) <= hertz * 1e-6, isMine { return value }
        if !isMine {
            ledger.use(key, current: before)
            changed.append((key, attribute))
        }
        if let value, abs(value - hertz) <= hertz * 1e-6 { return value }
        try attribute.write(text)
        return (try? attribute.readNumber()) ?? hertz
    }

    /// Asks for boot time, else monotonic; what reads back counts.
    private mutating func chooseClock() {
        guard let attribute = attributes.first(where: { $0.fileName == "current_timestamp_clock" }),
            let before = try? attribute.read()
        else { return }
        let key = "\(plan.key)/current_timestamp_clock"
        if before != "boottime" {
            ledger.use(key, current: before)
            changed.append((key, attribute))
            for name in ["boottime", "monotonic"] where (try? attribute.write(name)) != nil {
                if (try? attribute.read()) == name { break }
            }
        }
        let now = (try? attribute.read()) ?? before
        clock = Clock(
            kind: now == "boottime" ? .boot : Monitor.bootShift(ofIIOClock: now) == nil ? .none : .shifted, name: now)
    }
}
