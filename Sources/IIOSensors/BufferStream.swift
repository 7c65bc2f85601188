internal import EventLoop
internal import Glibc
internal import LocateMeModel

/// One device's running buffer in the hands of the thread that reads it.
///
/// `@unchecked Sendable` is sound: what stands under "reader only" is touched by the reader's thread between
/// `BufferReader.attach` and `detach`, and by the device's own thread outside of that; what stands under "locked", with
/// the reader's monitor held.
final class BufferStream: @unchecked Sendable {
    /// What epoll_wait(2) waits with.
    let descriptor: Int32
    let worker: DeviceWorker
    private let scans: IIOScans
    private let timestamp: IIOChannel?
    private let clock: DeviceSettings.Clock
    private let trigger: String?
    /// So many scans fit into the kernel's buffer at least twice.
    private let manyScans: Int
    private let keepsEnough: Bool

    // Reader only
    var maker: SampleMaker
    private var mapper: TimestampMapper
    /// True once a scan has come.
    private(set) var hasDelivered = false
    private var stampedScans = 0
    private var mayWait: Bool
    /// CLOCK_MONOTONIC in µs when it was read last.
    private var lastRead: Int64 = 0
    /// CLOCK_BOOTTIME in µs when the last scan was read.
    private var arrival: Int64 = 0
    private var barrenReads = 0
    /// µs between samples and from sample to arrival, where one was read as soon as it was there.
    private var period: Int64 = 0
    private var lag: Int64 = 0
    /// CLOCK_BOOTTIME in µs when the last sample was due.
    private var beat: Int64 = 0

    // Locked
    /// The thread that reads it, nil if none does.
    var thread: BufferReaderThread?
    /// CLOCK_MONOTONIC in µs of the last scan, or since when one could have been read.
    var lastScan: Int64 = 0
    /// How often reading it took long.
    var longReads = 0
    /// When its next samples can be expected, as of its last turn; nil: not known, or they cannot wait.
    var cadence: Cadence?

    /// When samples come that may wait.
    struct Cadence {
        /// CLOCK_BOOTTIME in µs when the last sample was due.
        let last: Int64
        /// µs between two samples.
        let period: Int64
        /// µs from a sample to its arrival.
        let lag: Int64
    }

    /// Why it is read.
    enum Cause {
        /// There is something to read.
        case announced
        /// There is an error and no data.
        case failing
        /// It has been left alone.
        case held
        /// It has waited for others.
        case patient
    }

    /// What a turn has given.
    struct Turn {
        var scans = 0
        /// The loop is to be woken for them.
        var wakesLoop = false
        /// Why it cannot be read any more.
        var failure: Errno?
        var cadence: Cadence?
    }

    /// So many stamped scans show that a device's stamps can be relied on.
    private static let provenScans = 8
    /// Scans that are kept for less are not left waiting.
    private static let leastKept = 16
    /// Reads in a row that find nothing although something was announced, and how often such a one is read then, in µs.
    private static let mostBarrenReads = 8
    private static let unreliablePeriod: Int64 = 10_000

    /// Nil if the backend cannot say when there is something to read.
    init?(
        _ buffer: borrowing IIOBuffer, maker: SampleMaker, timestamp: IIOChannel?, mapper: TimestampMapper,
        clock: DeviceSettings.Clock, trigger: String?, wantedHertz: Double
    ) {
        scans = buffer.scans
        descriptor = scans.descriptor
        worker = maker.worker
        self.maker = maker
        self.timestamp = timestamp
        self.mapper = mapper
        self.clock = clock
        self.trigger = trigger
        manyScans = buffer.keptScans / 2
        keepsEnough = buffer.keptScans >= Self.leastKept
        mayWait = !maker.worker.isUrgent(atHertz: wantedHertz) && keepsEnough
        guard descriptor >= 0, scans.setWaits(false) else { return nil }
    }

    /// True if its scans may lie in the kernel until another device is read, for some time: its samples serve only those
    /// of another, and their times are those of their stamps.
    /// So may one that announces what it then does not have.
    var isPatient: Bool { mayWait && stampedScans >= Self.provenScans || isUnreliable }

    private var isUnreliable: Bool { barrenReads >= Self.mostBarrenReads }

    /// CLOCK_MONOTONIC in µs when a patient one is to be read at the latest.
    var due: Int64 { lastRead + (isUnreliable ? Self.unreliablePeriod : DeviceWorker.patience) }

    /// True if headings are made at its samples.
    var isLeading: Bool { worker.isLeading }

    /// Its descriptor cannot be waited for: it is read now and then.
    func cannotBeWaitedFor() { barrenReads = Self.mostBarrenReads }

    /// Reads what there is: one scan, or all of one that has waited.
    func turn(now: Int64, _ cause: Cause) -> Turn {
        var turn = Turn()
        let isPrompt = lastRead > 0 && cause == .announced
        lastRead = now
        let isPatient = isPatient
        let most = isPatient || cause == .held ? max(manyScans, Self.leastKept / 2) : 1
        let before = mapper.last
        while turn.scans < most {
            do throws(Errno) {
                try scans.refill()
            } catch {
                if error.rawValue == EINTR { continue }
                if error.rawValue != EAGAIN {
                    turn.failure = error
                } else if cause == .failing {
                    turn.failure = Errno(rawValue: EIO)
                }
                break
            }
            turn.scans += 1
            if take() { break }
        }
        // A buffer that fills up while it waits is not to wait.
        if isPatient, turn.scans >= most { mayWait = false }
        if cause == .announced || cause == .failing { barrenReads = turn.scans == 0 ? barrenReads + 1 : 0 }
        if turn.scans > 0 { measureCadence(since: before, scans: turn.scans, isPrompt: isPrompt) }
        if canBeHeld(after: turn.scans) { turn.cadence = Cadence(last: beat, period: period, lag: lag) }
        turn.wakesLoop = maker.takeWake()
        return turn
    }

    /// True if its next scans can lie in the kernel for some time: their times are those of their stamps, and come evenly.
    private func canBeHeld(after scans: Int) -> Bool {
        stampedScans >= Self.provenScans && keepsEnough && period > 0 && !isUnreliable && scans < manyScans
    }

    /// Stamps and arrivals that are late on a busy machine do not move what is expected by much: the earliest show when
    /// samples really come.
    private func measureCadence(since before: Int64, scans: Int, isPrompt: Bool) {
        guard mapper.usedStamp, before > 0 else { return }
        let step = (mapper.last - before) / Int64(scans)
        guard step > 0 else { return }
        period += period == 0 ? step : (step - period) / 16
        let expected = beat + Int64(scans) * period
        let late = mapper.last - expected
        beat = (0..<period).contains(late) ? expected + late / 16 : mapper.last
        guard isPrompt else { return }
        let delay = max(arrival - mapper.last, 0)
        lag = delay < lag || lag == 0 ? delay : lag + (delay - lag) / 32
    }

    /// True if another scan cannot be there yet: this one is younger than half of what lay between it and the one before.
    private func take() -> Bool {
        let before = mapper.last
        arrival = Clock.bootMicroseconds()
        if !hasDelivered {
            hasDelivered = true
            worker.report(.buffering(trigger: trigger))
        }
        maker.handAll(
            of: scans, timestamp: timestamp, arrival: arrival, shift: clock.shift, mapper: &mapper)
        stampedScans = mapper.usedStamp ? min(stampedScans + 1, Self.provenScans) : 0
        return mapper.usedStamp && before > 0 && arrival - mapper.last < (mapper.last - before) / 2
    }
}
