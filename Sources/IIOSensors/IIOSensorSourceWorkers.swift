internal import EventLoop
internal import Geometry
internal import LocateMeModel

/// The loop's side of the workers: samples, events, loss and return.
extension IIOSensorSource {
    /// Kinds without which there is no heading.
    private static let essential: Set<SensorKind> = [.magnetometer, .accelerometer, .hubHeading]

    /// Starts and ends workers so that they are those of the plans.
    func run(_ plans: [DevicePlan]) {
        for worker in workers {
            let plan = plans.first { $0.key == worker.plan.key }
            let isSame =
                plan?.path == worker.plan.path
                && plan?.sensors.map(\.description.id) == worker.plan.sensors.map(\.description.id)
            if !isSame { retire(worker) }
        }
        for plan in plans where !workers.contains(where: { $0.plan.key == plan.key }) {
            // Its end brings us back here.
            guard !retired.contains(where: { $0.plan.key == plan.key && !$0.hasEnded }) else {
                scheduleRetry()
                continue
            }
            start(plan)
        }
        guard headingHertz == 0 || canGiveHeading else {
            tellLost(missingText)
            scheduleRetry()
            return
        }
        if active.isEmpty { scheduleRetry() }
        if scans.values.contains(where: \.failed) { scheduleRetry(pause: ScanPace.longest) }
    }

    private func start(_ plan: DevicePlan) {
        let worker = DeviceWorker(
            plan: plan, rateHertz: wantedHertz, wakeup: wakeup, reader: plan.isLocal ? reader : nil)
        worker.lastHeard = Clock.bootMicroseconds()
        for sensor in plan.sensors where states[sensor.description.id] != .lost {
            states[sensor.description.id] = .starting
        }
        workers.append(worker)
        guard !worker.start(ledger: ledger) else { return }
        workers.removeAll { $0 === worker }
        lose(plan.sensors.map(\.description), .failed, "the system has no thread left for \(plan.name)")
        scheduleRetry()
    }

    /// Lets a worker finish by itself.
    func retire(_ worker: DeviceWorker) {
        worker.requestStop()
        worker.isRetired = true
        workers.removeAll { $0 === worker }
        retired.append(worker)
    }

    /// Delivers what the rings hold, of all devices in the order of time. Allocates nothing.
    func drainSamples() {
        var hasDelivered = false
        defer { if hasDelivered { sensorListener?.sensorSourceDelivered(self) } }
        while isWanted, let worker = Self.workerOfOldestSample(workers), let sample = worker.takeSample() {
            let now = Clock.bootMicroseconds()
            let pause = now - worker.lastHeard
            worker.lastHeard = now
            // A call has returned at last; whether the device is back shows by the next one.
            if worker.isSilent, pause > allowedSilence(of: worker) { continue }
            let kind = sample.reading.sensorKind
            if let kind, !worker.delivering.contains(kind) { resume(worker, kind) }
            switch sample.reading {
            case .magneticField, .hubHeading: noteFieldTime(sample.bootMicroseconds)
            default: break
            }
            deliver(sample)
            hasDelivered = true
        }
    }

    /// The worker whose next sample is the oldest of all, nil if none waits.
    static func workerOfOldestSample(_ workers: [DeviceWorker]) -> DeviceWorker? {
        var oldest: (worker: DeviceWorker, time: Int64)?
        for worker in workers where !worker.isRetired {
            guard let time = worker.nextSampleTime else { continue }
            if let oldest, oldest.time <= time { continue }
            oldest = (worker, time)
        }
        return oldest?.worker
    }

    /// Hands on a sample, with what is wrong with its scale mended; keeps back the field of a chip that is dead.
    private func deliver(_ sample: SensorSample) {
        scaleCheck.update(sample.reading)
        switch sample.reading {
        case .magneticField(let field):
            deadField.update(field: field)
            if deadField.isDead { return noteDead() }
            // What is left would make headings that have been told to be lost.
            if isLost, hasBeenComplete { return }
        case .acceleration(let acceleration):
            deadField.update(acceleration: acceleration)
            if gyroscopeUnit.update(acceleration: acceleration, time: sample.bootMicroseconds) {
                hasChanged = true
                sensorListener?.sensorSourceRestarted(self)
            }
            let factor = scaleCheck.accelerationFactor
            if factor != 1 {
                var mended = sample
                mended.reading = .acceleration(acceleration * factor)
                sensorListener?.sensorSource(self, delivered: mended)
                return
            }
        case .angularRate(let rate):
            gyroscopeUnit.update(rate: rate, time: sample.bootMicroseconds)
            if gyroscopeUnit.factor != 1 {
                var mended = sample
                mended.reading = .angularRate(rate * gyroscopeUnit.factor)
                sensorListener?.sensorSource(self, delivered: mended)
                return
            }
        default: break
        }
        sensorListener?.sensorSource(self, delivered: sample)
    }

