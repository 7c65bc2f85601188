internal import CompassDiagnosis
internal import EventLoop
internal import IIOSensors
internal import LocateMeModel
internal import RecordingFiles
internal import SensorRecordings

/// `headingctl mount`.
enum MountCommand {
    private static let from = Option(
        "from", ValueType<String>.file(endings: ["lmrec", "gz"]), help: "use a recording instead of devices")
    private static let wait = Option(
        "wait", ValueType<Int64>.duration, help: "how long to wait for poses and turn, default 3m")
    private static let rate = 50.0

    static let command = Command(
        spec: CommandSpec(
            name: "mount", summary: "find how the chips are mounted, and print the lines for udev",
            description: [
                "Finds the mount matrices of magnetometer and accelerometer: which of the 24 ways (or their mirror images) the "
                    + "chips lie in the device, and by how little they are askew. Asks for three poses, each taken by itself when "
                    + "the device is held still, and for a turn through all directions. Then says which matrix is wrong, that of "
                    + "the magnetometer or that of the accelerometer, and prints the lines for udev's hardware database.",
                "With --from the same from a recording, made with 'headingctl record' and the marks flat, upright and right in the "
                    + "three poses, then a turn. Without the marks the accelerometer is taken for right.",
                "With --place (or a place in the recording) the dip of the field tells turned axes from mirrored ones; without it "
                    + "axes are taken for right-handed. End the programs that want headings first: they hold the devices.",
            ],
            operands: [], options: [from.spec, PlaceField.place.spec, wait.spec, LocalSensors.uri.spec],
            examples: [
                .init(arguments: "mount --place 47.38,8.54", text: "Guided, in Zürich:"),
                .init(arguments: "mount --from poses.lmrec --json", text: "From a recording:"),
            ])
    ) { arguments, context throws(CommandError) in
        let report: MountReport
        if let path = arguments[from] {
            report = try read(path, arguments, context)
        } else {
            report = try guide(arguments, context)
        }
        if arguments[CommonOptions.json] {
            context.output.writeLine(report.json.text)
        } else {
            for line in report.lines { context.output.writeLine(line) }
        }
    }

    private static func inclination(_ arguments: Arguments, fix: Fix?, start: Int64?) -> Double {
        let time = start ?? Clock.realMicroseconds()
        if let place = arguments[PlaceField.place] {
            return PlaceField.inclination(
                PlaceField.field(latitude: place.latitude, longitude: place.longitude, realMicroseconds: time))
        }
        guard let fix else { return .nan }
        return PlaceField.inclination(
            PlaceField.field(latitude: fix.latitude, longitude: fix.longitude, realMicroseconds: time))
    }

    private static func error(_ failure: MountFinder.Failure) -> CommandError {
        switch failure {
        case .posesUnclear:
            CommandError(
                .failure, "the three poses are not at right angles to each other",
                remedy:
                    "Lay the device flat on its back, then stand it on its bottom edge, then on its left edge, and try again."
            )
        case .turnUnclear:
            CommandError(
                .failure, "the turn does not tell how the magnetometer is mounted",
                remedy:
                    "Turn the device slowly through all directions, upside down too, away from metal and magnets; then try again."
            )
        }
    }

    // MARK: - From a recording

    private static func read(
        _ path: String, _ arguments: Arguments, _ context: CommandContext
    ) throws(CommandError) -> MountReport {
        var mount = RecordedMount()
        let reader: RecordingFileReader
        do throws(RecordingFileError) {
            reader = try RecordingFileReader(path: path, mode: .lenient)
            while let record = try reader.next() { mount.update(record) }
        } catch {
            throw CommandError(.failure, error.description)
        }
        guard mount.count > 0 else {
            throw CommandError(
                .noData, "\(reader.displayName) holds no moment with both magnetometer and accelerometer")
        }
        if !mount.hasPoses {
            context.warn(
                "\(reader.displayName) has no marks flat, upright and right: the accelerometer is taken for right")
        }
        let sensors = RecordedSensors.descriptions(reader.header)
        do throws(MountFinder.Failure) {
            let result = try mount.result(
                inclination: inclination(arguments, fix: mount.fix, start: reader.header.startRealMicroseconds))
            return MountReport(result: result, magnetometer: sensors[0], accelerometer: sensors[1], machine: "*")
        } catch {
            throw Self.error(error)
        }
    }

    // MARK: - Guided

    private static func guide(_ arguments: Arguments, _ context: CommandContext) throws(CommandError) -> MountReport {
        let sensors = try LocalSensors(arguments, context)
        try sensors.discover()
        guard let magnetometer = sensors.source.sensors.first(where: { $0.selected && $0.kind == .magnetometer }),
            let accelerometer = sensors.source.sensors.first(where: { $0.selected && $0.kind == .accelerometer })
        else {
            throw Diagnosis.error(
                sensors.source.diagnose(), fallback: "a magnetometer and an accelerometer are needed")
        }
        var guide = MountGuide(
            inclination: inclination(arguments, fix: nil, start: nil), presentMagnetometer: magnetometer.mountMatrix)
        let terminal = Terminal(input: context.input, output: context.errors, palette: context.palette)
        let isInteractive = context.errors.isTerminal
        var shown = ""
        func show() {
            let text = guide.text
            guard text != shown else { return }
            if isInteractive {
                terminal.draw(line: StyledLine(TextWidth.cut(text, to: max(20, context.terminalSize.columns - 1))))
            } else if guide.step != .turn || !shown.hasPrefix("4 of 4") {
                context.errors.writeLine(text)
                context.errors.flush()
            }
            shown = text
        }
        var samples = 0
        sensors.onSample = { sample in
            samples += 1
            guard guide.update(sample) else { return }
            show()
            if guide.step == .done { sensors.loop.stop() }
        }
        let timer = sensors.loop.makeTimer { [loop = sensors.loop] in loop.stop() }
        timer.arm(afterMicroseconds: arguments[wait] ?? 180_000_000)
        if isInteractive { terminal.enter(isFullScreen: false) }
        show()
        sensors.source.start(rateHertz: rate)
        var failure: CommandError?
        do throws(CommandError) { try sensors.run() } catch { failure = error }
        timer.disarm()
        if isInteractive { terminal.leave() }
        let findings = sensors.source.diagnose()
        sensors.source.stop()
        if !sensors.source.waitUntilOff(milliseconds: 2000) {
            context.warn("a sensor did not let go in time; its settings stay changed")
        }
        if let failure { throw failure }
        if sensors.isInterrupted { throw CommandError(.failure, "interrupted", remedy: "Nothing was changed.") }
        if samples == 0 { throw Diagnosis.error(findings, fallback: "the sensors delivered nothing") }
        if case .pose = guide.step {
            throw CommandError(
                .failure, "the time is over before all poses were taken",
                remedy: "Hold each pose still for two seconds; --wait gives more time.")
        }
        let result: MountFinder.Result
        do throws(MountFinder.Failure) { result = try guide.outcome() } catch { throw Self.error(error) }
        return MountReport(
            result: result, magnetometer: magnetometer, accelerometer: accelerometer,
            machine: MachineName.pattern(isLocal: sensors.uris == ["local:"]))
    }
}
