internal import LocateMe
internal import LocateMeBusInterface
internal import LocateMeModel

/// `headingctl status`.
enum StatusCommand {
    private static let passive = Flag(
        "passive", help: "only what is known already; switches no sensor on and waits for nothing")

    static let command = Command(
        spec: CommandSpec(
            name: "status", summary: "what works, what is known, and what is wrong",
            description: [
                "Shows service, sensors, heading, calibration, place, declination, permission, sources and findings. For a "
                    + "heading the sensors are switched on for a moment, 2 seconds at most, unless --passive is given."
            ],
            operands: [], options: [passive.spec],
            examples: [
                .init(arguments: "status", text: "All of it:"),
                .init(arguments: "status --passive --json", text: "For a monitor that must wake nothing:"),
            ])
    ) { arguments, context throws(CommandError) in
        let service = try ServiceConnection(arguments, context)
        let report = try gather(service, arguments)
        if arguments[CommonOptions.json] {
            context.output.writeLine(report.json.text)
        } else {
            let palette = context.palette
            // Programs read lines, people read what fits.
            let columns = context.output.isTerminal ? max(40, context.terminalSize.columns) : .max
            for line in report.lines(unicode: context.isUnicode || !context.output.isTerminal) {
                for part in line.wrapped(to: columns, indent: StatusReport.labelColumns) {
                    context.output.writeLine(palette.encode(part))
                }
            }
        }
    }

    private static func gather(
        _ service: ServiceConnection, _ arguments: Arguments
    ) throws(CommandError) -> StatusReport {
        let client = service.client
        var report = StatusReport(
            bus: arguments.bus, service: try service.ask { client.information(reply: $0) },
            compass: try service.ask { client.compass(reply: $0) })
        report.snapshot = try service.ask { client.status(reply: $0) }
        report.sensors = try service.ask { client.sensors(reply: $0) }
        report.calibration = try optional { () throws(CommandError) in
            try service.ask { client.calibration(reply: $0) }
        }
        if !arguments[passive] { try askSession(service, &report) }
        // Last, since some findings need samples.
        report.findings = try service.ask { client.diagnose(reply: $0) }
        return report
    }

    /// Asks a session for a heading, the last place and its permission.
    private static func askSession(_ service: ServiceConnection, _ report: inout StatusReport) throws(CommandError) {
        let manager = LocationManager(client: service.client, reason: "headingctl status")
        defer { manager.close() }
        let permission = Permission()
        manager.delegate = permission
        if report.service.headingAvailable {
            report.heading = try optional { () throws(CommandError) in
                try service.ask { reply in manager.requestHeading(timeoutMilliseconds: 2000, reply: reply) }
            }
        }
        report.fix = try optional { () throws(CommandError) in
            try service.ask { reply in manager.lastKnownLocation(reply: reply) }
        }
        // As it is while somebody uses it.
        report.service = try service.ask { service.client.information(reply: $0) }
        report.compass = try service.ask { service.client.compass(reply: $0) }
        report.permission = permission.status
        report.accuracy = permission.accuracy
    }

    /// Nil where the service has no answer; other failures pass.
    private static func optional<Value>(_ ask: () throws(CommandError) -> Value) throws(CommandError) -> Value? {
        do throws(CommandError) {
            return try ask()
        } catch {
            // Interrupted, or the service is gone: the rest would fail too.
            if error.status == .noService || error.message == "interrupted" { throw error }
            return nil
        }
    }
}

/// Hears what the session may know.
private final class Permission: LocationManagerDelegate {
    private(set) var status: AuthorizationStatus?
    private(set) var accuracy: AccuracyAuthorization = .none

    func locationManager(
        _ manager: LocationManager, didChangeAuthorization status: AuthorizationStatus, accuracy: AccuracyAuthorization
    ) {
        self.status = status
        self.accuracy = accuracy
    }
}
