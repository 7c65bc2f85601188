internal import EventLoop
internal import Glibc

/// How a device that has failed is waited for: a look at its values every half second, which costs next to nothing, and
/// another try of all that it takes to use the device once they can be read. Pure: time is an argument.
struct DeviceReturn: Hashable, Sendable {
    /// What a look at the device's values gave.
    enum Look: Hashable, Sendable {
        /// They can be read.
        case well
        /// They cannot.
        case failing
        /// It has none that could be read one by one.
        case unknown
        /// It is not there any more.
        case gone
    }

    /// The pause in µs between two looks.
    static let lookPause: Int64 = 500_000
    /// For so long, in µs, a device that fails although its values can be read is tried again after each look, later every
    /// second.
    static let hastyFor: Int64 = 60_000_000

    private var firstFailure: Int64?
    private var lastFailure: Int64 = 0
    private var wasFailing = false

    /// A device that has not failed.
    init() {}

    /// It has failed at a time in µs, after it was used since another: for the first time, if it has worked for a while.
    mutating func failed(at now: Int64, usedSince begin: Int64) {
        if firstFailure == nil || now - begin > Self.trustedAfter { firstFailure = now }
        lastFailure = now
        wasFailing = false
    }

    /// A device that has been used for so long, in µs, before it failed has worked.
    private static let trustedAfter: Int64 = 10_000_000

    /// True if what was seen at a time in µs makes it worth to use the device again.
    mutating func isToBeTried(_ look: Look, at now: Int64) -> Bool {
        switch look {
        case .failing:
            wasFailing = true
            return false
        case .well where wasFailing: return true
        case .well, .unknown:
            let isYoung = now - (firstFailure ?? now) < Self.hastyFor
            return now - lastFailure >= (isYoung ? 1 : 2) * Self.lookPause
        case .gone: return false
        }
    }
}

extension DeviceSession {
    /// Waits until a device of this machine that has failed may work again. False if it is not to be waited for: a stop was
    /// asked for, or it is not there any more, so that all devices must be looked through.
    func waitForReturn(_ pace: inout DeviceReturn) -> Bool {
        while true {
            let due = Monitor.monotonicMicroseconds() + DeviceReturn.lookPause
            while Monitor.monotonicMicroseconds() < due {
                let orders = worker.orders
                if orders.stop { return false }
                worker.sleep(untilMonotonicMicroseconds: due, wantedHertz: orders.wantedHertz)
            }
            let look = look()
            if look == .gone { return false }
            if pace.isToBeTried(look, at: Monitor.monotonicMicroseconds()) { return true }
            worker.report(.waits)
        }
    }

    /// Reads the values of each sensor until those of one can be read.
    private func look() -> DeviceReturn.Look {
        guard access("/sys/bus/iio/devices/\(plan.deviceID)/", F_OK) == 0 else { return .gone }
        var result = DeviceReturn.Look.unknown
        for sensor in maker.sensors where !sensor.rawValues.isEmpty {
            do throws(Errno) {
                for value in sensor.rawValues {
                    if sensor.isAttitude { _ = try value.read() } else { _ = try value.readNumber() }
                }
                return .well
            } catch {
                // Beyond the range is an answer; where a file has gone, so has the channel.
                if sensor.faults.isAnswer(error) { return .well }
                if error.rawValue == ENOENT { return .gone }
                result = .failing
            }
        }
        return result
    }
}
