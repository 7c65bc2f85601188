internal import EventLoop
internal import IIOSensors
internal import LocateMe
internal import LocateMeModel
internal import RecordingFiles
internal import SensorRecordings

/// `headingctl doctor`.
enum DoctorCommand {
    private static let local = Flag("local", help: "look at the devices directly, even if locatemed runs")
    private static let span = Option(
        "for", ValueType<Int64>.duration, help: "how long to watch the sensors, default 10s")
    private static let from = Option(
        "from", ValueType<String>.file(endings: ["lmrec", "gz"]), help: "examine a recording instead of devices")

    static let command = Command(
        spec: CommandSpec(
            name: "doctor", summary: "find out what is wrong with the compass, and what to do",
            description: [
                "Watches the sensors for a while and says what is wrong with them and what to do: axes that do not fit (a wrong "
                    + "mount matrix of magnetometer or accelerometer), scales off by powers of ten, a magnet nearby, a rate that "
                    + "is too low, a busy device, a missing permission, a stale calibration, sensors that answer but do not "
                    + "measure, odd times. Turn the device slowly through all directions meanwhile: axes show only in turns.",
                "Asks locatemed if it runs, else (or with --local or --iio-uri) watches the sensors itself. The exit status is 0 "
                    + "if nothing is wrong and 1 if something is; what is merely worth knowing (info) does not count. With --json "
                    + "one object per finding: code, severity, sensor, text, remedy.",
            ],
            operands: [],
            options: [span.spec, from.spec, local.spec, LocalSensors.uri.spec, PlaceField.place.spec],
            examples: [
                .init(arguments: "doctor", text: "Turn the device for ten seconds:"),
                .init(arguments: "doctor --from walk.lmrec.gz --json", text: "What was wrong when this was recorded:"),
                .init(arguments: "doctor --iio-uri ip:phone.lan --for 30s", text: "A phone that runs iiod:"),
            ])
    ) { arguments, context throws(CommandError) in
        let report = try examine(arguments, context)
        let isJSON = arguments[CommonOptions.json]
        let columns = context.output.isTerminal ? max(40, context.terminalSize.columns) : .max
        for finding in report.findings {
            if isJSON {
                context.output.writeLine(SensorReport.json(finding).text)
            } else {
                for line in SensorReport.lines(finding).flatMap({ $0.wrapped(to: columns, indent: 2) }) {
                    context.output.writeLine(context.palette.encode(line))
                }
            }
        }
        let wrong = report.findings.count { $0.severity != .info }
        if !isJSON {
            if wrong == 0 { context.output.writeLine("Nothing wrong was found (\(report.origin)).") }
            if report.hasJudgedAxes == false {
                context.output.writeLine(
                    "The axes were not tested: too few attitudes. Turn the device through all directions meanwhile.")
            }
        }
        context.output.flush()
        guard wrong > 0 else { return }
        throw CommandError(
            .failure, "\(wrong) \(wrong == 1 ? "thing is" : "things are") wrong with the compass (\(report.origin))")
    }

    /// What was found and where.
    private struct Report {
        var findings: [Finding]
        var origin: String
        /// Nil: only the service knows.
        var hasJudgedAxes: Bool?
    }

    private static func examine(_ arguments: Arguments, _ context: CommandContext) throws(CommandError) -> Report {
        if let path = arguments[from] { return try examine(recording: path, arguments, context) }
        if !arguments[local], !arguments.has(LocalSensors.uri), let report = try askService(arguments, context) {
            return report
        }
        return try watchDevices(arguments, context)
    }

    private static func hint(_ seconds: Int64, _ arguments: Arguments, _ context: CommandContext) {
        guard context.errors.isTerminal, !arguments[CommonOptions.json] else { return }
        context.errors.writeLine(
            "Watching for \(TimeText.span(seconds: Double(seconds) * 1e-6)). Turn the device slowly through all directions."
        )
        context.errors.flush()
    }

