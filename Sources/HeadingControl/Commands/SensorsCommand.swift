internal import EventLoop
internal import IIOSensors
internal import LocateMe
internal import LocateMeModel

/// `headingctl sensors`.
enum SensorsCommand {
    private static let local = Flag("local", help: "look at the devices directly, even if locatemed runs")

    private static let quirks = Flag("quirks", help: "list what the program knows of drivers and devices, and end")

    static let command = Command(
        spec: CommandSpec(
            name: "sensors", summary: "list the sensors, which are used, and why the others are not",
            description: [
                "Lists magnetometers, accelerometers, gyroscopes and heading hubs of the Industrial I/O subsystem with mount "
                    + "matrices, rates and whether they are used and why, and what is wrong with them. Asks locatemed if it "
                    + "runs, else (or with --local or --iio-uri) looks itself.",
                "Facts about drivers and devices that cannot be read from them are in one table, which --quirks shows.",
                "The exit status is 5 if no heading can be had from them. With --json one object per sensor, then one per finding.",
            ],
            operands: [], options: [local.spec, quirks.spec, LocalSensors.uri.spec],
            examples: [
                .init(arguments: "sensors", text: "What is there:"),
                .init(arguments: "sensors --iio-uri ip:phone.lan --json", text: "Of another machine that runs iiod:"),
            ])
    ) { arguments, context throws(CommandError) in
        if arguments[quirks] { return printQuirks(arguments, context) }
        let known = try inventory(arguments, context)
        print(known, arguments, context)
        guard known.canGiveHeading else {
            throw Diagnosis.error(
                known.findings.filter { $0.severity == .error }, fallback: "these sensors give no heading", hint: "")
        }
    }

    /// What is there.
    private struct Inventory {
        var sensors: [SensorDescription]
        var findings: [Finding]
        var canGiveHeading: Bool
        var origin: String
    }

    private static func inventory(
        _ arguments: Arguments, _ context: CommandContext
    ) throws(CommandError) -> Inventory {
        if !arguments[local], !arguments.has(LocalSensors.uri), let known = try askService(arguments, context) {
            return known
        }
        return try lookLocally(arguments, context)
    }

    /// Nil if the service does not run; it is not started for this.
    private static func askService(
        _ arguments: Arguments, _ context: CommandContext
    ) throws(CommandError) -> Inventory? {
        let service: ServiceConnection
        do throws(CommandError) {
            service = try ServiceConnection(arguments, context)
        } catch {
            // A bus that was asked for by name must be there.
            if arguments.has(CommonOptions.bus) { throw error }
            return nil
        }
        var isRunning: Bool?
        service.client.onServiceChange = {
            if isRunning == nil { isRunning = $0 }
            service.finish()
        }
        service.after(microseconds: 2_000_000) { service.finish() }
        try service.run()
        service.client.onServiceChange = nil
        guard isRunning == true else {
            if service.endSignal != nil { throw CommandError(.failure, "interrupted") }
            return nil
        }
        let information = try service.ask { service.client.information(reply: $0) }
        return Inventory(
            sensors: try service.ask { service.client.sensors(reply: $0) },
            findings: try service.ask { service.client.diagnose(reply: $0) },
            canGiveHeading: information.headingAvailable, origin: "locatemed on \(arguments.bus.phrase)")
    }

    private static func lookLocally(
        _ arguments: Arguments, _ context: CommandContext
    ) throws(CommandError) -> Inventory {
        let local = try LocalSensors(arguments, context)
        try local.discover()
        return Inventory(
            sensors: local.source.sensors, findings: local.source.diagnose(),
            canGiveHeading: local.source.canGiveHeading,
            origin: local.uris.joined(separator: ", "))
    }

    private static func printQuirks(_ arguments: Arguments, _ context: CommandContext) {
        for quirk in QuirkListing.all {
            if arguments[CommonOptions.json] {
                let settings = quirk.settings.map { ($0.key, JSONValue.string($0.value)) }
                context.output.writeLine(
                    JSONValue.object(
                        [("quirk", .string(quirk.id)), ("settings", .object(settings))]
                            + [("why", .string(quirk.why)), ("source", .string(quirk.source))]
                    ).text)
                continue
            }
            var lines = [StyledLine(quirk.id, .strong)]
            lines += quirk.settings.map { StyledLine("  \($0.key) = \($0.value)") }
            lines += [StyledLine("  \(quirk.why)", .faint), StyledLine("  source: \(quirk.source)", .faint)]
            for line in lines { context.output.writeLine(context.palette.encode(line)) }
        }
    }

    private static func print(_ inventory: Inventory, _ arguments: Arguments, _ context: CommandContext) {
        if arguments[CommonOptions.json] {
            for sensor in inventory.sensors { context.output.writeLine(SensorReport.json(sensor).text) }
            for finding in inventory.findings {
                context.output.writeLine(JSONValue.object([("finding", SensorReport.json(finding))]).text)
            }
            return
        }
        let palette = context.palette
        var lines: [StyledLine] = []
        if inventory.sensors.isEmpty { lines.append(StyledLine("no sensors")) }
        for sensor in inventory.sensors { lines += SensorReport.lines(sensor) }
        for finding in inventory.findings { lines += SensorReport.lines(finding) }
        lines.append(StyledLine("from \(inventory.origin)", .faint))
        for line in lines { context.output.writeLine(palette.encode(line)) }
    }
}
