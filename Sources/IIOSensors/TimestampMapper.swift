/// Device time to CLOCK_BOOTTIME of this machine. Pure: the arrival time is an argument.
struct TimestampMapper: Hashable, Sendable {
    /// Which clock stamps the samples.
    enum Clock: Hashable, Sendable {
        /// CLOCK_BOOTTIME of this machine: taken as it is.
        case boot
        /// CLOCK_MONOTONIC or CLOCK_REALTIME of this machine: the difference to CLOCK_BOOTTIME is added.
        case shifted
        /// A clock of another machine: aligned by the least delay seen.
        case foreign
        /// No usable stamps: the arrival counts.
        case none
    }

    /// The clock.
    let clock: Clock
    /// CLOCK_BOOTTIME in µs of the last sample.
    private(set) var last = Int64.min
    private var alignment: Int64?
    private var alignedAt: Int64 = 0
    private let captureStart: Int64
    private var leftOvers = 0
    private var isFresh = false
    /// True if the last sample's time is that of its stamp: it does not matter when it was read.
    private(set) var usedStamp = false

    /// Scans that may be left over from a capture before: as many as kernel buffers or a chip's FIFO hold at most for
    /// the sensors here, found by trial. A device whose clock is wrong loses so many of its first scans.
    private static let mostLeftOvers = 64

    /// A mapper for a clock. `captureStart`: CLOCK_BOOTTIME in µs when the capture was asked for.
    init(clock: Clock, captureStart: Int64 = .min) {
        self.clock = clock
        self.captureStart = captureStart
    }

    /// True for a scan that was measured before this capture began, as FIFOs may still hold them: not to be used, since
    /// the device may have been turned meanwhile. Only where stamps are of this machine's clocks, and before the first
    /// scan that is none. Times in µs as for `bootMicroseconds`.
    mutating func isLeftOver(stamp: Int64?, shift: Int64) -> Bool {
        guard !isFresh, let stamp, stamp > 0, clock == .boot || clock == .shifted else { return false }
        isFresh = stamp &+ (clock == .shifted ? shift : 0) >= captureStart || leftOvers >= Self.mostLeftOvers
        if !isFresh { leftOvers += 1 }
        return !isFresh
    }

    /// Boot time in µs of a sample.
    ///
    /// - Parameters:
    ///   - stamp: the device's time in µs, nil if the sample carries none.
    ///   - arrival: CLOCK_BOOTTIME in µs when it was read.
    ///   - shift: CLOCK_BOOTTIME − the stamping clock in µs, for `.shifted`.
    /// - Returns: a time never before the previous one (one µs later if need be) and never after the arrival. A stamp more than
    ///   2 s from the arrival is a fault of the device; then the arrival counts.
    mutating func bootMicroseconds(stamp: Int64?, arrival: Int64, shift: Int64 = 0) -> Int64 {
        var time = arrival
        usedStamp = false
        if let stamp, stamp > 0, clock != .none {
            usedStamp = clock != .foreign
            switch clock {
            case .boot: time = stamp
            case .shifted: time = stamp &+ shift
            case .foreign: time = aligned(stamp, arrival: arrival)
            case .none: break
            }
        }
        let age = arrival.subtractingReportingOverflow(time)
        if age.overflow || age.partialValue > 2_000_000 || age.partialValue < 0 {
            time = arrival
            usedStamp = false
        }
        if time <= last { time = last + 1 }
        last = time
        return time
    }

    /// The foreign clock's offset is the least (arrival − stamp) seen; it is let go by 100 ppm so that clocks that
    /// drift apart stay aligned (100 ppm: twice what crystal oscillators are specified for).
    private mutating func aligned(_ stamp: Int64, arrival: Int64) -> Int64 {
        let offset = arrival &- stamp
        if let known = alignment {
            let relaxed = known &+ (arrival &- alignedAt) / 10_000
            // A clock that was set starts a new alignment.
            alignment = abs(offset &- known) > 2_000_000 ? offset : min(relaxed, offset)
        } else {
            alignment = offset
        }
        alignedAt = arrival
        return stamp &+ (alignment ?? offset)
    }
}
