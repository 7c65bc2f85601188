internal import EventLoop
internal import Geometry
internal import Glibc
internal import LocateMeModel

extension DeviceSession {
    /// Captures through the buffer until something happens. `.silent` if no scan arrives in time, at first or later.
    mutating func capture(trigger: String?, wantedHertz: Double) -> Outcome {
        let timestamp = plan.hasTimestamp ? device.channel(id: "timestamp") : nil
        for channel in device.channels { channel.disable() }
        for sensor in maker.sensors { for channel in sensor.channels { channel.enable() } }
        timestamp?.enable()
        guard device.scansAreAligned else {
            let text = "libiio would read scans of this layout out of step"
            return .failed(WorkerFailure(code: Errno(rawValue: EBADMSG), text: text))
        }
        let period = 1 / max(settings.slowestHertz(wanted: wantedHertz), 0.1)
        hasDelivered = false
        setPatience(milliseconds: patienceAtFirst(period: period))
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
        let outcome = follow(
            buffer, trigger: trigger, timestamp: timestamp, mapper: mapper, wantedHertz: wantedHertz, period: period)
        if hasDelivered, Monitor.monotonicMicroseconds() - begin > Self.trustedAfter { bufferHasWorked() }
        worker.bufferCloses()
        Self.close(buffer)
        return outcome
    }

    /// A buffer that has delivered for so long, in µs, works.
    private static let trustedAfter: Int64 = 10_000_000

    private static func close(_ buffer: consuming IIOBuffer) {}

    /// Takes what the buffer captures: by the thread that reads those of all devices, or by this one.
    private mutating func follow(
        _ buffer: borrowing IIOBuffer, trigger: String?, timestamp: IIOChannel?, mapper: TimestampMapper,
        wantedHertz: Double, period: Double
    ) -> Outcome {
        if let reader = worker.reader,
            let stream = BufferStream(
                buffer, maker: maker, timestamp: timestamp, mapper: mapper, clock: settings.clock, trigger: trigger,
                wantedHertz: wantedHertz)
        {
            worker.streamBegins()
            if reader.attach(stream) {
                let outcome = wait(for: stream, reader, wantedHertz: wantedHertz, period: period)
                reader.detach(stream)
                maker = stream.maker
                hasDelivered = stream.hasDelivered
                return outcome
            }
            // It could be told not to wait, so it can be told to.
            _ = buffer.scans.setWaits(true)
        }
        return read(
            buffer.scans, trigger: trigger, timestamp: timestamp, mapper: mapper, wantedHertz: wantedHertz,
            period: period)
    }

    /// Waits while the reader reads; meanwhile does what takes long.
    private mutating func wait(
        for stream: BufferStream, _ reader: BufferReader, wantedHertz: Double, period: Double
    ) -> Outcome {
        let begin = reader.lastScan(of: stream)
        while true {
            let last = reader.lastScan(of: stream)
            let patience =
                Int64(last == begin ? patienceAtFirst(period: period) : patienceLater(period: period)) * 1000
            let now = Monitor.monotonicMicroseconds()
            if now >= last + patience { return .silent }
            if now >= temperatureDue { readTemperature(at: now) }
            if now >= settings.rateDue {
                settings.apply(wantedHertz: wantedHertz, worker: worker)
                // Many drivers let nobody set the rate while the buffer is on.
                if settings.isRateBusy { return .newOrders }
            }
            let due = min(last + patience, temperatureDue, settings.rateDue)
            if let error = worker.followStream(untilMonotonicMicroseconds: due, wantedHertz: wantedHertz) {
                return outcome(of: error)
            }
            let orders = worker.orders
            if orders.stop || orders.wantedHertz != wantedHertz { return .newOrders }
        }
    }

    /// Reads the buffer on this thread.
    private mutating func read(
        _ scans: IIOScans, trigger: String?, timestamp: IIOChannel?, mapper: TimestampMapper, wantedHertz: Double,
        period: Double
    ) -> Outcome {
        var mapper = mapper
        while true {
            do throws(Errno) {
                try scans.refill()
            } catch {
                if worker.orders.stop { return .newOrders }
                if error.rawValue == EINTR || error.rawValue == EAGAIN { continue }
                return outcome(of: error)
            }
            let arrival = Clock.bootMicroseconds()
            if !hasDelivered {
                hasDelivered = true
                worker.report(.buffering(trigger: trigger))
                setPatience(milliseconds: patienceLater(period: period))
            }
            maker.handAll(
                of: scans, timestamp: timestamp, arrival: arrival, shift: settings.clock.shift, mapper: &mapper)
            maker.wakeLoop()
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

    private func outcome(of error: Errno) -> Outcome {
        switch error.rawValue {
        case ETIMEDOUT, ENODATA: .silent
        default: .failed(WorkerFailure(code: error, text: ReadFaults.text(error)))
        }
    }

    /// How long the first scan may take, in ms: a buffer that works delivers its third by then; hubs need some 250 ms to
    /// wake up.
    private func patienceAtFirst(period: Double) -> Int {
        min(max(Int(3 * period * 1000), plan.isLocal ? 600 : 1000), 5000)
    }

    /// How long each later one may take, in ms: less than what makes headings count as lost, so that values are read one by
    /// one before that.
    private func patienceLater(period: Double) -> Int {
        min(max(Int(5 * period * 1000), plan.isLocal ? 1000 : 2000), 30_000)
    }

    /// libiio's network backend lets the far side wait half of its time-out (network.c of libiio 0.24).
    private func setPatience(milliseconds: Int) {
        context.setTimeout(milliseconds: plan.isLocal ? milliseconds : 2 * milliseconds)
    }
}
