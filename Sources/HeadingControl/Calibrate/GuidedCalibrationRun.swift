internal import EventLoop
internal import Geometry
internal import Glibc
internal import LocateMe
internal import MessageBus

/// A guided calibration by the service, from Begin to Apply.
final class GuidedCalibrationRun {
    private let service: ServiceConnection
    private let context: CommandContext
    private let isJSON: Bool
    private let isInteractive: Bool
    private let terminal: Terminal
    private var view: GuidedCalibrationView
    private var match: BusMatch?
    private var isReadySince: Int64?
    private var hasSeenReady = false
    private var isDone = false
    private var lastText = ""
    /// The raw samples that the applied calibration was made from, µT.
    private(set) var cloud: [Vector3] = []

    /// A good fit is applied when nothing better came for this long: most of the sphere is seen by then.
    private static let settleMicroseconds: Int64 = 3_000_000

    init(_ service: ServiceConnection, _ context: CommandContext, isFlat: Bool, isJSON: Bool) {
        self.service = service
        self.context = context
        self.isJSON = isJSON
        isInteractive = context.output.isTerminal && !isJSON && (context.environment("TERM") ?? "dumb") != "dumb"
        terminal = Terminal(input: context.input, output: context.output, palette: context.palette)
        view = GuidedCalibrationView(isFlat: isFlat)
    }

    /// Runs to the end. Throws with the reason if there is no calibration at the end, or the user broke off.
    func run(timeoutMilliseconds: UInt32) throws(CommandError) {
        match = service.client.beginCalibration(
            method: view.isFlat ? "flat-turn" : "figure-eight", timeoutMilliseconds: timeoutMilliseconds,
            progress: { [weak self] in self?.take($0) },
            reply: { [weak self] in if case .failure(let error) = $0 { self?.service.fail(error) } })
        defer { match?.cancel() }
        service.after(microseconds: Int64(timeoutMilliseconds) * 1000 + 1_000_000) { [weak self] in self?.giveUp() }
        if isInteractive { terminal.enter(isFullScreen: true) }
        defer { if isInteractive { terminal.leave() } }
        show()
        try service.run()
        guard isDone else {
            throw CommandError(.failure, "interrupted", remedy: "Nothing was changed.")
        }
    }

    private func take(_ progress: CalibrationProgress) {
        view.progress = progress
        show()
        let isReady = progress.hint.hasPrefix("Done")
        let now = Clock.bootMicroseconds()
        isReadySince = isReady ? isReadySince ?? now : nil
        if isReady, progress.coverage >= 0.95 || now - (isReadySince ?? now) >= Self.settleMicroseconds { apply() }
    }

    private func apply() {
        guard !hasSeenReady else { return }
        hasSeenReady = true
        service.client.applyCalibration { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure(let error): service.fail(error)
            case .success(let cloud):
                self.cloud = cloud
                isDone = true
                service.finish()
            }
        }
    }

    /// The time is over: what the service says of it is the reason.
    private func giveUp() {
        service.client.applyCalibration { [weak self] result in
            guard let self else { return }
            switch result {
            case .failure(let error):
                service.fail(
                    CommandError(
                        .failure, "there is no calibration: \(error.text)",
                        remedy: "Try again away from iron and electronics, turning through all directions."))
            case .success(let cloud):
                self.cloud = cloud
                isDone = true
                service.finish()
            }
        }
    }

    private func show() {
        if isInteractive {
            let size = context.terminalSize
            terminal.draw(
                view.lines(columns: size.columns, rows: size.rows, unicode: context.isUnicode), columns: size.columns)
            return
        }
        let text = isJSON ? view.json.text : view.text
        guard text != lastText else { return }
        lastText = text
        context.output.writeLine(text)
        context.output.flush()
    }
}