    private func noteDead() {
        guard let sensor = choice.selected.first(where: { $0.description.kind == .magnetometer }) else { return }
        let id = sensor.description.id
        guard !problems.contains(where: { $0.code == "magn-dead" && $0.sensor == id }) else { return }
        let what = deadField.deadAxis.map { "the \(["x", "y", "z"][$0]) axis of its field" } ?? "its field"
        let text = "\(sensor.description.name) answers, but \(what) stands still while the device is turned"
        note(
            Finding(
                code: "magn-dead", severity: .error, sensor: id, text: text,
                remedy: "the chip or its driver is stuck: reload the driver, or switch the machine off and on"))
        lose([sensor.description], .failed, text, finding: false)
    }

    func drainEvents() {
        // Handling an event may change both: what is gone through is as they were.
        for worker in workers { for event in worker.takeEvents() { handle(event, of: worker) } }
        for worker in retired { for event in worker.takeEvents() { handle(event, of: worker) } }
        tellChanges()
    }

    /// One call for whatever changed in a round.
    func tellChanges() {
        guard hasChanged else { return }
        hasChanged = false
        sensorListener?.sensorSourceChanged(self)
    }

    /// Every 250 ms while sensors are wanted: finds devices that have stopped answering.
    func watchWorkers() {
        reader.leaveStuck()
        if isLost { endLoss() }
        let now = Clock.bootMicroseconds()
        for worker in workers where !worker.isSilent {
            guard now - worker.lastHeard > allowedSilence(of: worker) else { continue }
            worker.isSilent = true
            worker.delivering = SensorKinds()
            let ids = worker.plan.sensors.map(\.description.id)
            let seconds = Double((now - worker.lastHeard) / 100_000) / 10
            let text = "\(worker.plan.name) has not answered for \(seconds) s"
            for id in ids { note(.hangs(sensor: id, text: text)) }
            lose(worker.plan.sensors.map(\.description), .lost, text, finding: false)
        }
        replaceFailed(at: now)
        tellChanges()
    }

    // MARK: - Private

    /// How long a worker may say nothing, in µs. Opening a device takes long on slow machines, and everything does over
    /// the network; slow chips take two periods per axis: 6 s for a vector at 1 Hz.
    private func allowedSilence(of worker: DeviceWorker) -> Int64 {
        let slowest =
            worker.plan.sensors.lazy.compactMap { self.rates[$0.description.id] }.filter { $0 > 0 }.min()
            ?? wantedHertz
        let base: Int64 = worker.plan.isLocal && worker.isOpen ? 1_500_000 : 5_000_000
        return base + Int64(6_000_000 / max(slowest, 0.1))
    }

    private func handle(_ event: WorkerEvent, of worker: DeviceWorker) {
        let isActive = workers.contains { $0 === worker }
        if case .ended(let failure) = event {
            workers.removeAll { $0 === worker }
            retired.removeAll { $0 === worker }
            ended(worker, failure, wasActive: isActive)
            return
        }
        guard isActive else { return }
        worker.lastHeard = Clock.bootMicroseconds()
        let ids = worker.plan.sensors.map(\.description.id)
        switch event {
        case .alive:
            worker.isOpen = true
            return
        case .buffering:
            setBuffering(true, ids)
            for id in ids {
                for code in ["buffer-silent", Finding.permissionCode, Finding.busyCode] { forget(code, id) }
            }
        case .polling(let because):
            setBuffering(false, ids)
            if let because, let id = ids.first { note(.polled(sensor: id, because: because)) }
        case .rate(let sensor, let hertz):
            guard rates[sensor] != hertz else { return }
            rates[sensor] = hertz
        case .problem(let finding): note(finding)
        case .solved(let code, let sensor):
            guard forget(code, sensor) else { return }
        case .overflow(let field, let time):
            if field.isFinite { deadField.update(field: field) }
            guard isWanted, !isLost, !deadField.isDead else {
                if deadField.isDead { noteDead() }
                break
            }
            lastFieldTime = time
            sensorListener?.sensorSource(self, overflowedAt: time)
            return
        case .sensorFailed(let sensor, let reason):
            let failed = worker.plan.sensors.map(\.description).filter { $0.id == sensor }
            for description in failed { worker.delivering.remove(description.kind) }
            lose(failed, .lost, "\(worker.plan.name): \(reason)")
        case .failed(let failure):
            worker.isOpen = false
            worker.delivering = SensorKinds()
            lose(worker, failure)
        case .waits: return
        case .ended: break
        }
        hasChanged = true
    }

