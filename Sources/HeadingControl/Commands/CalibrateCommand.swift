internal import EventLoop
internal import Geomagnetism
internal import Geometry
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
    private static let stateOut = Option(
        "state-out", ValueType<String>.file("STATE"), help: "with --from: save a usable calibration for --state-in")

    static let command = Command(
        spec: CommandSpec(
            name: "calibrate", summary: "calibrate the magnetometer",
            description: [
                "With --from, fits hard iron (µT), soft iron (3×3) and field strength to the magnetometer samples of a recording "
                    + "in which the device was turned through all directions (planar: once around on the level), and says "
                    + "whether the result can be used. Exit status 1 if it cannot."
            ],
            operands: [], options: [from.spec, method.spec, report.spec, stateOut.spec],
            examples: [
                .init(arguments: "calibrate --from tumble.lmrec.gz", text: "Fit a recording:"),
                .init(
                    arguments: "calibrate --from tumble.lmrec.gz --report tumble.svg --json",
                    text: "The same with a picture, for scripts:"),
                .init(
                    arguments: "calibrate --from turn.lmrec --method planar", text: "A boat's turn on the level:"),
            ])
    ) { arguments, context throws(CommandError) in
        guard let path = arguments[from] else {
            throw CommandError(
                .usage, "say which recording to fit", remedy: "Use 'headingctl calibrate --from FILE'.")
        }
        try fit(path, arguments, context)
    }

    private static func fit(_ path: String, _ arguments: Arguments, _ context: CommandContext) throws(CommandError) {
        let chosen = arguments[method].flatMap(RecordingCalibration.Method.init) ?? .automatic
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
