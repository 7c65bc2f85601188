internal import EventLoop
internal import Geometry
internal import Glibc
internal import LocateMeModel

extension DeviceSession {
    /// Reads raw values one by one until something happens.
    ///
    /// The three axes are read back to back; chips that convert once per read give three different instants, so the
    /// sample carries their middle.
    mutating func poll(wantedHertz: Double) -> Outcome {
        context.setTimeout(milliseconds: 5000)
        let hertz = settings.pollingHertz(wanted: wantedHertz)
        let period = Int64(1_000_000 / hertz)
        var hasReported = false
        var pace = PollingPace(hertz: hertz)
        var next = Monitor.monotonicMicroseconds()
        let bufferDue = self.bufferDue
        while true {
            let orders = worker.orders
            if orders.stop || orders.wantedHertz != wantedHertz { return .newOrders }
            let now = Monitor.monotonicMicroseconds()
            if now >= bufferDue { return .tryBuffer }
            if hasThermometer { readTemperature(at: now) }
            if now >= settings.rateDue {
                settings.apply(wantedHertz: wantedHertz, worker: worker)
                if settings.pollingHertz(wanted: wantedHertz) != hertz { return .newOrders }
            }
            var failing = 0
            var lastFailure: WorkerFailure?
            for index in maker.sensors.indices {
                guard now >= maker.sensors[index].pausedUntil else {
                    failing += 1
                    continue
                }
                guard let failure = readOnce(index) else { continue }
                if ReadFaults.isGone(failure.code) { return .failed(failure) }
                lastFailure = failure
                failing += 1
            }
            if let lastFailure, failing == maker.sensors.count { return .failed(lastFailure) }
            if !hasReported, failing < maker.sensors.count, maker.sensors.contains(where: { !$0.faults.isFailing }) {
                hasReported = true
                worker.report(.polling(because: bufferTrouble))
                reportRate(hertz)
            }
            if let measured = pace.round(atMonotonicMicroseconds: Monitor.monotonicMicroseconds()) {
                reportRate(measured)
            }
            next = max(next + period, Monitor.monotonicMicroseconds())
            // Failing reads return at once; without a pause they would spin.
            if maker.sensors.contains(where: \.faults.isFailing) { next = max(next, now + 50_000) }
            worker.sleep(untilMonotonicMicroseconds: next, wantedHertz: wantedHertz)
        }
    }

    /// `x y z w`. EBADMSG for anything else.
    private static func readAttitude(_ attributes: [IIOAttribute]) throws(Errno) -> SIMD4<Double> {
        let numbers = try attributes.first?.read().split(whereSeparator: \.isWhitespace).compactMap {
            AttributeText.number($0)
        }
        guard let numbers, numbers.count == 4 else { throw Errno(rawValue: EBADMSG) }
        return SIMD4(numbers[0], numbers[1], numbers[2], numbers[3])
    }

    /// Values can be read: what was said of that is over, unless it is the buffer's.
    private func tellWell(_ id: String) {
        if bufferFault?.rawValue != EBUSY { worker.report(.solved(code: Finding.busyCode, sensor: id)) }
        if bufferFault?.rawValue != EACCES, bufferFault?.rawValue != EPERM {
            worker.report(.solved(code: Finding.permissionCode, sensor: id))
        }
    }

    private func reportRate(_ hertz: Double) {
        for sensor in maker.sensors { worker.report(.rate(sensor: sensor.sensor.description.id, hertz: hertz)) }
    }

    /// Reads and delivers one sample of a sensor. A failure is returned only when the sensor is given up for now.
    private mutating func readOnce(_ index: Int) -> WorkerFailure? {
        let id = maker.sensors[index].sensor.description.id
        do throws(Errno) {
            var raw = Vector3.zero
            var attitude: SIMD4<Double>?
            let before = Clock.bootMicroseconds()
            if maker.sensors[index].isAttitude {
                attitude = try Self.readAttitude(maker.sensors[index].rawValues)
            } else {
                for axis in maker.sensors[index].rawValues.indices {
                    raw[axis] = try maker.sensors[index].rawValues[axis].readNumber()
                }
            }
            let after = Clock.bootMicroseconds()
            if maker.sensors[index].faults.succeeded() {
                worker.report(.solved(code: Finding.overflowCode, sensor: id))
            }
            if !maker.sensors[index].isWell {
                maker.sensors[index].isWell = true
                tellWell(id)
            }
            let middle = before + (after - before) / 2
            if let attitude {
                maker.hand(attitude: attitude, of: index, time: middle)
            } else {
                maker.hand(raw, of: index, time: middle, isPolled: true)
            }
            maker.wakeLoop()
            return nil
        } catch {
            let now = Monitor.monotonicMicroseconds()
            let wasOverflowing = maker.sensors[index].faults.isOverflowing
            let wasFailing = maker.sensors[index].faults.isFailing
            switch maker.sensors[index].faults.failed(error, at: now) {
            case .overflow:
                if !wasOverflowing { worker.report(.problem(.overflow(sensor: id, error: error))) }
                let unknown = Vector3(.nan, .nan, .nan)
                maker.tellOverflow(of: index, field: unknown, time: Clock.bootMicroseconds())
                return nil
            case .retry:
                maker.sensors[index].isWell = false
                if !wasFailing, error.rawValue == EBUSY {
                    worker.report(.problem(.busy(sensor: id, name: plan.name)))
                }
                return nil
            case .gone: return WorkerFailure(code: error, text: ReadFaults.text(error))
            case .giveUp:
                maker.sensors[index].isWell = false
                // Other sensors of the device may go on; this one is tried again.
                maker.sensors[index].pausedUntil = now + 1_000_000
                maker.sensors[index].faults = ReadFaults(
                    overflows: maker.sensors[index].sensor.description.kind == .magnetometer)
                if error.rawValue == EACCES || error.rawValue == EPERM {
                    worker.report(.problem(.noPermission(sensor: id, what: plan.name)))
                }
                let failure = WorkerFailure(code: error, text: ReadFaults.text(error))
                worker.report(.sensorFailed(sensor: id, reason: failure.text))
                return failure
            }
        }
    }
}
