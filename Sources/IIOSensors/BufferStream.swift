internal import EventLoop
internal import Glibc
internal import LocateMeModel

/// One device's running buffer in the hands of the thread that reads it.
///
/// `@unchecked Sendable` is sound: what stands under "reader only" is touched by the reader's thread between
/// `BufferReader.attach` and `detach`, and by the device's own thread outside of that; what stands under "locked", with
/// the reader's monitor held.
final class BufferStream: @unchecked Sendable {
    /// What poll(2) waits with.
    let descriptor: Int32
    let worker: DeviceWorker
    private let scans: IIOScans
    private let timestamp: IIOChannel?
    private let clock: DeviceSettings.Clock
    private let trigger: String?
    /// So many scans fit into the kernel's buffer at least twice.
    private let manyScans: Int

    // Reader only
    var maker: SampleMaker
    private var mapper: TimestampMapper
    /// True once a scan has come.
    private(set) var hasDelivered = false
    private var stampedScans = 0
    private var mayWait: Bool
    /// CLOCK_MONOTONIC in µs when it was read last.
    private var lastRead: Int64 = 0
    private var barrenReads = 0

    // Locked
    /// The thread that reads it, nil if none does.
    var thread: BufferReaderThread?
    /// CLOCK_MONOTONIC in µs of the last scan, or since when one could have been read.
    var lastScan: Int64 = 0
    /// How often reading it took long.
    var longReads = 0

    /// What a turn has given.
    struct Turn {
        var scans = 0
        /// The loop is to be woken for them.
        var wakesLoop = false
        /// Why it cannot be read any more.
        var failure: Errno?
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
        mayWait = !maker.worker.isUrgent(atHertz: wantedHertz) && buffer.keptScans >= Self.leastKept
        guard descriptor >= 0, scans.setWaits(false) else { return nil }
    }

    /// True if its scans may lie in the kernel until another device is read, for some time: its samples serve only those
    /// of another, and their times are those of their stamps.
    /// So may one that announces what it then does not have.
    var isPatient: Bool { mayWait && stampedScans >= Self.provenScans || isUnreliable }

    private var isUnreliable: Bool { barrenReads >= Self.mostBarrenReads }

    /// CLOCK_MONOTONIC in µs when a patient one is to be read at the latest.
    var due: Int64 { lastRead + (isUnreliable ? Self.unreliablePeriod : DeviceWorker.patience) }

    /// Reads what there is: one scan, or of a patient one all.
    ///
    /// - Parameters:
    ///   - isAnnounced: poll(2) has told that there is something.
    ///   - isFailing: it has told an error and no data.
    func turn(now: Int64, isAnnounced: Bool, isFailing: Bool) -> Turn {
        var turn = Turn()
        lastRead = now
        let isPatient = isPatient
        let most = isPatient ? max(manyScans, Self.leastKept / 2) : 1
        while turn.scans < most {
            do throws(Errno) {
                try scans.refill()
            } catch {
                if error.rawValue == EINTR { continue }
                if error.rawValue != EAGAIN {
                    turn.failure = error
                } else if isFailing {
                    turn.failure = Errno(rawValue: EIO)
                }
                break
            }
            turn.scans += 1
            if take() { break }
        }
        // A buffer that fills up while it waits is not to wait.
        if isPatient, turn.scans >= most { mayWait = false }
        if isAnnounced { barrenReads = turn.scans == 0 ? barrenReads + 1 : 0 }
        turn.wakesLoop = maker.takeWake()
        return turn
    }

    /// True if another scan cannot be there yet: this one is younger than half of what lay between it and the one before.
    private func take() -> Bool {
        let before = mapper.last
        let arrival = Clock.bootMicroseconds()
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
