internal import EventLoop
internal import Geomagnetism
internal import HeadingEstimation
internal import LocateMeModel
internal import MagnetometerCalibration
internal import RecordingFiles
internal import SensorRecordings

/// `headingctl estimate`.
enum EstimateCommand {
    private static let file = Operand(
        ValueType<String>.file(endings: ["lmrec", "gz"]), help: "recording, plain or gzip; - for standard input")
    private static let rate = Option(
        "rate", ValueType<Double>.number("HZ", unit: "rows per second", in: 0.001...10_000),
        help: "at most so many rows a second; every sample is used all the same")
    private static let declination = Option(
        "declination", ValueType<Double>.number("DEG", unit: "degrees east", in: -180...180),
        help: "true heading = magnetic + DEG, in place of the model's declination at the recording's fix")
    private static let model = Option(
        "model", ValueType<String>.choice("MODEL", MagneticModel.builtInNames), isValueOptional: true,
        help: "declination and expected field from a magnetic model at the recording's fix and date (the default)")
    private static let calibration = Option(
        "calibration", ValueType<String>.file(),
        help: "use the magnetometer calibration of a state file, and nothing else of it")
    private static let stateIn = Option(
        "state-in", ValueType<String>.file("STATE"),
        help: "start with what was learned before: calibration, gyroscope bias, latency")
    private static let stateOut = Option(
        "state-out", ValueType<String>.file("STATE"), help: "at the end save what a daemon would keep")
    private static let noGyro = Flag("no-gyro", help: "ignore the gyroscope")
    private static let noAccel = Flag("no-accel", help: "ignore the accelerometer")
    private static let prompts = Flag(
        "prompts", help: "tell on standard error when a service would ask for a calibration")
    private static let strict = Flag(
        "strict", help: "stop at the first defective line, instead of skipping and counting them")

    static let command = Command(
        spec: CommandSpec(
            name: "estimate", summary: "headings of a whole recording as CSV",
            description: [
                "Runs the daemon's estimator over a recording as fast as the machine allows and prints one row for each "
                    + "magnetometer sample: \(EstimateRow.columns.joined(separator: ", ")).",
                "magnetic, true and accuracy are in degrees, -1 while invalid; true is empty while no place is known. "
                    + "accuracy is the bound that the error of magnetic keeps with 95 % probability. calibration is 0 unknown, 1 "
                    + "uncalibrated, 2 coarse, 3 good, 4 very good. The quaternion turns the device frame (x right edge, y "
                    + "top edge, z out of the screen) into the earth frame (x east, y magnetic north, z up). truth and peer "
                    + "lines of the recording are not read.",
            ],
            operands: [file.spec],
            options: [
                rate.spec, declination.spec, model.spec, MagneticModelChoice.file.spec, calibration.spec, stateIn.spec,
                stateOut.spec, noGyro.spec, noAccel.spec, prompts.spec, strict.spec,
            ],
            examples: [
                .init(arguments: "estimate walk.lmrec.gz > walk.csv", text: "A recording to CSV:"),
                .init(
                    arguments: "estimate tumble.lmrec --state-out phone.state > tumble.csv",
                    text: "Learn a calibration:"),
                .init(arguments: "estimate walk.lmrec --state-in phone.state --rate 5 --json", text: "Start with it:"),
            ])
    ) { arguments, context throws(CommandError) in
        let reader = try open(arguments)
        var run = RecordingEstimation(
            header: reader.header, stored: try stored(arguments),
            options: .init(
                declination: arguments[declination], ignoresGyroscope: arguments[noGyro],
                ignoresAccelerometer: arguments[noAccel]),
            model: try chosenModel(arguments), fallbackYear: currentYear())
        let isJSON = arguments[CommonOptions.json]
        if !isJSON { context.output.writeLine(EstimateRow.columns.joined(separator: ",")) }
        var thinning = RowThinning(rateHertz: arguments[rate])
        var failure: RecordingFileError?
        var count = 0
        reading: while context.output.failure == nil {
            do throws(RecordingFileError) {
                guard let record = try reader.next() else { break reading }
                guard let result = run.update(record) else { continue }
                count += 1
                guard thinning.keeps(record.microseconds) else { continue }
                if isJSON {
                    context.output.writeLine(EstimateRow.json(result).text)
                } else {
                    context.output.append { EstimateRow.appendCSV(result, to: &$0) }
                }
            } catch {
                failure = error
                break
            }
        }
        context.output.flush()
        report(reader, run, count, wantsModel: arguments.has(model), context)
        if arguments[prompts] { report(run.advices, context) }
        if let failure {
            throw CommandError(
                .failure, failure.description,
                remedy: failure.code == .defect ? "Without --strict such lines are skipped and counted." : "")
        }
        if let path = arguments[stateOut] { try save(run, reader.header, to: path) }
    }

