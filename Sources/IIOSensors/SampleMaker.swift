internal import EventLoop
internal import Geometry
internal import LocateMeModel

/// Makes samples of what is read of one device, hands them to its worker, and tells what is wrong with readings. Moves
/// between the device's own thread and the one that reads its buffer; belongs to one of them at a time.
struct SampleMaker {
    let worker: DeviceWorker
    var sensors: [ResolvedSensor]
    /// True if the loop is to be woken for samples that were handed over since it was last.
    private var isLoopToWake = false

    init(worker: DeviceWorker, sensors: [ResolvedSensor]) {
        self.worker = worker
        self.sensors = sensors
    }

    /// Wakes the loop if that is due.
    mutating func wakeLoop() {
        if takeWake() { worker.wakeLoop() }
    }

    /// True if the loop is to be woken, which is then the caller's to do.
    mutating func takeWake() -> Bool {
        defer { isLoopToWake = false }
        return isLoopToWake
    }

    /// Delivers all scans of a block. `arrival`: CLOCK_BOOTTIME in µs when it was read; `shift` as for `TimestampMapper`.
    mutating func handAll(
        of scans: IIOScans, timestamp: IIOChannel?, arrival: Int64, shift: Int64, mapper: inout TimestampMapper
    ) {
        let step = scans.step
        var offset = 0
        while scans.hasScan(at: offset) {
            let stamp = timestamp.flatMap { scans.value(of: $0, scanOffset: offset) }.map { $0 / 1000 }
            if !mapper.isLeftOver(stamp: stamp, shift: shift) {
                hand(scans, at: offset, time: mapper.bootMicroseconds(stamp: stamp, arrival: arrival, shift: shift))
            }
            offset += step
        }
    }

    /// Converts and delivers one reading.
    mutating func hand(_ raw: Vector3, of index: Int, time: Int64, isPolled: Bool) {
        let made = sensors[index].make(raw, bootMicroseconds: time, isPolled: isPolled)
        if let sample = made.sample { isLoopToWake = worker.push(sample) || isLoopToWake }
        if made.verdict != made.before { tellVerdict(of: index, before: made.before) }
        if made.verdict == .overflow || made.verdict == .saturated {
            tellOverflow(of: index, field: sensors[index].sensor.transform.apply(raw), time: time)
        }
        if made.hubScaleDiffersNow {
            worker.report(
                .problem(
                    Finding(
                        code: "hub-heading-tenths", severity: .info, sensor: sensors[index].sensor.description.id,
                        text: "the hub counts its heading in smaller steps than its scale says; this is corrected",
                        remedy: "nothing to do")))
        }
    }

    /// Delivers an attitude as a heading.
    mutating func hand(attitude: SIMD4<Double>, of index: Int, time: Int64) {
        let before = sensors[index].verdict
        if let sample = sensors[index].sample(attitude: attitude, bootMicroseconds: time) {
            isLoopToWake = worker.push(sample) || isLoopToWake
        }
        if sensors[index].verdict != before { tellVerdict(of: index, before: before) }
    }

    /// Says that a reading is out of range, five times a second at most.
    mutating func tellOverflow(of index: Int, field: Vector3, time: Int64) {
        guard sensors[index].sensor.description.kind == .magnetometer,
            time - sensors[index].lastOverflow >= 200_000
        else { return }
        sensors[index].lastOverflow = time
        worker.report(.overflow(field: field, bootMicroseconds: time))
    }

    // MARK: - Private

    private mutating func hand(_ scans: IIOScans, at offset: Int, time: Int64) {
        for index in sensors.indices {
            if sensors[index].isAttitude {
                if let attitude = scans.attitude(of: sensors[index].channels[0], scanOffset: offset) {
                    hand(attitude: attitude, of: index, time: time)
                }
                continue
            }
            var raw = Vector3.zero
            var isComplete = true
            for axis in sensors[index].channels.indices {
                if let value = scans.value(of: sensors[index].channels[axis], scanOffset: offset) {
                    raw[axis] = Double(value)
                } else {
                    isComplete = false
                }
            }
            if isComplete { hand(raw, of: index, time: time, isPolled: false) }
        }
    }

    private func tellVerdict(of index: Int, before: RawFieldCheck.Verdict) {
        let sensor = sensors[index].sensor
        if let finding = before.finding(sensor: sensor) {
            worker.report(.solved(code: finding.code, sensor: sensor.description.id))
        }
        if let finding = sensors[index].verdict.finding(sensor: sensor) { worker.report(.problem(finding)) }
    }
}
