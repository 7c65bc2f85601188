internal import EventLoop
internal import Geomagnetism

/// `headingctl declination`.
enum DeclinationCommand {
    /// The third operand: a height or, if it is an ISO date, the date.
    private enum AltitudeOrDate {
        case altitude(Double)
        case date(DecimalYear)
    }

    private static let latitude = Operand(
        .latitude, isRequired: false, help: "latitude in degrees, north positive; also 33.9S or 47:22:37N")
    private static let longitude = Operand(
        .longitude, isRequired: false, help: "longitude in degrees, east positive; also 122.4W or 8:32:30E")
    private static let altitude = Operand(
        ValueType<AltitudeOrDate>(
            placeholder: "ALT_M", completion: .none,
            expectation: "\(FieldQuery.altitudeType.expectation), or an ISO date such as 2026-11-30"
        ) { text in
            if let value = FieldQuery.altitudeType.parse(text) { return .altitude(value) }
            guard text.dropFirst().contains("-"), let date = try? DecimalYear(parsing: text) else { return nil }
            return .date(date)
        }, isRequired: false, help: "metres above the WGS 84 ellipsoid, default 0; may be left out before an ISO date")
    private static let date = Operand(
        ValueType<DecimalYear>(
            placeholder: "DATE", completion: .none,
            expectation: "a decimal year such as 2026.9 or an ISO date such as 2026-11-30",
            parse: { try? DecimalYear(parsing: $0) }), isRequired: false,
        help: "decimal year or ISO date, UTC; default now")
    private static let input = Option(
        "input", ValueType<String>.file(),
        help: "answer each line \"DATE LAT LON ALT_M\" of a file, - for standard input, with one line")

    static let command = Command(
        spec: CommandSpec(
            name: "declination", summary: "declination and the whole field of a place from a magnetic model",
            description: [
                "Computes the earth's magnetic field at a place and date: declination (east positive), inclination (down "
                    + "positive), strengths in nT, their yearly change, and the bound that measurements keep with 95 % "
                    + "probability.",
                "With --input each line \"DATE LAT LON ALT_M\" (decimal year or ISO date, degrees, metres above the "
                    + "ellipsoid) gives one line \"D I H N E D F dD\" in the order of GeographicLib's MagneticField: "
                    + "declination and inclination in degrees, horizontal, north, east, down and total strength in nT, then "
                    + "the 95 % bound of the declination in degrees. Empty lines and lines that begin with # are skipped. A "
                    + "line that cannot be answered gives a line of nan and a message, and the exit status is 1.",
            ],
            operands: [latitude.spec, longitude.spec, altitude.spec, date.spec],
            options: [MagneticModelChoice.model.spec, MagneticModelChoice.file.spec, input.spec],
            examples: [
                .init(arguments: "declination 47.3769 8.5417", text: "Zürich, today:"),
                .init(
                    arguments: "declination 33.92S 18.42E 25 2027.5 --json", text: "Cape Town in the middle of 2027:"),
                .init(
                    arguments: "declination 64.1 -21.9 2015-06-01 --model igrf14",
                    text: "Reykjavik in the past, by the IGRF:"),
                .init(arguments: "declination --input places.txt > fields.txt", text: "Many places at once:"),
            ])
    ) { arguments, context throws(CommandError) in
        let model = try MagneticModelChoice.chosen(arguments)
        if let path = arguments[input] {
            guard arguments.operands.isEmpty else {
                throw CommandError(
                    .usage, "--input takes no places on the command line",
                    remedy: "Put them into the file, or leave --input out.")
            }
            try answerLines(of: path, model, isJSON: arguments[CommonOptions.json], context)
        } else {
            let query = try query(arguments)
            let (field, model) = try query.answer(model)
            let report = FieldReport(query: query, field: field, model: model)
            if arguments[CommonOptions.json] {
                context.output.writeLine(report.json.text)
            } else {
                for line in report.lines { context.output.writeLine(line) }
            }
        }
    }

    private static func query(_ arguments: Arguments) throws(CommandError) -> FieldQuery {
        guard let latitude = arguments[latitude, at: 0], let longitude = arguments[longitude, at: 1] else {
            throw CommandError(
                .usage, "'declination' needs LAT and LON, or --input",
                remedy: "Write the place as in 'headingctl declination 47.3769 8.5417'.")
        }
        var altitude = 0.0
        var when = arguments[date, at: 3]
        switch arguments[Self.altitude, at: 2] {
        case .altitude(let value): altitude = value
        case .date(let value):
            guard when == nil else {
                throw CommandError(.usage, "there are two dates", remedy: "The order is LAT LON ALT_M DATE.")
            }
            when = value
        case nil: break
        }
        if let when { return FieldQuery(latitude: latitude, longitude: longitude, altitude: altitude, date: when) }
        return FieldQuery(latitude: latitude, longitude: longitude, altitude: altitude, date: try today())
    }

    private static func today() throws(CommandError) -> DecimalYear {
        do throws(GeomagnetismError) {
            return try DecimalYear(realMicroseconds: Clock.realMicroseconds())
        } catch {
            throw CommandError(
                .failure, "the system clock shows no usable date", remedy: "Set the clock, or give a DATE.")
        }
    }

    private static func answerLines(
        of path: String, _ model: MagneticModel?, isJSON: Bool, _ context: CommandContext
    ) throws(CommandError) {
        let reader = try LineReader(path: path, standardInput: context.input)
        var number = 0
        var failures = 0
        while context.output.failure == nil, let line = try reader.next() {
            number += 1
            guard let first = line.first(where: { !$0.isWhitespace }), first != "#" else { continue }
            do throws(CommandError) {
                let query = try FieldQuery(line: line)
                let (field, model) = try query.answer(model)
                let report = FieldReport(query: query, field: field, model: model)
                context.output.writeLine(isJSON ? report.json.text : report.row)
            } catch {
                failures += 1
                context.warn("\(reader.displayName): line \(number): \(error.message)")
                context.output.writeLine(
                    isJSON
                        ? JSONValue.object([("line", .integer(Int64(number))), ("error", .string(error.message))]).text
                        : FieldReport.emptyRow)
            }
        }
        guard failures == 0 else {
            throw CommandError(
                .failure, "\(failures) of \(number) lines of \(reader.displayName) could not be answered",
                remedy:
                    "Their lines hold nan. Each line must be DATE LAT LON ALT_M, such as '2026.9 47.3769 8.5417 408'.")
        }
    }
}
