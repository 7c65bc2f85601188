internal import EventLoop
internal import IIOSensors
internal import LocateMeModel

/// The sensors of this or another machine, without a service.
final class LocalSensors: SensorSourceListener {
    /// Where to look.
    static let uri = Option(
        "iio-uri", ValueType<String>.text("URI", expectation: "a libiio context such as local: or ip:HOST"),
        isRepeatable: true,
        help: "libiio context, such as ip:HOST for a machine that runs iiod; may be repeated; default local:")

    /// The loop of the command.
    let loop: EventLoop
    /// The sensors.
    let source: IIOSensorSource
    /// The contexts.
    let uris: [String]
    /// Hears of samples.
    var onSample: (SensorSample) -> Void = { _ in }
    /// Hears that samples stopped.
    var onLoss: (String) -> Void = { _ in }
    /// Hears that sensors or their states changed.
    var onChange: () -> Void = {}
    /// True once a signal wants the command to end.
    private(set) var isInterrupted = false
    private var isWaitingForDiscovery = false
    private var outputWatch: Watch?

    /// A remote context may take long to answer.
    private static let discoverySeconds = 20.0

    init(_ arguments: Arguments, _ context: CommandContext) throws(CommandError) {
        let chosen = arguments[all: Self.uri]
        uris = chosen.isEmpty ? ["local:"] : chosen
        loop = try CommandLoop.make()
        do throws(Errno) {
            source = try IIOSensorSource(loop: loop, contexts: uris)
        } catch {
            throw CommandError(.failure, "cannot prepare the sensors: \(error)")
        }
        try CommandLoop.handleSignals(loop) { [weak self] _ in
            self?.isInterrupted = true
            self?.loop.stop()
        }
        outputWatch = CommandLoop.watchForEnd(of: context.output, loop)
        source.sensorListener = self
    }

    /// Looks for sensors until all contexts have answered.
    func discover() throws(CommandError) {
        isWaitingForDiscovery = true
        source.discover()
        let timer = loop.makeTimer { [loop] in loop.stop() }
        timer.arm(afterMicroseconds: Int64(Self.discoverySeconds * 1e6))
        defer {
            timer.disarm()
            isWaitingForDiscovery = false
        }
        if source.isDiscovering { try run() }
        if isInterrupted { throw CommandError(.failure, "interrupted") }
    }

    /// Runs the loop until it is stopped or a signal comes.
    func run() throws(CommandError) {
        do throws(Errno) {
            try loop.run()
        } catch {
            throw CommandError(.failure, "waiting for events failed: \(error)")
        }
    }

    func sensorSource(_ source: any SensorSource, delivered sample: SensorSample) { onSample(sample) }

    func sensorSourceChanged(_ source: any SensorSource) {
        if isWaitingForDiscovery, !self.source.isDiscovering { loop.stop() }
        onChange()
    }

    func sensorSource(_ source: any SensorSource, lost reason: String) { onLoss(reason) }

    func sensorSourceRestarted(_ source: any SensorSource) {}
}
