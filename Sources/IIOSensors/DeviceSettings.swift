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
    private var changed: [(key: DeviceSetting, attribute: IIOAttribute)] = []
    private var triggerBefore: String?
    private var ratesInForce: [String: Double] = [:]
    private(set) var clock: Clock
    private var ratePace = RetryPace.cheap
    private var told: [String: Errno] = [:]
    /// A rate could not be set because the device was busy, as by its own buffer.
    private(set) var isRateBusy = false

    /// CLOCK_MONOTONIC in µs when rates that could not be set are to be set again.
    var rateDue: Int64 { ratePace.due }

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
        isRateBusy = false
        var hasFailed = false
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
                    let rate = try set(attribute, to: target.text, hertz: target.hertz, owner: device)
                    done[name] = rate
                    ratesInForce[id] = rate
                    told[id] = nil
                    worker.report(.solved(code: Finding.rateCode, sensor: id))
                } catch {
                    hasFailed = true
                    isRateBusy = isRateBusy || error.rawValue == EBUSY
                    ratesInForce[id] = try? attribute.readNumber()
                    if told[id] != error {
                        told[id] = error
                        let now = ratesInForce[id]
                        worker.report(
                            .problem(.rate(sensor: id, attribute: name, wanted: target.text, now: now, error: error)))
                    }
                }
            }
            if let rate = ratesInForce[id] { worker.report(.rate(sensor: id, hertz: rate)) }
        }
        if hasFailed { ratePace.failed(at: Monitor.monotonicMicroseconds()) } else { ratePace.succeeded() }
    }

    /// Makes a trigger the device's; timers get the wanted rate.
    mutating func use(trigger: IIODevice, wantedHertz: Double, worker: DeviceWorker? = nil) throws(Errno) {
        if let rate = trigger.attribute(fileName: "sampling_frequency") {
            let hertz = try set(
                rate, to: AttributeText.decimal(wantedHertz), hertz: wantedHertz, owner: trigger)
            for sensor in plan.sensors {
                let id = sensor.description.id
                ratesInForce[id] = min(hertz, ratesInForce[id] ?? hertz)
                worker?.report(.rate(sensor: id, hertz: ratesInForce[id] ?? hertz))
            }
        }
        let current = (try? device.currentTrigger()) ?? ""
        if current == trigger.name { return }
        if triggerBefore == nil {
            triggerBefore = current
            ledger.use(key(DeviceSetting.trigger), current: current)
        }
        try device.setTrigger(trigger)
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
            ledger.restored(key)
        }
        changed = []
        if triggerBefore != nil, let original = ledger.release(key(DeviceSetting.trigger)) {
            let trigger = original.isEmpty ? nil : context.trigger(name: original)
            _ = try? device.setTrigger(trigger)
            ledger.restored(key(DeviceSetting.trigger))
        }
        triggerBefore = nil
    }

    /// The buffer is about to be enabled: a process that is killed leaves it on.
    func bufferOpens() { ledger.use(key(DeviceSetting.bufferEnable), current: "0") }

    /// The buffer has been disabled.
    func bufferClosed() {
        if ledger.release(key(DeviceSetting.bufferEnable)) != nil {
            ledger.restored(key(DeviceSetting.bufferEnable))
        }
    }

    private func key(_ attribute: String, of owner: IIODevice? = nil) -> DeviceSetting {
        let owner = owner ?? device
        return DeviceSetting(uri: plan.uri, device: owner.id, name: owner.name, attribute: attribute)
    }

    // MARK: - Private

    /// Writes a rate unless it is in force already, and reads back what the driver made of it.
    private mutating func set(
        _ attribute: IIOAttribute, to text: String, hertz: Double, owner: IIODevice
    ) throws(Errno) -> Double {
        let before = try attribute.read()
        let key = key(attribute.fileName, of: owner)
        let isMine = changed.contains { $0.key == key }
        let value = AttributeText.number(before)
        if let value, abs(value - hertz) <= hertz * 1e-6, isMine { return value }
        // What is no rate cannot be put back.
        if !isMine, value != nil {
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
        let key = key("current_timestamp_clock")
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
