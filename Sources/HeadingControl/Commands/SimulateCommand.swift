internal import EventLoop
internal import Geomagnetism
internal import Geometry
internal import LocateMeModel
internal import SensorRecordings
internal import Simulation

/// `headingctl simulate`.
enum SimulateCommand {
    private static let file = Operand(
        ValueType<String>.file(endings: ["lmrec", "gz"]), isRequired: false,
        help: "recording to write, compressed if its name ends in .gz; default standard output")
    private static let walk = Option(
        "walk",
        ValueType<Walk>(
            placeholder: "WALK", completion: .words(Walk.names.map(\.name)),
            expectation:
                "one of \(Walk.names.map(\.name).joined(separator: ", ")), or two or more places \"LAT,LON LAT,LON\" "
                + "within 100 km",
            parse: { Walk(text: $0) }),
        help: Walk.names.map { "\($0.name): \($0.summary)" }.joined(separator: "; ")
            + "; or places \"LAT,LON LAT,LON …\"; default demo")
    private static let length = Option(
        "for", ValueType<Int64>.duration,
        help: "length of the recording; the walk is repeated or cut; default: the walk once")
    private static let seed = Option(
        "seed", ValueType<Int>.count("N", in: 0...Int.max), help: "the same seed gives the same noise; default 1")
    private static let start = Option(
        "start",
        ValueType<UTCDate>(
            placeholder: "DATE", completion: .none, expectation: "a UTC time such as 2026-11-30T12:00:00Z",
            parse: { UTCDate(iso8601: $0) }), help: "wall-clock time of the start, UTC; default now")
    private static let perfect = Flag(
        "perfect", help: "sensors without noise, bias, hard iron and soft iron, all at 100 Hz")
    private static let hardIron = Option(
        "hard-iron",
        ValueType<Vector3>(
            placeholder: "X,Y,Z", completion: .none,
            expectation: "three numbers of µT, at most 10000, such as 28,-41,63",
            parse: vector), help: "hard iron of the device in µT, device frame")
    private static let noGyro = Flag("no-gyro", help: "a phone without a gyroscope")
    private static let noAccel = Flag("no-accel", help: "a phone without an accelerometer")
    private static let noFix = Flag("no-fix", help: "a phone without a satellite receiver")
    private static let noTruth = Flag("no-truth", help: "leave the true attitude out")

    static let command = Command(
        spec: CommandSpec(
            name: "simulate", summary: "write a recording of a simulated phone",
            description: [
                "Simulates a phone with all its errors (hard and soft iron, noise, biases) in the hand of somebody who walks, and "
                    + "writes what its sensors would say as a recording, with the true attitude beside it. 'headingctl replay' "
                    + "plays it to programs; 'locatemed --simulate' does both at once."
            ],
            operands: [file.spec],
            options: [
                walk.spec, length.spec, seed.spec, start.spec, hardIron.spec, perfect.spec, noGyro.spec, noAccel.spec,
                noFix.spec, noTruth.spec, RecordingOutput.force.spec,
            ],
            examples: [
                .init(arguments: "simulate walk.lmrec", text: "The demo walk:"),
                .init(
                    arguments: "simulate --walk turn --perfect | headingctl estimate -",
                    text: "Headings of a perfect phone that turns on the spot:"),
                .init(
                    arguments: "simulate long.lmrec.gz --walk square --for 10m --seed 7",
                    text: "Ten minutes around a block:"),
            ])
    ) { arguments, context throws(CommandError) in
        let path = arguments[file, at: 0] ?? "-"
        if path == "-", arguments[CommonOptions.json] {
            throw CommandError(.usage, "--json needs a FILE, since the recording itself goes to standard output")
        }
        let realMicroseconds = arguments[start]?.realMicroseconds ?? Clock.realMicroseconds()
        var simulation = try simulation(arguments, realMicroseconds)
        let output = try RecordingOutput(path, header: simulation.header, overwrite: arguments[RecordingOutput.force])
        let end = arguments[length] ?? Int64.max
        var last: Int64 = 0
        while let record = simulation.next(), record.microseconds <= end {
            try output.append(record)
            last = record.microseconds
        }
        try output.finish()
        if arguments[CommonOptions.json] {
            context.output.writeLine(
                JSONValue.object([
                    ("file", .string(path)), ("records", .integer(Int64(output.count))),
                    ("seconds", .number(Double(last) * 1e-6, decimals: 6)),
                ]).text)
        } else if path != "-" {
            context.output.writeLine("\(path): \(output.count) records, \(TimeText.span(seconds: Double(last) * 1e-6))")
        }
    }

    private static func simulation(
        _ arguments: Arguments, _ realMicroseconds: Int64
    ) throws(CommandError) -> WalkSimulation {
        guard let walk = arguments[walk] ?? Walk(name: "demo") else {
            throw CommandError(.failure, "the walk 'demo' is missing")
        }
        var phone = arguments[perfect] ? SimulatedPhone.perfect() : SimulatedPhone()
        if let hardIron = arguments[hardIron] { phone.magnetometer?.hardIron = hardIron }
        if arguments[noGyro] { phone.gyroscope = nil }
        if arguments[noAccel] { phone.accelerometer = nil }
        if arguments[noFix] { phone.receiver = nil }
        if arguments[noTruth] { phone.truthRateHertz = 0 }
        return WalkSimulation(
            walk: walk, phone: phone, field: try field(walk, realMicroseconds), seed: UInt64(arguments[seed] ?? 1),
            startRealMicroseconds: realMicroseconds, repeats: arguments.has(length))
    }

    private static func field(_ walk: Walk, _ realMicroseconds: Int64) throws(CommandError) -> EarthField {
        do throws(GeomagnetismError) {
            let year = try DecimalYear(realMicroseconds: realMicroseconds).value
            return try MagneticModel.selectModel(forYear: year).earthField(
                latitude: walk.latitude, longitude: walk.longitude, height: walk.altitude, year: year)
        } catch {
            throw CommandError(.failure, "there is no magnetic field to simulate: \(error.message)")
        }
    }

    @Sendable private static func vector(_ text: String) -> Vector3? {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { DecimalParser.number($0) }
        guard numbers.count == 3, let x = numbers[0], let y = numbers[1], let z = numbers[2] else { return nil }
        let vector = Vector3(x, y, z)
        return vector.length <= 10_000 ? vector : nil
    }
}
