public import LocateMeModel

/// The sentences of a receiver to fixes, one for each moment.
///
/// Sentences whose times differ by at most 50 ms are of one moment, and those without a time belong to the moment before
/// them. A fix goes out with the last sentence of the receiver's cycle, which is learned from two equal ones; with the first
/// sentence of the next moment; or 200 ms after its own first, except where the speed is still to come on a slow line. What
/// comes later for that moment is a duplicate. Places without a date wait for one, which then counts for them too.
public struct NMEAEpochAssembler: Sendable {
    /// What is ready.
    public enum Report: Hashable, Sendable {
        /// A fix, not validated. Its time is 0 if the receiver never says the date.
        case fix(Fix)
        /// The receiver says that it has none.
        case noFix
    }

    /// Microseconds between times of one moment.
    public static let tolerance: Int64 = 50_000
    /// Microseconds from the first sentence to the fix.
    public static let patience: Int64 = 200_000
    /// Microseconds if the speed is still missing which the moment before had: at 4800 baud a cycle takes most of a second.
    public static let slowPatience: Int64 = 900_000
    /// Microseconds that places wait for a date before they go out without.
    public static let datePatience: Int64 = 10_000_000
    /// So many places wait at most.
    public static let waitingLimit = 120
    /// Dilutions are good for so many moments: some receivers state them with every fifth.
    public static let dilutionLife = 10

    private var epoch: NMEAEpoch?
    private var hadSpeed = false
    private var previous = NMEAEpoch.Signature()
    private var expected: NMEAEpoch.Signature?
    private var date = NMEADate()
    private var isDateless = false
    private var waiting: [(fix: Fix, time: TimeOfDay)] = []
    private var dilution = DilutionSentence()
    private var dilutionAge = 0
    private var ready: [Report] = []
    private var taken = 0

    /// An assembler that has heard nothing.
    public init() {}

    /// Boot time in microseconds at which `expire` is due; nil if nothing waits.
    public var deadline: Int64? {
        let first = waiting.first.map { $0.fix.bootMicroseconds + Self.datePatience }
        guard let epoch, !epoch.isDelivered else { return first }
        let isSlow = epoch.hasFix && !epoch.hasSpeed && hadSpeed || !epoch.hasFix && !epoch.isVoid
        return min(first ?? .max, epoch.bootMicroseconds + (isSlow ? Self.slowPatience : Self.patience))
    }

    /// Takes a sentence that came at a boot time in microseconds. What it completes is then in `next()`.
    public mutating func take(_ sentence: NMEASentence, bootMicroseconds boot: Int64) {
        switch sentence {
        case .position(let position): take(position, boot)
        case .errors(let errors):
            if let time = errors.time { begin(time, boot) }
            join(NMEAEpoch.OtherKind.errors.rawValue, saysSpeed: false) { $0.merge(errors) }
        case .velocity(let velocity):
            join(NMEAEpoch.OtherKind.velocity.rawValue, saysSpeed: velocity.speed.isFinite) { $0.merge(velocity) }
        case .dilution(let dilution):
            join(NMEAEpoch.OtherKind.dilution.rawValue, saysSpeed: false) { $0.merge(dilution) }
        case .date(let stated): learn(real: NMEADate.real(day: stated.day, stated.time), boot: boot)
        case .heading, .turnRate, .other: break
        }
    }

    /// What is ready, the oldest first.
    public mutating func next() -> Report? {
        guard taken < ready.count else {
            ready.removeAll(keepingCapacity: true)
            taken = 0
            return nil
        }
        taken += 1
        return ready[taken - 1]
    }

    /// To be called at the deadline.
    public mutating func expire(bootMicroseconds boot: Int64) {
        if let first = waiting.first, boot >= first.fix.bootMicroseconds + Self.datePatience { giveUpDate() }
        if let due = deadline, boot >= due { deliver() }
    }

    /// No more will come for the present moment.
    public mutating func complete() { deliver() }

    /// No more will come: what waits is ready, with or without a date.
    public mutating func finish() {
        deliver()
        giveUpDate()
    }

    /// Forgets the unfinished moment, for a new connection to the same receiver.
    public mutating func reset() {
        epoch = nil
        waiting = []
        isDateless = false
        dilution = DilutionSentence()
    }

    // MARK: - Moments

    private mutating func take(_ position: PositionSentence, _ boot: Int64) {
        guard let time = position.time else {
            if position.validity == .void {
                close()
                ready.append(.noFix)
            } else {
                join(position.kind.rawValue, saysSpeed: position.speed.isFinite) { $0.merge(position) }
            }
            return
        }
        begin(time, boot)
        join(position.kind.rawValue, saysSpeed: position.speed.isFinite) { $0.merge(position) }
    }

    private mutating func begin(_ time: TimeOfDay, _ boot: Int64) {
        if let epoch, epoch.time.distance(to: time) <= Self.tolerance { return }
        close()
        epoch = NMEAEpoch(time: time, bootMicroseconds: boot)
    }

    /// Adds a sentence to the present moment; only counts it if that has gone out.
    private mutating func join(_ kind: UInt8, saysSpeed: Bool, _ merge: (inout NMEAEpoch) -> Void) {
        guard var present = epoch.take() else { return }
        if present.isDelivered {
            present.count(kind, saysSpeed: saysSpeed)
            epoch = present
        } else {
            merge(&present)
            let isComplete = present.signature == expected
            epoch = present
            if isComplete { deliver() }
        }
    }

    /// Ends the present moment and learns the cycle from it.
    private mutating func close() {
        deliver()
        guard let ended = epoch else { return }
        expected = ended.signature == previous ? ended.signature : nil
        previous = ended.signature
        hadSpeed = ended.hadSpeed
        epoch = nil
    }

    private mutating func deliver() {
        guard let complete = epoch, !complete.isDelivered else { return }
        epoch?.isDelivered = true
        if let stated = complete.statedByGSA {
            dilution = stated
            dilutionAge = 0
        } else {
            dilutionAge += 1
            if dilutionAge >= Self.dilutionLife { dilution = DilutionSentence() }
        }
        guard complete.hasFix else {
            if complete.isVoid { ready.append(.noFix) }
            return
        }
        let boot = complete.bootMicroseconds
        if let day = complete.day { learn(real: NMEADate.real(day: day, complete.time), boot: boot) }
        if let real = date.resolve(complete.time, boot: boot) {
            date.note(real: real, boot: boot)
            ready.append(.fix(complete.fix(realMicroseconds: real, recent: dilution)))
        } else if isDateless {
            ready.append(.fix(complete.fix(realMicroseconds: 0, recent: dilution)))
        } else {
            waiting.append((complete.fix(realMicroseconds: 0, recent: dilution), complete.time))
            if waiting.count > Self.waitingLimit { giveUpDate() }
        }
    }

    // MARK: - Dates

    private mutating func learn(real: Int64, boot: Int64) {
        date.note(real: real, boot: boot)
        isDateless = false
        for (fix, time) in waiting {
            var fix = fix
            fix.realMicroseconds = date.resolve(time, boot: fix.bootMicroseconds) ?? 0
            ready.append(.fix(fix))
        }
        waiting.removeAll()
    }

    private mutating func giveUpDate() {
        guard !waiting.isEmpty else { return }
        isDateless = true
        for (fix, _) in waiting { ready.append(.fix(fix)) }
        waiting.removeAll()
    }
}
