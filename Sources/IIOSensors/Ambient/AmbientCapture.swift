internal import EventLoop
internal import Glibc
internal import LocateMeModel

/// Captures the channel of a light or proximity sensor through its device's buffer, and puts back what it changed.
struct AmbientCapture {
    /// How a capture ended.
    private enum Outcome {
        case stopped
        /// No data came with this trigger.
        case silent
    }

    private let worker: AmbientWorker
    private let device: IIODevice
    private var settings: DeviceSettings
    private var rate: (attribute: IIOAttribute, before: String)?

    /// Changes in ambient light are slow, and so is a face that comes near.
    private static let hertz = 10.0
    /// How long a buffer may be silent at first, in ms. Some sensors say only what changes; those are polled then.
    private static let patience = 2000

    /// A capture; the device's context must outlive it.
    init(worker: AmbientWorker, device: IIODevice) {
        self.worker = worker
        self.device = device
        settings = DeviceSettings(
            plan: DevicePlan(
                uri: worker.uri, deviceID: device.id, name: worker.channel.name, sensors: [],
                triggers: worker.channel.triggers, hasTimestamp: false),
            device: device, ledger: SettingsLedger(directory: nil))
    }

    /// Captures until it is told to stop: true. False if no trigger makes data arrive and it may give up. Throws if the
    /// device is gone.
    mutating func run(
        in context: borrowing IIOContext, _ threshold: inout ProximityThreshold, mayGiveUp: Bool
    ) throws(Errno) -> Bool {
        raiseRate()
        do throws(Errno) {
            let isStopped = try captureWithAnyTrigger(in: context, &threshold, mayGiveUp: mayGiveUp)
            restore(in: context)
            return isStopped
        } catch {
            restore(in: context)
            throw error
        }
    }

    private mutating func captureWithAnyTrigger(
        in context: borrowing IIOContext, _ threshold: inout ProximityThreshold, mayGiveUp: Bool
    ) throws(Errno) -> Bool {
        context.setTimeout(milliseconds: Self.patience)
        repeat {
            for name in worker.channel.triggers.isEmpty ? [nil] : worker.channel.triggers.map(Optional.some) {
                if worker.isStopped { return true }
                do throws(Errno) {
                    if let name {
                        guard let trigger = context.trigger(name: name) else { continue }
                        try settings.use(trigger: trigger, wantedHertz: Self.hertz)
                    }
                    if case .stopped = try capture(&threshold) { return true }
                } catch {
                    guard !ReadFaults.isGone(error) else { throw error }
                    guard mayGiveUp else { throw error }
                }
            }
        } while !mayGiveUp
        return false
    }

    private func capture(_ threshold: inout ProximityThreshold) throws(Errno) -> Outcome {
        guard let id = worker.channel.scanElement, let channel = device.channel(id: id) else {
            throw Errno(rawValue: ENODEV)
        }
        for other in device.channels { other.disable() }
        channel.enable()
        guard device.scansAreAligned else { throw Errno(rawValue: EBADMSG) }
        let buffer = try IIOBuffer(device: device)
        guard worker.bufferOpened(buffer.pointer) else { return .stopped }
        defer { worker.bufferCloses() }
        let scans = buffer.scans
        var hasDelivered = false
        while true {
            do throws(Errno) {
                try scans.refill()
            } catch {
                if worker.isStopped { return .stopped }
                switch error.rawValue {
                case EINTR, EAGAIN: continue
                case ETIMEDOUT, ENODATA:
                    // One that has worked says nothing because nothing changes.
                    if hasDelivered { continue }
                    return .silent
                default: throw error
                }
            }
            var newest: Int64?
            var offset = 0
            while scans.hasScan(at: offset) {
                newest = scans.value(of: channel, scanOffset: offset) ?? newest
                offset += scans.step
            }
            if let newest {
                hasDelivered = true
                worker.deliver(Double(newest), &threshold)
            }
            if worker.isStopped { return .stopped }
        }
    }

    /// A device whose rate is 0 never says anything.
    private mutating func raiseRate() {
        let id = worker.channel.scanElement ?? ""
        let names = ["in_\(id)_sampling_frequency", "sampling_frequency"]
        let attributes = device.attributes
        guard let attribute = names.lazy.compactMap({ name in attributes.first { $0.fileName == name } }).first,
            let before = try? attribute.read(), let hertz = AttributeText.number(before), hertz < Self.hertz
        else { return }
        // One that refuses stays as slow as it is.
        guard (try? attribute.write(AttributeText.decimal(Self.hertz))) != nil else { return }
        rate = (attribute, before)
    }

    private mutating func restore(in context: borrowing IIOContext) {
        // Nobody can be told of a failure that could still do something about it.
        if let rate { _ = try? rate.attribute.write(rate.before) }
        rate = nil
        settings.restore(in: context)
    }
}