    /// Nil if the service does not run; it is not started for this.
    private static func askService(
        _ arguments: Arguments, _ context: CommandContext
    ) throws(CommandError) -> Report? {
        guard let service = try ServiceConnection.running(arguments, context) else { return nil }
        let limit = arguments[span] ?? 10_000_000
        hint(limit, arguments, context)
        let manager = LocationManager(client: service.client, reason: "headingctl doctor")
        manager.headingFilter = 5
        manager.showsCalibration = false
        manager.startUpdatingHeading()
        defer { manager.close() }
        service.after(microseconds: limit) { service.finish() }
        try service.run()
        if service.endSignal != nil { throw CommandError(.failure, "interrupted") }
        return Report(
            findings: try service.ask { service.client.diagnose(reply: $0) },
            origin: "locatemed on \(arguments.bus.phrase)")
    }

    private static func watchDevices(_ arguments: Arguments, _ context: CommandContext) throws(CommandError) -> Report {
        let sensors = try LocalSensors(arguments, context)
        try sensors.discover()
        let origin = sensors.uris.joined(separator: ", ")
        guard sensors.source.sensors.contains(where: \.selected) else {
            return Report(findings: sensors.source.diagnose(), origin: origin)
        }
        let rate = 50.0
        let limit = arguments[span] ?? 10_000_000
        hint(limit, arguments, context)
        var examination = CompassExamination(sensors: sensors.source.sensors, wantedHertz: rate)
        if let place = arguments[PlaceField.place] {
            examination.use(
                PlaceField.field(
                    latitude: place.latitude, longitude: place.longitude, realMicroseconds: Clock.realMicroseconds()))
        }
        sensors.onSample = { examination.update($0, arrival: Clock.bootMicroseconds()) }
        let timer = sensors.loop.makeTimer { [loop = sensors.loop] in loop.stop() }
        timer.arm(afterMicroseconds: limit)
        sensors.source.start(rateHertz: rate)
        try sensors.run()
        timer.disarm()
        var findings = sensors.source.diagnose()
        let known = Set(findings.map(\.code))
        findings += examination.findings.filter { !known.contains($0.code) }
        sensors.source.stop()
        if !sensors.source.waitUntilOff(milliseconds: 2000) {
            context.warn("a sensor did not let go in time; its settings stay changed")
        }
        if sensors.isInterrupted { throw CommandError(.failure, "interrupted") }
        return Report(findings: findings, origin: origin, hasJudgedAxes: examination.hasJudgedAxes)
    }

    private static func examine(
        recording path: String, _ arguments: Arguments, _ context: CommandContext
    ) throws(CommandError) -> Report {
        var examination: CompassExamination
        let reader: RecordingFileReader
        do throws(RecordingFileError) {
            reader = try RecordingFileReader(path: path, mode: .lenient)
            examination = CompassExamination(
                sensors: RecordedSensors.descriptions(reader.header), wantedHertz: 0,
                fieldIsCalibrated: reader.header.isMagneticFieldCalibrated)
            let start = reader.header.startRealMicroseconds ?? Clock.realMicroseconds()
            var hasPlace = false
            if let place = arguments[PlaceField.place] {
                hasPlace = true
                examination.use(
                    PlaceField.field(latitude: place.latitude, longitude: place.longitude, realMicroseconds: start))
            }
            while let record = try reader.next() {
                if let sample = record.sample { examination.update(sample, arrival: record.microseconds) }
                if case .fix(let fix) = record.content, !hasPlace, fix.horizontalAccuracy >= 0 {
                    hasPlace = true
                    examination.use(
                        PlaceField.field(latitude: fix.latitude, longitude: fix.longitude, realMicroseconds: start))
                }
            }
        } catch {
            throw CommandError(.failure, error.description)
        }
        if reader.defects.count > 0 {
            context.warn("\(reader.displayName): \(reader.defects.count) defective lines skipped")
        }
        guard examination.samples > 0 else { throw CommandError(.noData, "\(reader.displayName) holds no samples") }
        return Report(
            findings: examination.findings, origin: reader.displayName, hasJudgedAxes: examination.hasJudgedAxes)
    }
}
