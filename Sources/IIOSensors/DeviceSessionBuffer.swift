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
        // A buffer that works delivers its third scan by then; hubs need some 250 ms to wake up.
        let period = 1 / max(settings.slowestHertz(wanted: wantedHertz), 0.1)
        setPatience(milliseconds: min(max(Int(3 * period * 1000), 1000), 5000))
        let start = Clock.bootMicroseconds()
        let buffer: IIOBuffer
        do throws(Errno) {
            buffer = try IIOBuffer(device: device)
        } catch {
            return .failed(WorkerFailure(code: error, text: "the buffer cannot be started: \(error)"))
        }
        guard worker.bufferOpened(buffer.pointer) else { return .newOrders }
        let mapper = TimestampMapper(
            clock: timestamp == nil ? .none : settings.clock.kind, captureStart: start)
        let outcome = stream(
            buffer, trigger: trigger, timestamp: timestamp, mapper: mapper, wantedHertz: wantedHertz, period: period)
        worker.bufferCloses()
        Self.close(buffer)
        return outcome
    }

    private static func close(_ buffer: consuming IIOBuffer) {}

    private mutating func stream(
        _ buffer: borrowing IIOBuffer, trigger: String?, timestamp: IIOChannel?, mapper: TimestampMapper,
        wantedHertz: Double, period: Double
    ) -> Outcome {
        var mapper = mapper
        var hasDelivered = false
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
                setPatience(milliseconds: min(max(Int(5 * period * 1000), 2000), 30_000))
            }
            deliver(buffer, timestamp: timestamp, arrival: arrival, mapper: &mapper)
            let orders = worker.orders
            if orders.stop || orders.wantedHertz != wantedHertz { return .newOrders }
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
                hand(raw, of: index, time: time)
            }
            offset += buffer.step
        }
    }

    /// Converts and delivers one reading.
    mutating func hand(_ raw: Vector3, of index: Int, time: Int64) {
        let differed = sensors[index].hubScaleDiffers
        if let sample = sensors[index].sample(raw, bootMicroseconds: time) { worker.deliver(sample) }
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
