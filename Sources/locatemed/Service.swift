import EventLoop
import Glibc
import LocateMeDaemon
import LocateMeModel
import MessageBus
import PositionSources
import SystemServices

/// One run of the daemon, from its arguments to its exit status.
final class Service {
    private let options: CommandLineOptions
    private let log: Log
    private let loop: EventLoop
    private var configuration: Configuration
    private var player: RecordPlayer?
    private var receivers: [NMEAReceiver] = []
    private var daemon: Daemon?
    private var systemBus: BusConnection?
    private var servicesBus: BusConnection?

    init(_ options: CommandLineOptions) throws {
        self.options = options
        configuration = try Configuration(options)
        log = StandardError.log(level: configuration.values.logLevel)
        for warning in configuration.warnings { log.warning(warning) }
        loop = try EventLoop()
        // What is kept tells where the machine was: nobody else may read it. Returns the mask before.
        _ = umask(0o077)
        signal(SIGPIPE, SIG_IGN)
    }

    /// Serves until it is told to stop; returns the exit status.
    func run() throws -> Int32 {
        let bus: BusConnection
        do {
            bus = try BusConnection(configuration.values.bus, loop: loop)
        } catch {
            log.error(error.text)
            return 3
        }
        let values = configuration.values
        let model = try Wiring.magneticModel(values)
        player = try Wiring.player(values, model: model, loop: loop)
        // After what may wait for ever, a mute bus or a pipe that nobody writes: until here they end the process. Before any
        // thread is started, so that all of them leave these signals to the loop.
        try loop.handleSignals([SIGTERM, SIGINT, SIGHUP]) { [weak self] in self?.handle($0) }
        receivers = Wiring.receivers(values, loop: loop)
        servicesBus = machineBus(bus, values.bus)
        // First, since it makes the folder.
        let (store, storeTrouble) = Wiring.store(configuration, log: log)
        let sensors = player?.sensors
        let parts = DaemonParts(
            loop: loop, bus: bus,
            sensors: try sensors
                ?? Wiring.sensors(
                    values, receivers: receivers,
                    stateDirectory: store == nil ? nil : configuration.stateDirectory, loop: loop),
            ambient: try Wiring.ambient(values, loop: loop), claims: values.servesSensorProxy ? ClaimFile() : nil,
            places: places(values), model: model, store: store, storeTrouble: storeTrouble,
            sleep: loginManager(bus, values.bus), locationStore: Wiring.locationStore(configuration, log: log),
            authority: authority(bus, values.bus), power: power(bus, values.bus),
            marineSinks: Wiring.marineSinks(values.marine.outputs, loop: loop, log: log),
            signalKSinks: Wiring.marineSinks(values.marine.signalKOutputs, loop: loop, log: log), log: log,
            userID: geteuid())
        let daemon = Daemon(parts, configuration: values)
        self.daemon = daemon
        daemon.onSettled = ProgramPages.release
        do {
            try daemon.start()
        } catch {
            log.error(error.text)
            daemon.stop()
            return error.code == .nameTaken ? 6 : error.code == .disconnected ? 3 : 1
        }
        notify("READY=1")
        try loop.run()
        notify("STOPPING=1")
        daemon.stop()
        systemBus?.close()
        return daemon.exitStatus
    }

    /// The system bus, where the machine's own services are, even if this service is elsewhere; nil: there is none.
    private func machineBus(_ bus: BusConnection, _ choice: BusAddress) -> BusConnection? {
        if isSystemBus(choice) { return bus }
        if let systemBus { return systemBus }
        do throws(BusError) {
            systemBus = try BusConnection(.system, loop: loop)
        } catch {
            log.info("sleep is noticed by the clocks, after it, and power counts as external: \(error.text)")
        }
        return systemBus
    }

    private func isSystemBus(_ choice: BusAddress) -> Bool {
        choice == .system || (try? choice.resolve() == BusAddress.system.resolve()) == true
    }

    private func loginManager(_ bus: BusConnection, _ choice: BusAddress) -> (any SleepMonitor)? {
        guard let connection = machineBus(bus, choice) else { return nil }
        return LoginManager(
            connection: connection, who: "locateme", why: "The sensors are switched off before sleep."
        ) { [log] in log.info($0) }
    }

    private func power(_ bus: BusConnection, _ choice: BusAddress) -> (any PowerMonitor)? {
        machineBus(bus, choice).map(PowerServices.init)
    }

    /// Polkit knows connections of the system bus only.
    private func authority(_ bus: BusConnection, _ choice: BusAddress) -> (any AuthorityChecker)? {
        isSystemBus(choice) ? PolicyKit(connection: bus) : nil
    }

    private func handle(_ signal: Int32) {
        guard signal == SIGHUP else { return loop.stop() }
        do {
            let changed = try Configuration(options)
            for warning in changed.warnings { log.warning(warning) }
            let places = places(changed.values)
            configuration = changed
            daemon?.reload(changed.values, places: places)
        } catch {
            log.error("the configuration is left as it was: \(error)")
        }
    }

    private func places(_ values: DaemonConfiguration) -> [any PlaceSource] {
        Wiring.places(values, player: player, receivers: receivers, systemBus: servicesBus, loop: loop)
    }

    private func notify(_ state: String) {
        guard let address = getenv("NOTIFY_SOCKET"), address.pointee != 0 else { return }
        do {
            try ServiceNotification.send(state, to: String(cString: address))
        } catch {
            log.warning("the service manager could not be told \(state), ignoring: \(error)")
        }
    }
}
