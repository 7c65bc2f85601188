internal import EventLoop
internal import Geomagnetism
internal import Geometry
internal import LocateMe
internal import LocateMeModel
internal import MagnetometerCalibration
internal import RecordingFiles
internal import SensorRecordings

/// `headingctl calibrate`.
enum CalibrateCommand {
    static let from = Option(
        "from", ValueType<String>.file(endings: ["lmrec", "gz"]),
        help: "fit the magnetometer of a whole recording, without a daemon")
    private static let method = Option(
        "method", ValueType<String>.choice("METHOD", ["ellipsoid", "sphere", "planar"]),
        help: "with --from: what to fit; by default what the samples allow")
    static let report = Option(
        "report", ValueType<String>.file("FILE", endings: ["svg"]),
        help: "draw the samples before and after, the covered directions and the residuals")
    private static let flat = Flag(
        "flat", help: "one turn on the level, for boats, vehicles and robots: finds the hard iron in that plane only")
    private static let wait = Option(
        "wait", ValueType<Int64>.duration, help: "give up after TIME; default 2 minutes, at most an hour")
    private static let stateOut = Option(
        "state-out", ValueType<String>.file("STATE"), help: "with --from: save a usable calibration for --state-in")

    static let command = Command(
        spec: CommandSpec(
            name: "calibrate", summary: "calibrate the magnetometer",
            description: [
                "Without --from, guides through a calibration of this machine's compass by locatemed: shows which directions are "
                    + "covered and what to do next, and puts a good result in force and stores it. A result that is not good is "
                    + "refused with the reason.",
                "With --from, fits hard iron (µT), soft iron (3×3) and field strength to the magnetometer samples of a recording "
                    + "in which the device was turned through all directions (planar: once around on the level), and says "
                    + "whether the result can be used. Exit status 1 if it cannot.",
            ],
            operands: [], options: [flat.spec, wait.spec, from.spec, method.spec, report.spec, stateOut.spec],
            examples: [
                .init(arguments: "calibrate", text: "Guided, on this machine:"),
                .init(arguments: "calibrate --report compass.svg", text: "The same with a picture of the result:"),
                .init(arguments: "calibrate --flat --wait 5m", text: "A boat turning once around:"),
                .init(arguments: "calibrate --from tumble.lmrec.gz", text: "Fit a recording:"),
                .init(
                    arguments: "calibrate --from tumble.lmrec.gz --report tumble.svg --json",
                    text: "The same with a picture, for scripts:"),
                .init(
                    arguments: "calibrate --from turn.lmrec --method planar", text: "A boat's turn on the level:"),
            ])
    ) { arguments, context throws(CommandError) in
        guard let path = arguments[from] else { return try guide(arguments, context) }
        try fit(path, arguments, context)
    }

    private static func guide(_ arguments: Arguments, _ context: CommandContext) throws(CommandError) {
        if arguments[stateOut] != nil || arguments[method] != nil {
            throw CommandError(
                .usage, "--state-out and --method need a recording",
                remedy: "Use 'headingctl record FILE' while turning, then 'headingctl calibrate --from FILE'.")
        }
        let limit = min(max((arguments[wait] ?? 120_000_000) / 1000, 1000), 3_600_000)
        let service = try ServiceConnection(arguments, context)
        let isJSON = arguments[CommonOptions.json]
        let run = GuidedCalibrationRun(service, context, isFlat: arguments[flat], isJSON: isJSON)
        try run.run(timeoutMilliseconds: UInt32(limit))
        let result = try service.ask { service.client.calibration(reply: $0) }
        if let file = arguments[report] {
            try draw(result, cloud: run.cloud, isFlat: arguments[flat], to: file)
        }
        let hard = result.hardIron.map { [$0.x, $0.y, $0.z] } ?? []
        if isJSON {
            context.output.writeLine(
                JSONValue.object([
                    ("applied", .bool(true)), ("hard_iron", .array(hard.map { .number($0, decimals: 3) })),
                    ("residual", .number(result.residualMicrotesla, decimals: 3)),
                    ("coverage", .number(result.coverage, decimals: 3)),
                    ("heading_error", .number(result.headingErrorDegrees, decimals: 2)),
                ]).text)
        } else {
            let words = hard.map { DecimalText.fixed($0, decimals: 1) }.joined(separator: ", ")
            context.output.writeLine("Calibrated and stored: hard iron \(words) µT.")
        }
    }

    /// Draws what the service has put in force.
    private static func draw(
        _ result: CalibrationInformation, cloud: [Vector3], isFlat: Bool, to file: String
    ) throws(CommandError) {
        guard let hardIron = result.hardIron, let softIron = result.softIron, !cloud.isEmpty else {
            throw CommandError(
                .failure, "the calibration is in force and stored, but this service does not tell the samples to draw")
        }
        var stored = StoredHeadingState.Magnetometer(
            softIron: softIron, hardIron: hardIron, hardIronSigma: result.hardIronSigma)
        stored.fieldMicrotesla = result.fieldMicrotesla
        stored.residualMicrotesla = result.residualMicrotesla
        stored.coverage = result.coverage
        stored.samples = Int(result.samples)
        let model: CalibrationFit.Model = isFlat ? .planar : softIron == .identity ? .sphere : .ellipsoid
        guard let fit = CalibrationFit(stored, model: model) else {
            throw CommandError(.failure, "the service told a soft iron matrix that has no inverse")
        }
        var outcome = RecordingCalibration.Outcome(fit: fit, rejection: nil, points: cloud, earthField: nil)
        outcome.toldHeadingError = result.headingErrorDegrees.isFinite ? result.headingErrorDegrees : nil
        try WholeFile.replace(
            file, with: CalibrationReport(outcome: outcome, title: "Magnetometer of this machine").svg)
    }

