import Foundation

/// A thread that plays the driver of one rig device: writes scans into its node while `buffer/enable` is 1, laid out
/// as the kernel lays them out. Like a full kfifo it drops what does not fit; like a driver it forgets old scans
/// when the buffer is enabled anew.
public final class IIORigFeed: @unchecked Sendable {
    // Sound: what changes is touched with the lock held.
    private let lock = NSLock()
    private let ended = DispatchSemaphore(value: 0)
    private var isStopped = false
    private var sentScans = 0
    private let rig: IIORig
    private let device: Int
    private let hertz: Double
    private let values: @Sendable (Int) -> [String: Int64]?
    private let descriptor: Int32

    init(
        rig: IIORig, device: Int, hertz: Double, values: @escaping @Sendable (Int) -> [String: Int64]?
    ) throws {
        self.rig = rig
        self.device = device
        self.hertz = hertz
        self.values = values
        descriptor = open(rig.node(device), O_RDWR | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        let thread = Thread { [self] in
            run()
            close(descriptor)
            ended.signal()
        }
        thread.start()
    }

    /// Scans written so far.
    public var sent: Int { lock.withLock { sentScans } }

    /// Ends the thread and waits for it.
    public func stop() {
        let first = lock.withLock {
            defer { isStopped = true }
            return !isStopped
        }
        if first { ended.wait() }
    }

    private func run() {
        var wasEnabled = false
        var number = 0
        while !lock.withLock({ isStopped }) {
            let isEnabled = fires()
            if isEnabled, !wasEnabled { drain() }
            wasEnabled = isEnabled
            if isEnabled {
                if let scan = values(number) {
                    let bytes = pack(scan)
                    // It may have been switched off, and its channels be others, meanwhile.
                    if fires(), write(descriptor, bytes, bytes.count) == bytes.count {
                        lock.withLock { sentScans += 1 }
                    }
                }
                number += 1
            }
            usleep(UInt32(1_000_000 / hertz))
        }
    }

    private func fires() -> Bool {
        guard rig.get(device, "buffer/enable") == "1" else { return false }
        guard let firing = rig.devices[device].firingTriggers else { return true }
        return firing.contains(rig.get(device, "trigger/current_trigger") ?? "")
    }

    private func drain() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &bytes, bytes.count) > 0 {}
    }

    private func pack(_ scan: [String: Int64]) -> [UInt8] {
        rig.devices[device].pack(scan, time: now()) { rig.get(device, "scan_elements/in_\($0)_en") == "1" }
    }

    /// The time in the clock that the device is set to, in ns.
    private func now() -> Int64 {
        var time = timespec()
        switch rig.get(device, "current_timestamp_clock") {
        case "boottime": clock_gettime(CLOCK_BOOTTIME, &time)
        case "monotonic": clock_gettime(CLOCK_MONOTONIC, &time)
        default: clock_gettime(CLOCK_REALTIME, &time)
        }
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