    private func ended(_ worker: DeviceWorker, _ failure: WorkerFailure?, wasActive: Bool) {
        guard isWanted else {
            if isOff { hasChanged = true }
            return
        }
        guard wasActive, let failure else {
            // A device that was let go is wanted again.
            settle()
            return
        }
        lose(worker, failure)
        scheduleRetry()
    }

    private func lose(_ worker: DeviceWorker, _ failure: WorkerFailure) {
        let state: SourceState = failure.code == .accessDenied ? .failed : .lost
        lose(worker.plan.sensors.map(\.description), state, "\(worker.plan.name): \(failure.text)")
    }

    private func lose(_ descriptions: [SensorDescription], _ state: SourceState, _ text: String, finding: Bool = true) {
        for description in descriptions {
            states[description.id] = state
            rates[description.id] = nil
            buffering[description.id] = nil
            if finding { note(.lost(sensor: description.id, reason: text)) }
        }
        hasChanged = true
        if descriptions.contains(where: { Self.essential.contains($0.kind) }) { tellLost(text) }
    }

    private func tellLost(_ reason: String) {
        guard !isLost, headingHertz > 0 else { return }
        isLost = true
        lostSince = Clock.bootMicroseconds()
        sensorListener?.sensorSource(self, lost: reason)
    }

    /// The first sample of a kind after start or loss.
    private func resume(_ worker: DeviceWorker, _ kind: SensorKind) {
        worker.delivering.insert(kind)
        worker.isSilent = false
        for sensor in worker.plan.sensors where sensor.description.kind == kind {
            let id = sensor.description.id
            states[id] = .ok
            for code in ["sensor-lost", "device-hangs"] { forget(code, id) }
        }
        endLoss()
        hasChanged = true
    }

    /// Headings may come again once all that they need delivers.
    private func endLoss() {
        let needed = active.map(\.description).filter { Self.essential.contains($0.kind) }
        guard !needed.isEmpty, needed.allSatisfy({ states[$0.id] == .ok }) else { return }
        scanPace.reset()
        guard headingHertz > 0, canGiveHeading else { return }
        hasBeenComplete = true
        guard isLost else { return }
        isLost = false
        sensorListener?.sensorSourceRestarted(self)
    }

    /// A long gap (suspend, a chip that hung) makes what was known of the attitude stale.
    private func noteFieldTime(_ time: Int64) {
        if let last = lastFieldTime, time - last > Int64(max(2, 20 / wantedHertz) * 1_000_000), !isLost {
            sensorListener?.sensorSourceRestarted(self)
        }
        lastFieldTime = time
    }

    private func scheduleRetry(pause: Int64? = nil) {
        let isHere = active.contains { $0.uri.hasPrefix("local:") && states[$0.description.id] != .ok }
        let isRefused =
            scans.values.contains(where: \.isHidden)
            || choice.candidates.contains { $0.uri.hasPrefix("local:") && !$0.description.selected }
        let missing: ScanPace.Missing =
            isHere
            ? .present
            : isRefused ? .refused(forMicroseconds: Clock.bootMicroseconds() - lostSince) : .absent
        let wanted = pause ?? scanPace.pause(missing)
        let due = Clock.bootMicroseconds() + wanted
        guard retryTimer?.isArmed == false || due < retryDue else { return }
        retryDue = due
        retryTimer?.arm(atBootMicroseconds: due)
    }

    private func setBuffering(_ isBuffered: Bool, _ ids: [String]) {
        for index in sensors.indices where ids.contains(sensors[index].id) { sensors[index].buffered = isBuffered }
        for id in ids { buffering[id] = isBuffered }
    }

    private func note(_ finding: Finding) {
        forget(finding.code, finding.sensor)
        problems.append(finding)
    }

    @discardableResult
    private func forget(_ code: String, _ sensor: String) -> Bool {
        let before = problems.count
        problems.removeAll { $0.code == code && $0.sensor == sensor }
        return problems.count != before
    }
}

extension SensorSample.Reading {
    /// The kind of sensor that gives such a reading; nil for by-products.
    var sensorKind: SensorKind? {
        switch self {
        case .magneticField: .magnetometer
        case .acceleration: .accelerometer
        case .angularRate: .gyroscope
        case .hubHeading: .hubHeading
        case .temperature: nil
        }
    }
}
