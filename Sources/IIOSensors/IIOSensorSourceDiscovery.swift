internal import EventLoop
internal import LocateMeModel

extension IIOSensorSource {
    /// Scans the contexts without switching a sensor on. The result is in `sensors` when `sensorSourceChanged` is
    /// called; within 4 s for this machine, 15 s for others, even if a device hangs, unless the machine is so busy that
    /// it takes longer all the same.
    public func discover() {
        guard jobs.isEmpty else {
            // What happens while a scan is under way may be behind it already.
            isToDiscoverAgain = true
            return
        }
        isToDiscoverAgain = false
        stuckJobs.removeAll { $0.state.isDone }
        for uri in uris { startJob(uri) }
        if jobs.isEmpty { settle() } else { armDiscoveryTimer() }
    }

    private func startJob(_ uri: String) {
        let stuck = stuckJobs.filter { $0.uri == uri }.map(\.state.device)
        // While opening the context itself hangs, another try would hang as well.
        guard !stuck.contains("") else { return }
        let job = DiscoveryJob(uri: uri, skipping: Set(stuck), ledger: ledger)
        guard job.start(wakeup: wakeup) else {
            scans[uri, default: ScanResult()].findings = [
                Finding(
                    code: "no-thread", severity: .error, text: "the system has no thread left to look for sensors",
                    remedy: "raise the limit of tasks of the service")
            ]
            return
        }
        jobs.append(job)
    }

    /// Takes finished scans, gives up on stuck ones, and chooses when none is left.
    func checkDiscovery() {
        if stuckJobs.contains(where: \.state.isDone) {
            // What was stuck has returned: the device may be used again.
            stuckJobs.removeAll { $0.state.isDone }
            discover()
        }
        guard !jobs.isEmpty else { return }
        let now = Clock.bootMicroseconds()
        for job in jobs {
            let state = job.state
            if state.isDone {
                jobs.removeAll { $0 === job }
                var result = ScanResult(devices: state.devices)
                if let error = state.error {
                    result.findings.append(
                        state.obstacle?.finding(uri: job.uri) ?? .context(uri: job.uri, error: error))
                    result.failed = true
                    result.isHidden = state.obstacle != nil
                }
                if result.failed || !job.skipped.isEmpty {
                    result.devices += delivering(job.uri, besides: result.devices)
                }
                result.findings += stuckFindings(job.uri)
                scans[job.uri] = result
            } else if job.deadline <= now {
                jobs.removeAll { $0 === job }
                stuckJobs.append(job)
                // Once more without the device that is stuck; what came before it is read again, which is cheap.
                scans[job.uri] = ScanResult(
                    devices: state.devices + delivering(job.uri, besides: state.devices),
                    findings: stuckFindings(job.uri), failed: true)
                if !state.device.isEmpty { startJob(job.uri) }
            }
        }
        if jobs.isEmpty {
            discoveryTimer?.disarm()
            settle()
            if isToDiscoverAgain { discover() }
        } else {
            armDiscoveryTimer()
        }
    }

    /// Devices of the last scan that a new one has not come to, or could not, but that deliver: those are not to suffer
    /// from it. None after a scan that has seen all.
    private func delivering(_ uri: String, besides found: [DeviceDescription]) -> [DeviceDescription] {
        (scans[uri]?.devices ?? []).filter { device in
            !found.contains { $0.id == device.id }
                && workers.contains { $0.plan.key == "\(device.uri)/\(device.id)" && !$0.isSilent }
        }
    }

    /// The magnetometer that is to feed the heading.
    var chosenMagnetometer: SensorCandidate? { choice.selected.first { $0.description.kind == .magnetometer } }

    /// Uses another magnetometer in place of one that has failed for long, if there is one.
    func replaceFailed(at now: Int64) {
        guard headingHertz > 0, let id = chosenMagnetometer?.description.id else { return }
        let rivals = choice.candidates.filter {
            $0.description.kind == .magnetometer && $0.refusal == nil && $0.description.id != id
        }
        guard failed.update(id, trouble: trouble(of: id), rivals: rivals.map(\.description.id), at: now) else { return }
        states[id] = nil
        rates[id] = nil
        buffering[id] = nil
        settle()
    }

    /// Why a magnetometer gives no field; nil while it does, or may soon.
    private func trouble(of id: String) -> String? {
        let dead = problems.first { $0.sensor == id && RawFieldCheck.Verdict.uselessCodes.contains($0.code) }
        if let dead { return dead.text }
        guard states[id] == .lost || states[id] == .failed else { return nil }
        return problems.last { $0.sensor == id && $0.severity == .error }?.text ?? "it gives no field"
    }

    private func armDiscoveryTimer() {
        guard let next = jobs.map(\.deadline).min() else { return }
        discoveryTimer?.arm(atBootMicroseconds: next)
    }

    private func stuckFindings(_ uri: String) -> [Finding] {
        stuckJobs.filter { $0.uri == uri }.map { job in
            let state = job.state
            let what =
                state.device.isEmpty
                ? "opening \(uri) does not return: an attribute of a device hangs, or the host does not answer"
                : "\(state.device) of \(uri) does not answer"
                    + (state.attribute.isEmpty ? "" : " when \(state.attribute) is read")
            return .hangs(sensor: state.device.isEmpty ? "" : "\(uri)/\(state.device)", text: what)
        }
    }

    /// Chooses among what is known and brings the workers in line.
    func settle() {
        let devices = uris.flatMap { scans[$0]?.devices ?? [] }
        let running = Set(workers.flatMap { $0.plan.sensors.map(\.description.id) })
        let candidates = devices.flatMap { SensorCandidate.all(of: $0, overrides: overrides) }
        // What was wrong with a device that is not there any more is over with it.
        let known = Set(candidates.map(\.description.id))
        problems.removeAll { !$0.sensor.isEmpty && !known.contains($0.sensor) }
        failed.keep(known)
        choice = SensorChoice(candidates, running: running, failed: failed.reasons)
        let plans = DevicePlan.all(for: active, devices: devices)
        if let id = choice.selected.first(where: { $0.description.kind == .gyroscope })?.description.id,
            id != gyroscopeID
        {
            gyroscopeID = id
            gyroscopeUnit = GyroscopeUnitCheck()
        }
        if let id = chosenMagnetometer?.description.id, id != magnetometerID {
            magnetometerID = id
            deadField = DeadFieldCheck()
            scaleCheck = ScaleCheck()
        }
        sensors = choice.candidates.map { candidate in
            var description = candidate.description
            if let device = devices.first(where: { $0.uri == candidate.uri && $0.id == candidate.deviceID }) {
                description.triggers = TriggerChoice(for: device, among: devices).names
            }
            description.buffered = buffering[description.id] ?? candidate.canBuffer
            return description
        }
        if isWanted { run(plans) }
        hasChanged = true
        tellChanges()
    }
}