    private static func open(_ arguments: Arguments) throws(CommandError) -> RecordingFileReader {
        do throws(RecordingFileError) {
            return try RecordingFileReader(
                path: arguments[file, at: 0] ?? "-", mode: arguments[strict] ? .strict : .lenient)
        } catch {
            throw CommandError(.failure, error.description)
        }
    }

    private static func stored(_ arguments: Arguments) throws(CommandError) -> StoredHeadingState? {
        var state: StoredHeadingState?
        if let path = arguments[stateIn] { state = try StateFile.read(path) }
        if let path = arguments[calibration] {
            guard let magnetometer = try StateFile.read(path).magnetometer else {
                throw CommandError(
                    .failure, "'\(path)' holds no magnetometer calibration",
                    remedy: "Record while turning the device in all directions, then use --state-out.")
            }
            if state == nil { state = StoredHeadingState() }
            state?.magnetometer = magnetometer
        }
        return state
    }

    private static func chosenModel(_ arguments: Arguments) throws(CommandError) -> MagneticModel? {
        guard arguments[model] != nil || arguments.has(MagneticModelChoice.file) else { return nil }
        return try MagneticModelChoice.chosen(arguments)
    }

    /// The present date, for recordings that do not know theirs; 2026 if the clock is absurd.
    private static func currentYear() -> Double {
        (try? DecimalYear(realMicroseconds: Clock.realMicroseconds()).value) ?? 2026
    }

    private static func report(
        _ reader: RecordingFileReader, _ run: RecordingEstimation, _ count: Int, wantsModel: Bool,
        _ context: CommandContext
    ) {
        let defects = reader.defects
        if defects.count > 0 {
            for defect in defects.first.prefix(10) { context.warn("\(reader.displayName): \(defect), skipped") }
            context.warn(
                "\(reader.displayName): \(defects.count) defective \(defects.count == 1 ? "line" : "lines") skipped")
        }
        if run.estimator.implausibleSamples > 0 {
            context.warn("\(reader.displayName): \(run.estimator.implausibleSamples) absurd samples ignored")
        }
        if count == 0 { context.warn("\(reader.displayName): no magnetometer sample, so there is no heading") }
        if wantsModel, run.fix == nil {
            context.warn("\(reader.displayName): no fix, so the model gives no declination")
        }
        if run.usedFallbackYear {
            context.warn(
                "\(reader.displayName): the recording does not say a plausible date; the model was asked for today")
        }
    }

    private static func report(
        _ advices: [(microseconds: Int64, advice: CalibrationAdvisor.Advice)], _ context: CommandContext
    ) {
        if advices.isEmpty { context.warn("a service would not ask for a calibration") }
        for (microseconds, advice) in advices {
            let time = DecimalText.fixed(Double(microseconds) * 1e-6, decimals: 1)
            switch advice {
            case .none: break
            case .ask(let reason):
                context.warn("at \(time) s a service would ask for a calibration: \(reason.rawValue)")
            case .settled: context.warn("at \(time) s the question would be settled")
            }
        }
    }

    private static func save(_ run: RecordingEstimation, _ header: RecordingHeader, to path: String)
        throws(CommandError)
    {
        var state = run.estimator.storedState
        state.createdRealMicroseconds = run.realMicroseconds ?? 0
        if let fix = run.fix {
            state.latitude = fix.latitude
            state.longitude = fix.longitude
        }
        try StateFile.write(state, device: header.device ?? "", to: path)
    }
}
