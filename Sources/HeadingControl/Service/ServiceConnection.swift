internal import EventLoop
internal import Glibc
internal import LocateMe
internal import MessageBus

/// A command's event loop and its connection to locatemed. SIGINT, SIGTERM and SIGHUP end the loop, and so does the
/// end of whoever reads standard output.
final class ServiceConnection {
    /// The loop of the command.
    let loop: EventLoop
    /// The client of the service.
    let client: LocateMeClient
    /// The signal that ended the loop, nil if none did.
    private(set) var endSignal: Int32?
    private var failure: CommandError?
    private let output: TextOutput
    private var outputWatch: Watch?
    private var timers: [LoopTimer] = []

    /// Gets the signals asked for in `init`.
    var onSignal: (Int32) -> Void = { _ in }

    /// Connects to the bus of the arguments. `signals` are those that `onSignal` gets.
    init(_ arguments: Arguments, _ context: CommandContext, signals: [Int32] = []) throws(CommandError) {
        output = context.output
        loop = try CommandLoop.make()
        do throws(LocateMeError) {
            client = try LocateMeClient(arguments.bus, loop: loop)
        } catch {
            throw Self.error(error, arguments.bus)
        }
        bus = arguments.bus
        endSignal = nil
        try CommandLoop.handleSignals(loop, extra: signals) { [weak self] signal in
            guard let self else { return }
            if CommandLoop.endSignals.contains(signal) {
                endSignal = signal
                loop.stop()
            } else {
                onSignal(signal)
            }
        }
        outputWatch = CommandLoop.watchForEnd(of: output, loop)
    }

    /// The bus that the service is on.
    let bus: BusAddress

    /// A connection to a service that runs already; nil if none does, which starts none. Throws if the bus was asked for by
    /// name and is not there.
    static func running(_ arguments: Arguments, _ context: CommandContext) throws(CommandError) -> ServiceConnection? {
        let service: ServiceConnection
        do throws(CommandError) {
            service = try ServiceConnection(arguments, context)
        } catch {
            if arguments.has(CommonOptions.bus) { throw error }
            return nil
        }
        var isRunning: Bool?
        service.client.onServiceChange = {
            if isRunning == nil { isRunning = $0 }
            service.finish()
        }
        service.after(microseconds: 2_000_000) { if isRunning == nil { service.finish() } }
        try service.run()
        service.client.onServiceChange = nil
        if service.endSignal != nil { throw CommandError(.failure, "interrupted") }
        return isRunning == true ? service : nil
    }

    /// Asks the service something and waits for the answer.
    func ask<Value>(
        _ start: (@escaping (Result<Value, LocateMeError>) -> Void) -> Void
    ) throws(CommandError) -> Value {
        do throws(LocateMeError) {
            return try client.wait(start)
        } catch {
            throw Self.error(error, bus)
        }
    }

    /// Calls `body` once after a time.
    func after(microseconds: Int64, _ body: @escaping () -> Void) {
        let timer = loop.makeTimer(body)
        timer.arm(afterMicroseconds: microseconds)
        timers.append(timer)
    }

    /// Ends `run()`.
    func finish() { loop.stop() }

    /// Ends `run()` with an error; the first one counts.
    func fail(_ error: CommandError) {
        if failure == nil { failure = error }
        loop.stop()
    }

    /// Ends `run()` with what the service said.
    func fail(_ error: LocateMeError) { fail(Self.error(error, bus)) }

    /// Runs until `finish`, `fail`, a signal, or the end of the output's reader.
    func run() throws(CommandError) {
        do throws(Errno) {
            if failure == nil { try loop.run() }
        } catch {
            throw CommandError(.failure, "waiting for events failed: \(error)")
        }
        if let failure { throw failure }
    }

    /// Waits until a service that was just started owns its name, ten seconds at most. SIGCHLD must be among the
    /// signals.
    func waitForStart(of replay: ReplayService) throws(CommandError) {
        client.onServiceChange = { [weak self] in if $0 { self?.loop.stop() } }
        defer { client.onServiceChange = nil }
        onSignal = { [weak self] _ in if replay.failure() != nil { self?.loop.stop() } }
        let limit = loop.makeTimer { [weak self] in self?.loop.stop() }
        limit.arm(afterMicroseconds: 10_000_000)
        defer { limit.disarm() }
        if let failure = replay.failure() { throw failure }
        if !client.isServiceRunning { try run() }
        if let failure = replay.failure() { throw failure }
        if endSignal != nil { throw CommandError(.failure, "interrupted") }
        guard client.isServiceRunning else {
            throw CommandError(.noService, "locatemed did not get ready within 10 s")
        }
    }

    /// What an error of the service means for a command.
    static func error(_ error: LocateMeError, _ bus: BusAddress) -> CommandError {
        switch error.code {
        case .noBus:
            return CommandError(
                .noService, error.text,
                remedy: "Choose another bus with --bus, or see whether it runs.")
        case .noService:
            return CommandError(
                .noService, "locatemed does not answer on \(bus.phrase)",
                remedy: "Start it: 'systemctl start locatemed', or 'locatemed --bus session' for a session bus.")
        case .denied:
            return CommandError(
                .notAuthorized, "not permitted: \(error.text)",
                remedy: "Magnetic headings are open to everyone; places and true headings need permission.")
        case .locationUnknown, .headingFailure, .timedOut:
            return CommandError(
                .noData, error.text, remedy: "'headingctl status' shows the sources and what is wrong with them.")
        case .cancelled:
            return CommandError(.failure, "interrupted")
        case .limitsExceeded:
            return CommandError(.failure, error.text, remedy: "End other clients, or try again later.")
        default:
            return CommandError(.failure, "locatemed answered: \(error.text)")
        }
    }
}
