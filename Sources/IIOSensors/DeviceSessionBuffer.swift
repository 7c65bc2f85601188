internal import EventLoop
internal import Geometry
internal import Glibc
internal import LocateMeModel

extension DeviceSession {
    /// Captures through the buffer until something happens. `.silent` if no scan arrives in time, at first or later.
    mutating func capture(trigger: String?, wantedHertz: Double) -> Outcome {
        let timestamp = plan.hasTimestamp ? device.channel(id: "timestamp") : nil
        for channel in device.channels { channel.disable() }
        for sensor in sensors { for channel in sensor.channels { channel.enable() } }
        timestamp?.enable()
        guard device.scansAreAligned else {
            let text = "libiio would read scans of this layout out of step"
            return .failed(WorkerFailure(code: Errno(rawValue: EBADMSG), text: text))
        }
        // A buffer that works delivers its third scan by then; hubs need some 250 ms to wake up.
        let period = 1 / max(settings.slowestHertz(wanted: wantedHertz), 0.1)
        hasDelivered = false
        setPatience(milliseconds: min(max(Int(3 * period * 1000), plan.isLocal ? 600 : 1000), 5000))
        let start = Clock.bootMicroseconds()
        let buffer: IIOBuffer
        settings.bufferOpens()
        defer { settings.bufferClosed() }
        do throws(Errno) {
            buffer = try IIOBuffer(device: device)
        } catch {
            return .failed(WorkerFailure(code: error, text: "the buffer cannot be started: \(error)"))
        }
        guard worker.bufferOpened(buffer.pointer) else { return .newOrders }
        let mapper = TimestampMapper(
            clock: timestamp == nil ? .none : settings.clock.kind, captureStart: start)
        let begin = Monitor.monotonicMicroseconds()
        let outcome = stream(
            buffer, trigger: trigger, timestamp: timestamp, mapper: mapper, wantedHertz: wantedHertz, period: period)
        if hasDelivered, Monitor.monotonicMicroseconds() - begin > Self.trustedAfter { bufferHasWorked() }
        worker.bufferCloses()
        Self.close(buffer)
        return outcome
    }

    /// A buffer that has delivered for so long, in µs, works.
    private static let trustedAfter: Int64 = 10_000_000

    private static func close(_ buffer: consuming IIOBuffer) {}

    private mutating func stream(
        _ buffer: borrowing IIOBuffer, trigger: String?, timestamp: IIOChannel?, mapper: TimestampMapper,
        wantedHertz: Double, period: Double
    ) -> Outcome {
        var mapper = mapper
        while true {
            do throws(Errno) {
                try buffer.refill()
            } catch {
                if worker.orders.stop { return .newOrders }
                switch error.rawValue {
                case EINTR, EAGAIN: continue
                case ETIMEDOUT, ENODATA: return .silent
                default: return .failed(WorkerFailure(code: error, text: ReadFaults.text(error)))
                }
            }
            let arrival = Clock.bootMicroseconds()
            if !hasDelivered {
                hasDelivered = true
                worker.report(.buffering(trigger: trigger))
                // Less than what makes headings count as lost: values are read one by one before that.
                setPatience(milliseconds: min(max(Int(5 * period * 1000), plan.isLocal ? 1000 : 2000), 30_000))
            }
            deliver(buffer, timestamp: timestamp, arrival: arrival, mapper: &mapper)
            let orders = worker.orders
            if orders.stop || orders.wantedHertz != wantedHertz { return .newOrders }
            if hasThermometer { readTemperature(at: Monitor.monotonicMicroseconds()) }
            if settings.rateDue != .max, Monitor.monotonicMicroseconds() >= settings.rateDue {
                settings.apply(wantedHertz: wantedHertz, worker: worker)
                // Many drivers let nobody set the rate while the buffer is on.
                if settings.isRateBusy { return .newOrders }
            }
        }
    }

    private mutating func deliver(
        _ buffer: borrowing IIOBuffer, timestamp: IIOChannel?, arrival: Int64, mapper: inout TimestampMapper
    ) {
        let shift = settings.clock.shift
        var offset = 0
        while buffer.hasScan(at: offset) {
            let stamp = timestamp.flatMap { buffer.value(of: $0, scanOffset: offset) }.map { $0 / 1000 }
            if mapper.isLeftOver(stamp: stamp, shift: shift) {
                offset += buffer.step
                continue
            }
            let time = mapper.bootMicroseconds(stamp: stamp, arrival: arrival, shift: shift)
            for index in sensors.indices {
                if sensors[index].isAttitude {
                    if let attitude = buffer.attitude(of: sensors[index].channels[0], scanOffset: offset) {
                        hand(attitude: attitude, of: index, time: time)
                    }
                    continue
                }
                var raw = Vector3.zero
                var isComplete = true
                for axis in sensors[index].channels.indices {
                    if let value = buffer.value(of: sensors[index].channels[axis], scanOffset: offset) {
                        raw[axis] = Double(value)
                    } else {
                        isComplete = false
                    }
                }
                guard isComplete else { continue }
                hand(raw, of: index, time: time, isPolled: false)
            }
            offset += buffer.step
        }
    }

    /// Says that a reading is out of range, five times a second at most.
    mutating func tellOverflow(of index: Int, field: Vector3, time: Int64) {
        guard sensors[index].sensor.description.kind == .magnetometer,
            time - sensors[index].lastOverflow >= 200_000
        else { return }
        sensors[index].lastOverflow = time
        worker.report(.overflow(field: field, bootMicroseconds: time))
    }

    /// Delivers an attitude as a heading.
    mutating func hand(attitude: SIMD4<Double>, of index: Int, time: Int64) {
        let before = sensors[index].verdict
        if let sample = sensors[index].sample(attitude: attitude, bootMicroseconds: time) { worker.deliver(sample) }
        tellVerdict(of: index, before: before)
    }

    private func tellVerdict(of index: Int, before: RawFieldCheck.Verdict) {
        let sensor = sensors[index].sensor
        let verdict = sensors[index].verdict
        guard verdict != before else { return }
        if let finding = before.finding(sensor: sensor) {
            worker.report(.solved(code: finding.code, sensor: sensor.description.id))
        }
        if let finding = verdict.finding(sensor: sensor) { worker.report(.problem(finding)) }
    }

    /// Converts and delivers one reading.
    mutating func hand(_ raw: Vector3, of index: Int, time: Int64, isPolled: Bool) {
        let differed = sensors[index].hubScaleDiffers
        let before = sensors[index].verdict
        if let sample = sensors[index].sample(raw, bootMicroseconds: time, isPolled: isPolled) {
            worker.deliver(sample)
        }
        tellVerdict(of: index, before: before)
        if sensors[index].verdict == .overflow || sensors[index].verdict == .saturated {
            tellOverflow(of: index, field: sensors[index].sensor.transform.apply(raw), time: time)
        }
        if !differed, sensors[index].hubScaleDiffers {
            worker.report(
                .problem(
                    Finding(
                        code: "hub-heading-tenths", severity: .info, sensor: sensors[index].sensor.description.id,
                        text: "the hub counts its heading in smaller steps than its scale says; this is corrected",
                        remedy: "nothing to do")))
        }
    }

    /// libiio's network backend lets the far side wait half of its time-out (network.c of libiio 0.24).
    private func setPatience(milliseconds: Int) {
        context.setTimeout(milliseconds: plan.isLocal ? milliseconds : 2 * milliseconds)
    }
}
