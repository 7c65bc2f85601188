internal import EventLoop
internal import LocateMeModel

/// Reads one light or proximity sensor on a thread of its own, since a read may block: through the device's buffer where
/// it has one that works, else by polling.
///
/// `@unchecked Sendable` is sound: `state` is only touched with the monitor held, the rest never changes.
final class AmbientWorker: @unchecked Sendable {
    private struct State {
        var stopRequested = false
        var buffer: OpaquePointer?
        var reading: AmbientReading?
        var ended = false
    }

    let kind: AmbientReading.Kind
    let uri: String
    let channel: AmbientChannel
    private let wakeup: Wakeup
    private let monitor = Monitor()
    private var state = State()

    /// How often it is polled, in µs: a face that comes near switches a screen off at once, a screen follows the light slowly
    /// (iio-sensor-proxy polls both every 700 ms).
    private var periodMicroseconds: Int64 { kind == .proximity ? 100_000 : 500_000 }
    /// Reads in a row that may fail before the sensor is given up: two seconds of them.
    private var patience: Int { Int(2_000_000 / periodMicroseconds) }

    init(uri: String, channel: AmbientChannel, wakeup: Wakeup) {
        kind = channel.kind
        self.uri = uri
        self.channel = channel
        self.wakeup = wakeup
    }

    /// Starts the thread. False if the system has none left.
    func start() -> Bool {
        let started = WorkerThread.run(name: "iio-ambient") { [self] in
            run()
            monitor.locked { state.ended = true }
            wakeup.signal()
        }
        if !started { monitor.locked { state.ended = true } }
        return started
    }

    /// Asks the thread to leave the device. Returns at once.
    func requestStop() {
        monitor.locked {
            state.stopRequested = true
            if let buffer = state.buffer { IIOBuffer.cancel(buffer) }
            monitor.wakeAll()
        }
    }

    /// The newest reading since the last call.
    func takeReading() -> AmbientReading? {
        monitor.locked {
            defer { state.reading = nil }
            return state.reading
        }
    }

    /// True when the thread has left the device: asked to, or because it is gone.
    var hasEnded: Bool { monitor.locked { state.ended } }

    // MARK: - Thread's side

    /// Makes a running buffer known, so that a stop can end its wait. False if the stop came before.
    func bufferOpened(_ buffer: OpaquePointer) -> Bool {
        monitor.locked {
            guard !state.stopRequested else { return false }
            state.buffer = buffer
            return true
        }
    }

    /// The buffer is about to be closed.
    func bufferCloses() { monitor.locked { state.buffer = nil } }

    /// True once the thread is to leave.
    var isStopped: Bool { monitor.locked { state.stopRequested } }

    /// Hands a raw value to the loop.
    func deliver(_ raw: Double, _ threshold: inout ProximityThreshold) {
        let reading: AmbientReading =
            switch channel.kind {
            case .light: .light(level: max(0, (raw + channel.offset) * channel.scale), isLux: channel.isLux)
            case .proximity: .proximity(isNear: threshold.update(raw))
            }
        monitor.locked { state.reading = reading }
        wakeup.signal()
    }

    private func run() {
        do throws(Errno) {
            let context = try IIOContext(uri: uri)
            guard let device = context.device(id: channel.device), device.name == channel.name else { return }
            let attribute = channel.fileName.flatMap { device.attribute(fileName: $0) }
            let level = channel.kind == .proximity ? device.attribute(fileName: "in_proximity_nearlevel") : nil
            // Many drivers have no level of their own.
            var threshold = ProximityThreshold(nearLevel: channel.nearLevel ?? (try? level?.readNumber()))
            if channel.scanElement != nil {
                // What the device says by itself may be long in coming: the first value is asked for.
                if let first = try? attribute?.readNumber() { deliver(first, &threshold) }
                var capture = AmbientCapture(worker: self, device: device)
                if try capture.run(in: context, &threshold, mayGiveUp: attribute != nil) { return }
            }
            guard let attribute else { return }
            try poll(attribute, &threshold)
        } catch {
            // The next scan says whether the device is there.
            return
        }
    }

    private func poll(_ attribute: IIOAttribute, _ threshold: inout ProximityThreshold) throws(Errno) {
        var failures = 0
        while !isStopped {
            do throws(Errno) {
                let raw = try attribute.readNumber()
                failures = 0
                deliver(raw, &threshold)
            } catch {
                failures += 1
                guard failures < patience, !ReadFaults.isGone(error) else { throw error }
            }
            pause()
        }
    }

    private func pause() {
        let deadline = Monitor.monotonicMicroseconds() + periodMicroseconds
        monitor.locked {
            while !state.stopRequested { guard monitor.wait(untilMonotonicMicroseconds: deadline) else { return } }
        }
    }
}
