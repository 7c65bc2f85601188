internal import EventLoop
internal import IIOSensors
internal import LocateMeModel
internal import SensorRecordings

/// `headingctl record`.
enum RecordCommand {
    private static let file = Operand(
        ValueType<String>.file(endings: ["lmrec", "gz"]),
        help: "recording to write, compressed if its name ends in .gz; - for standard output")
    private static let limit = Option("for", ValueType<Int64>.duration, help: "end after TIME; default: at Ctrl-C")
    private static let rate = Option(
        "rate", ValueType<Double>.number("HZ", unit: "samples per second", in: 0.1...1000),
        help: "rate of the sensors, default 100")
    private static let device = Option(
        "device", ValueType<String>.text("NAME"), help: "name of the device; default: what the firmware says")
    private static let note = Option(
        "note", ValueType<String>.text("TEXT"), isRepeatable: true, help: "a note for the header")
    private static let fixes = Flag("fixes", help: "record the places that locatemed delivers, too")

    static let command = Command(
        spec: CommandSpec(
            name: "record", summary: "record the sensors to a file",
            description: [
                "Records magnetometer, accelerometer and gyroscope of this machine, or of another one with --iio-uri, until "
                    + "Ctrl-C or for a time. Each line on standard input becomes a mark at its moment; an empty line is \"mark\" "
                    + "with a number. The samples are taken from the devices directly, raw and before any calibration.",
                "While locatemed uses a device it may be busy: end the programs that want headings first.",
            ],
            operands: [file.spec],
            options: [
                limit.spec, rate.spec, device.spec, note.spec, fixes.spec, LocalSensors.uri.spec,
                RecordingOutput.force.spec,
            ],
            examples: [
                .init(
                    arguments: "record tumble.lmrec --for 30s --note \"turned in all directions\"",
                    text: "Half a minute:"),
                .init(
                    arguments: "record walk.lmrec.gz --iio-uri ip:phone.lan --fixes",
                    text: "A phone that runs iiod, with places, until Ctrl-C:"),
            ])
    ) { arguments, context throws(CommandError) in
        let path = arguments[file, at: 0] ?? "-"
        if path == "-", arguments[CommonOptions.json] {
            throw CommandError(.usage, "--json needs a FILE, since the recording itself goes to standard output")
        }
        let sensors = try LocalSensors(arguments, context)
        try sensors.discover()
        guard
            sensors.source.sensors.contains(where: {
                $0.selected && ($0.kind == .magnetometer || $0.kind == .hubHeading)
            })
        else { throw Diagnosis.error(sensors.source.diagnose(), fallback: "there is nothing to record") }
        let recorder = Recorder(
            sensors, context,
            .init(
                path: path, overwrite: arguments[RecordingOutput.force],
                device: arguments[device] ?? DeviceName.ofThisMachine(),
                notes: arguments[all: note], rateHertz: arguments[rate] ?? 100))
        if let limit = arguments[limit] { recorder.stop(afterMicroseconds: limit) }
        let places = arguments[fixes] ? try PlaceRecorder(arguments.bus, recorder, sensors.loop, context) : nil
        defer { places?.close() }
        try recorder.run()
        let summary = recorder.summary
        if arguments[CommonOptions.json] {
            context.output.writeLine(summary.json.text)
        } else if path != "-" {
            context.output.writeLine(summary.text)
        }
    }
}
