public import EventLoop
internal import LocateMeModel
internal import SensorRecordings

/// Plays records on the loop at their recorded pace, as if the sensors and the receiver were there: `sensors` and
/// `places` are its two outlets. Nothing runs and nothing is read while neither of them is started.
///
/// Recorded times become CLOCK_BOOTTIME, each by one offset, so that the intervals stay the recorded ones at any
/// speed. After a pause and at the beginning of each loop the offset changes, and the listener is told so.
public final class RecordPlayer {
    /// How the records are played.
    public struct Options {
        /// Kind of the sources in `Manager1.Sources`: replay or simulated.
        public var kind: String
        /// Name of what is played, for messages.
        public var name: String
        /// The name without folders, for what everybody may read.
        var publicName: String { name.split(separator: "/").last.map(String.init) ?? name }
        /// Times real time, > 0.
        public var speed: Double
        /// True: from the beginning again at the end.
        public var loops: Bool

        /// Options.
        public init(kind: String, name: String, speed: Double = 1, loops: Bool = false) {
            self.kind = kind
            self.name = name
            self.speed = speed
            self.loops = loops
        }
    }

    /// Delivers the samples.
    public let sensors: RecordSensorSource
    /// Delivers the fixes.
    public let places: RecordPlaceSource

    let options: Options
    private let reader: any RecordReader
    private var timer: LoopTimer?
    private var placeTimer: LoopTimer?
    /// The place that the records have told last, for who asks for places later; nil once they have none.
    private var knownPlace: Fix?
    private var next: Record?
    private var isRunning = false
    private var hasEnded = false
    private var isFresh = true
    /// Due time of record time t: `paceBoot` + (t − `paceRecord`) / speed.
    private var paceBoot: Int64 = 0
    private var paceRecord: Int64 = 0
    /// Boot time of record time t as delivered: t + `offset`.
    private var offset: Int64 = 0
    private var lastDelivered: Int64 = .min

    /// Bounds one round, so that a fast replay leaves the bus its turn.
    private static let recordsPerRound = 256
    /// Records due within this many µs are delivered together.
    private static let togetherMicroseconds: Int64 = 500
    /// Gap in µs between the last record of a loop and the first of the next one.
    private static let loopGapMicroseconds: Int64 = 20_000
    /// A loop takes so many µs at least: a recording whose records are all of one moment would be played without a pause.
    private static let shortestLoopMicroseconds: Int64 = 100_000

    /// Looks at the first records to learn which sensors there are. Throws what the reader throws, and
    /// `UsageError` if there is neither a magnetometer nor a heading in them.
    public init(reader: any RecordReader, options: Options, loop: EventLoop) throws {
        self.reader = reader
        self.options = options
        let survey = try RecordSurvey(reader)
        try reader.rewind()
        sensors = RecordSensorSource(survey: survey, options: options)
        places = RecordPlaceSource(options: options)
        timer = loop.makeTimer { [weak self] in self?.play() }
        placeTimer = loop.makeTimer { [weak self] in self?.tellKnownPlace() }
        sensors.player = self
        places.player = self
    }

    /// Starts or pauses, as the outlets want.
    func demandChanged() {
        let wanted = sensors.isStarted || places.isStarted
        guard wanted != isRunning else { return }
        isRunning = wanted
        guard wanted else {
            timer?.disarm()
            // What was read ahead stays for the time when somebody listens again.
            return
        }
        if hasEnded { guard startOver() else { return } }
        do {
            if next == nil { next = try reader.next() }
        } catch {
            return end("\(options.name): \(error)")
        }
        guard let next else { return end("\(options.name) holds no records") }
        anchor(at: next.microseconds)
        if isFresh { isFresh = false } else { sensors.restarted() }
        timer?.arm(atBootMicroseconds: paceBoot)
    }

    /// The places' outlet was started: what was told while nobody wanted it still holds, as a receiver that is switched on knows
    /// where it is.
    func placesStarted() {
        if knownPlace != nil, !hasEnded { placeTimer?.arm(afterMicroseconds: 0) }
    }

    // MARK: - Private

    private func tellKnownPlace() {
        guard isRunning, let knownPlace else { return }
        tell(knownPlace)
    }

    private func tell(_ fix: Fix) {
        var fix = fix
        fix.bootMicroseconds = Clock.bootMicroseconds()
        fix.realMicroseconds = Clock.realMicroseconds()
        fix.flags.insert(.simulated)
        fix.source = options.kind
        places.deliver(fix)
    }

    private func anchor(at microseconds: Int64) {
        paceBoot = Clock.bootMicroseconds()
        paceRecord = microseconds
        // Never before what was delivered: at high speed the delivered times have run ahead of the clock.
        let earliest = max(paceBoot, lastDelivered == .min ? .min : lastDelivered + Self.loopGapMicroseconds)
        offset = earliest - microseconds
    }

    private func play() {
        let now = Clock.bootMicroseconds()
        for _ in 0..<Self.recordsPerRound {
            guard isRunning, let record = next else { return }
            let due = dueTime(of: record)
            guard due <= now + Self.togetherMicroseconds else {
                timer?.arm(atBootMicroseconds: due)
                return
            }
            deliver(record)
            do {
                next = try reader.next()
                if next == nil, options.loops, startOver(), let first = next {
                    let earliest = paceBoot + Self.shortestLoopMicroseconds
                    anchor(at: first.microseconds)
                    paceBoot = max(paceBoot, earliest)
                    sensors.restarted()
                }
            } catch {
                return end("\(options.name): \(error)")
            }
            if next == nil { return end("\(options.name) has ended") }
        }
        timer?.arm(atBootMicroseconds: now)
    }

    private func dueTime(of record: Record) -> Int64 {
        paceBoot + Int64(Double(record.microseconds - paceRecord) / options.speed)
    }

    private func deliver(_ record: Record) {
        let boot = record.microseconds + offset
        lastDelivered = max(lastDelivered, boot)
        switch record.content {
        case .sample(var sample):
            sample.bootMicroseconds = boot
            sensors.deliver(sample)
        case .fix(let fix):
            knownPlace = fix
            placeTimer?.disarm()
            tell(fix)
        case .noFix:
            knownPlace = nil
            places.deliverNoFix()
        case .event(.unplug(let kind)): sensors.unplug(kind)
        case .event(.plug(let kind)): sensors.plug(kind)
        case .event(.resume): sensors.restarted()
        case .event, .time, .truth, .peer, .mark: break
        }
    }

    /// True if there is a first record again.
    private func startOver() -> Bool {
        hasEnded = false
        do {
            try reader.rewind()
            next = try reader.next()
            return next != nil
        } catch {
            end("\(options.name): \(error)")
            return false
        }
    }

    private func end(_ reason: String) {
        timer?.disarm()
        knownPlace = nil
        next = nil
        hasEnded = true
        sensors.ended(reason)
        places.ended()
    }
}
