import LocateMeModel
import LocationEngine

@testable import NMEASentences

/// A receiver's log on its way through assembler, pipeline, arbiter and sessions under a clock that the log drives: what
/// each session is told, one line a signal of `Location1`, in the order of telling.
///
/// The order and the conditions are those of the service's own `LocationService` and `LocationClient`. A sentence with a new
/// time of day comes as much later than the one before as its time says, one of the same moment 10 ms later.
struct SignalTrace {
    private struct Session {
        let name: String
        let settings: LocationSettings
        var stream = LocationStream()
        /// As `Location1.Mode`.
        var mode = 1
    }

    private var lines: [String] = []
    private var assembler = NMEAEpochAssembler()
    private var pipeline = SourcePipeline(parameters: .init(earliestClock: 1_420_070_400_000_000))
    private var arbiter = PlaceArbiter(sources: 1)
    private var stillness = StationaryDetector()
    private var sessions: [Session] = []
    private var hasPlace = false
    private var boot: Int64 = 1_000_000_000
    private let realAtBoot: Int64
    private var time: TimeOfDay?

    /// The lines of a log. A first line `# clock 2026-06-12T09:00:00Z` sets the clock of the machine; without one it is right
    /// at the first fix that has a date.
    static func lines(of bytes: [UInt8]) -> [String] {
        var trace = SignalTrace(realAtFirst: clock(of: bytes))
        var decoder = NMEADecoder()
        for sentence in NMEA.sentences(bytes, &decoder) { trace.take(sentence) }
        trace.advance(to: trace.boot + 30_000_000)
        return trace.lines
    }

    private static func clock(of bytes: [UInt8]) -> Int64 {
        let head = String(decoding: bytes.prefix(40), as: UTF8.self)
        if head.hasPrefix("# clock "), let line = head.dropFirst(8).split(whereSeparator: \.isNewline).first {
            return UTCDate(iso8601: line)?.realMicroseconds ?? 0
        }
        return NMEA.fixes(bytes).map(\.realMicroseconds).first { $0 > 0 } ?? 1_781_254_800_000_000
    }

    private init(realAtFirst: Int64) {
        realAtBoot = realAtFirst - boot
        for (name, preset) in [("all", nil), ("walk", .walk), ("tracker", .tracker)] as [(String, LocationPreset?)] {
            var settings = LocationSettings()
            if let preset { settings.apply(preset) }
            sessions.append(Session(name: name, settings: settings))
        }
    }

    // MARK: - Time

    private mutating func take(_ sentence: NMEASentence) {
        let stated: TimeOfDay? =
            switch sentence {
            case .position(let position): position.time
            case .errors(let errors): errors.time
            case .date(let date): date.time
            default: nil
            }
        var now = boot + 10_000
        if let stated {
            if let time, time.distance(to: stated) > 50_000 { now = max(now, boot + time.distance(to: stated)) }
            time = stated
        }
        advance(to: now)
        assembler.take(sentence, bootMicroseconds: now)
        drain()
    }

    /// Goes on to a time, with all deadlines on the way in their order.
    private mutating func advance(to end: Int64) {
        while true {
            let epoch = assembler.deadline ?? .max
            let window = sessions.compactMap(\.stream.deadline).min() ?? .max
            let silence =
                hasPlace ? (arbiter.newest?.bootMicroseconds ?? 0) + PlaceArbiter.freshMicroseconds + 1000 : .max
            let next = min(epoch, window, silence)
            guard next <= end else { break }
            boot = max(boot, next)
            if next == epoch {
                assembler.expire(bootMicroseconds: boot)
                drain()
            } else if next == window {
                for index in sessions.indices where sessions[index].stream.deadline.map({ $0 <= boot }) ?? false {
                    let session = sessions[index]
                    if let fix = sessions[index].stream.expire(settings: session.settings) { tell(fix, index) }
                }
            } else {
                losePlace()
            }
        }
        boot = max(boot, end)
    }

    // MARK: - The service

    private mutating func drain() {
        while let report = assembler.next() {
            guard case .fix(let fix) = report else {
                arbiter.lose(0)
                losePlace()
                continue
            }
            let clock = ClockReading(
                realMicroseconds: realAtBoot + boot, bootMicroseconds: boot, isSynchronized: true)
            var through: [Fix] = []
            if let drop = pipeline.take(fix, at: clock, emit: { through.append($0) }) {
                lines.append("- dropped: \(drop.text)")
            }
            for fix in through { offer(fix) }
        }
    }

    private mutating func offer(_ fix: Fix) {
        guard let place = arbiter.take(fix, from: 0, now: boot) else { return }
        hasPlace = true
        _ = stillness.update(place)
        let held = stillness.held(place)
        for index in sessions.indices { deliver(held, stillness.isStationary, index) }
    }

    private mutating func losePlace() {
        guard hasPlace, arbiter.current(now: boot) == nil else { return }
        hasPlace = false
        for index in sessions.indices where sessions[index].mode == 1 || sessions[index].mode == 3 {
            change(index, 4, 2)
        }
    }

    // MARK: - A session

    private mutating func deliver(_ fix: Fix, _ isStationary: Bool, _ index: Int) {
        let settings = sessions[index].settings
        var isChange = false
        if sessions[index].mode == 4 {
            change(index, 1, 3)
            isChange = true
        }
        if isStationary, settings.pausesAutomatically {
            guard sessions[index].mode != 3 else { return }
            change(index, 3, 4)
            isChange = true
        } else if sessions[index].mode == 3 {
            change(index, 1, 5)
            isChange = true
        }
        var delivered: [Fix] = []
        _ = sessions[index].stream.take(fix, settings: settings, now: boot, isStateChange: isChange) {
            delivered.append($0)
        }
        for fix in delivered { tell(fix, index) }
    }

    private mutating func change(_ index: Int, _ mode: Int, _ reason: Int) {
        sessions[index].mode = mode
        lines.append("\(sessions[index].name) ModeChanged \(mode) \(reason)")
    }

    private mutating func tell(_ fix: Fix, _ index: Int) {
        func number(_ value: Double, _ scale: Double) -> String { "\((value * scale).rounded() / scale)" }
        lines.append(
            "\(sessions[index].name) LocationsUpdated \(fix.sequence) "
                + "\(UTCDate(realMicroseconds: fix.realMicroseconds).iso8601) \(fix.bootMicroseconds) "
                + "\(number(fix.latitude, 1e8)) \(number(fix.longitude, 1e8)) \(number(fix.horizontalAccuracy, 1e3)) "
                + "\(number(fix.altitude, 1e3)) \(number(fix.verticalAccuracy, 1e3)) \(number(fix.course, 1e3)) "
                + "\(number(fix.speed, 1e4)) \(fix.flags.rawValue) \(fix.source) \(fix.satellites)")
    }
}