    private static func fit(_ path: String, _ arguments: Arguments, _ context: CommandContext) throws(CommandError) {
        let chosen =
            arguments[method].flatMap(RecordingCalibration.Method.init) ?? (arguments[flat] ? .planar : .automatic)
        guard !arguments[flat] || chosen == .planar else {
            throw CommandError(.usage, "--flat and --method \(arguments[method] ?? "") exclude each other")
        }
        let reader: RecordingFileReader
        var run: RecordingCalibration
        do throws(RecordingFileError) {
            reader = try RecordingFileReader(path: path, mode: .lenient)
            let year = (try? DecimalYear(realMicroseconds: Clock.realMicroseconds()).value) ?? 2026
            run = RecordingCalibration(header: reader.header, method: chosen, model: nil, fallbackYear: year)
            while let record = try reader.next() { run.update(record) }
        } catch {
            throw CommandError(.failure, error.description)
        }
        if reader.defects.count > 0 {
            context.warn("\(reader.displayName): \(reader.defects.count) defective lines skipped")
        }
        if run.isCalibratedAlready {
            context.warn("\(reader.displayName): its field is marked calibrated; this fits what is left")
        }
        let outcome: RecordingCalibration.Outcome
        do throws(CalibrationRejection) {
            outcome = try run.outcome()
        } catch {
            throw CommandError(
                .failure,
                run.samples == 0
                    ? "\(reader.displayName) holds no magnetometer samples"
                    : "\(reader.displayName) cannot be fitted: \(error.sentence)")
        }
        if let file = arguments[report] {
            let title = "Magnetometer of \(reader.header.device ?? reader.displayName)"
            try WholeFile.replace(file, with: CalibrationReport(outcome: outcome, title: title).svg)
        }
        print(outcome, isJSON: arguments[CommonOptions.json], context)
        context.output.flush()
        if let rejection = outcome.rejection {
            throw CommandError(.failure, "this calibration should not be used: \(rejection.sentence)")
        }
        if let file = arguments[stateOut] {
            var state = StoredHeadingState()
            state.magnetometer = outcome.fit.stored
            state.source = "guided"
            try StateFile.write(state, device: reader.header.device ?? "", to: file)
        }
    }

    private static func print(_ outcome: RecordingCalibration.Outcome, isJSON: Bool, _ context: CommandContext) {
        let fit = outcome.fit
        let hard = fit.hardIron
        if isJSON {
            let values: [(String, JSONValue)] = [
                ("method", .string(fit.model.rawValue)), ("usable", .bool(outcome.rejection == nil)),
                ("reason", outcome.rejection.map { .string($0.rawValue) } ?? .null),
                ("hard_iron", .array([hard.x, hard.y, hard.z].map { .number($0, decimals: 3) })),
                ("hard_iron_sigma", .number(fit.hardIronSigma, decimals: 3)),
                ("soft_iron", .array(fit.softIron.rowMajor.map { .number($0, decimals: 6) })),
                ("field", .number(fit.field, decimals: 3)),
                ("expected_field", outcome.earthField.map { .number($0.total, decimals: 3) } ?? .null),
                ("residual", .number(fit.residual, decimals: 3)), ("coverage", .number(fit.coverage, decimals: 3)),
                ("samples", .integer(Int64(fit.samples))),
                ("heading_error", outcome.headingError.map { .number($0, decimals: 2) } ?? .null),
            ]
            context.output.writeLine(JSONValue.object(values).text)
            return
        }
        func micro(_ value: Double) -> String { DecimalText.fixed(value, decimals: 2) + " µT" }
        var rows = [
            ("fit", "\(fit.model.rawValue), \(fit.samples) samples"),
            (
                "hard iron",
                [hard.x, hard.y, hard.z].map { DecimalText.fixed($0, decimals: 2) }.joined(separator: "  ") + " µT"
            ),
            ("", "each ± \(micro(2 * fit.hardIronSigma)) (95 %)"),
        ]
        for row in 0..<3 {
            let text = (0..<3).map { DecimalText.fixed(fit.softIron[row, $0], decimals: 5) }.joined(separator: "  ")
            rows.append((row == 0 ? "soft iron" : "", text))
        }
        let expected = outcome.earthField.map { ", the model says \(micro($0.total)) here" } ?? ""
        rows.append(("field", micro(fit.field) + expected))
        rows.append(("residual", micro(fit.residual)))
        rows.append(("coverage", DecimalText.fixed(fit.coverage * 100, decimals: 0) + " %"))
        if let error = outcome.headingError {
            rows.append(("heading error", "± \(DecimalText.fixed(error, decimals: 1))° (95 %) from the hard iron"))
        }
        for (name, value) in rows {
            context.output.writeLine(TextWidth.padded(name, to: 15) + value)
        }
    }
}
