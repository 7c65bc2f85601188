internal import EventLoop
internal import Glibc
internal import IIOSensors
internal import LocateMeModel
internal import SensorRecordings

/// Writes what sensors deliver, marks from standard input, and places, in the order of time.
final class Recorder {
    /// What is wanted.
    struct Options {
        var path: String
        var overwrite: Bool
        var device: String
        var notes: [String]
        var rateHertz: Double
    }

    private let sensors: LocalSensors
    private let context: CommandContext
    private let options: Options
    private let startBoot = Clock.bootMicroseconds()
    private let startReal = Clock.realMicroseconds()
    private var output: RecordingOutput?
    private var sequencer = SampleSequencer(patienceMicroseconds: Recorder.patience)
    private var failure: CommandError?
    private var timers: [LoopTimer] = []
    private var counts: [String: Int] = [:]
    private var lastTime: Int64 = 0
    private var marks = MarkReader()
    private var input: Watch?

    /// A burst of a buffered sensor at a low rate may be this late.
    private static let patience: Int64 = 1_000_000
    /// Sensors that deliver nothing for so long never will.
    private static let silence: Int64 = 10_000_000

    init(_ sensors: LocalSensors, _ context: CommandContext, _ options: Options) {
        self.sensors = sensors
        self.context = context
        self.options = options
    }

    /// What was written.
    var summary: RecordingSummary {
        RecordingSummary(
            path: options.path, seconds: Double(lastTime) * 1e-6, counts: counts, dropped: sequencer.dropped)
    }

    /// Ends `run` after a time.
    func stop(afterMicroseconds limit: Int64) { timer(limit, every: 0) { [sensors] in sensors.loop.stop() } }

    /// Takes a place.
    func add(_ fix: Fix) {
        var fix = fix
        fix.bootMicroseconds -= startBoot
        add(Record(fix), kind: "fix")
    }

    /// Records until the time is over or a signal comes.
    func run() throws(CommandError) {
        sensors.onSample = { [weak self] in self?.add($0) }
        sensors.onLoss = { [weak self] reason in self?.context.warn(reason) }
        timer(200_000, every: 200_000) { [weak self] in self?.tick() }
        timer(Self.silence, every: 0) { [weak self] in self?.checkSilence() }
        // Marks come from a terminal or a pipe; a file is read at once, which is no moment.
        input = try? sensors.loop.watch(context.input, for: .readable) { [weak self] _ in self?.readMarks() }
        sensors.source.start(rateHertz: options.rateHertz)
        try sensors.run()
        end()
        if let failure { throw failure }
        if output == nil { throw Diagnosis.error(sensors.source.diagnose(), fallback: "the sensors delivered nothing") }
    }

    // MARK: - Private

    private func timer(_ delay: Int64, every interval: Int64, _ body: @escaping () -> Void) {
        let timer = sensors.loop.makeTimer(body)
        timer.arm(afterMicroseconds: delay, everyMicroseconds: interval)
        timers.append(timer)
    }

    private func add(_ sample: SensorSample) {
        var sample = sample
        sample.bootMicroseconds -= startBoot
        // From before the start: left over in a device's buffer.
        guard sample.bootMicroseconds >= 0 else { return }
        add(Record(sample), kind: RecordingSummary.kind(sample.reading))
    }

    private func add(_ record: Record, kind: String) {
        guard record.microseconds >= 0 else { return }
        sequencer.add(record)
        counts[kind, default: 0] += 1
    }

    private func tick() {
        write(sequencer.take(at: Clock.bootMicroseconds() - startBoot))
        attempt { () throws(CommandError) in try output?.flush() }
        if context.errors.isTerminal, output != nil {
            context.errors.write("\r\(TextWidth.cut(summary.progress, to: 78))\u{1B}[K")
            context.errors.flush()
        }
    }

    private func write(_ records: [Record]) {
        for record in records {
            attempt { () throws(CommandError) in
                if output == nil {
                    output = try RecordingOutput(options.path, header: header, overwrite: options.overwrite)
                }
                if try output?.append(record) == true { lastTime = record.microseconds }
            }
        }
    }

    /// Made at the first record, when the rate in force is known.
    private var header: RecordingHeader {
        var header = RecordingHeader()
        header.startRealMicroseconds = startReal
        header.device = options.device.isEmpty ? nil : options.device
        header.notes = options.notes
        for sensor in sensors.source.sensors where sensor.selected {
            var stream = RecordingHeader.Stream(kind: RecordingSummary.kind(sensor.kind), name: sensor.name)
            if sensor.kind == .magnetometer, sensors.source.rateHertz > 0 {
                let rate = DecimalText.trimmed(sensors.source.rateHertz, decimals: 3)
                stream.facts.append(.init(key: "rate", value: rate))
            }
            header.streams.append(stream)
        }
        return header
    }

    private func readMarks() {
        let time = Clock.bootMicroseconds() - startBoot
        guard let texts = marks.read(context.input) else {
            input?.cancel()
            input = nil
            return
        }
        for text in texts { add(Record(microseconds: time, content: .mark(text)), kind: "mark") }
    }

    private func checkSilence() {
        guard counts.isEmpty else { return }
        failure = Diagnosis.error(sensors.source.diagnose(), fallback: "the sensors deliver nothing")
        sensors.loop.stop()
    }

    private func end() {
        input?.cancel()
        for timer in timers { timer.disarm() }
        sensors.source.stop()
        write(sequencer.takeAll())
        attempt { () throws(CommandError) in try output?.finish() }
        if context.errors.isTerminal, output != nil { context.errors.write("\r\u{1B}[K") }
        if !sensors.source.waitUntilOff(milliseconds: 2000) {
            context.warn("a sensor did not let go in time; its settings stay changed")
        }
    }

    private func attempt(_ body: () throws(CommandError) -> Void) {
        guard failure == nil else { return }
        do throws(CommandError) {
            try body()
        } catch {
            failure = error
            sensors.loop.stop()
        }
    }
}
