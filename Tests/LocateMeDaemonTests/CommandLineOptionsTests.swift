import LocateMeModel
import MessageBus
import Testing

@testable import LocateMeDaemon

struct CommandLineOptionsTests {
    private func configuration(_ arguments: [String]) throws -> DaemonConfiguration {
        var configuration = DaemonConfiguration()
        try CommandLineOptions(arguments).apply(to: &configuration)
        return configuration
    }

    @Test func `No arguments give the documented defaults`() throws {
        let options = try CommandLineOptions([])
        #expect(options.action == .run)
        #expect(options.configurationFile == nil)
        let defaults = try configuration([])
        #expect(defaults.bus == .system)
        #expect(defaults.sensors == .devices(uris: ["local:"]))
        #expect(defaults.gpsd == GpsdAddress(host: "localhost", port: 2947))
        #expect(defaults.idleExitSeconds == 0)
        #expect(defaults.logLevel == .info)
    }

    @Test(arguments: [["--bus", "session"], ["--bus=session"]])
    func `A value follows its option or an equals sign`(arguments: [String]) throws {
        #expect(try configuration(arguments).bus == .session)
    }

    @Test func `Every option reaches the configuration`() throws {
        let all = try configuration([
            "--bus", "unix:path=/tmp/bus", "--iio-uri", "ip:192.0.2.7:30431", "--iio-uri", "local:", "--place",
            "-33.9,151.2,58", "--gpsd", "[::1]:3000", "--magnetic-model", "/m.COF", "--state-dir", "/s", "--idle-exit",
            "30", "--log-level", "debug",
        ])
        #expect(all.bus == .address("unix:path=/tmp/bus"))
        #expect(all.sensors == .devices(uris: ["ip:192.0.2.7:30431", "local:"]))
        #expect(all.place == ConfiguredPlace(latitude: -33.9, longitude: 151.2, altitude: 58))
        #expect(all.gpsd == GpsdAddress(host: "::1", port: 3000))
        #expect(all.magneticModelFile == "/m.COF")
        #expect(all.stateDirectory == "/s")
        #expect(all.idleExitSeconds == 30)
        #expect(all.logLevel == .debug)
    }

    @Test func `C5: a replay takes speed and loop in any order and brings its own places`() throws {
        let replay = try configuration(["--loop", "--speed", "2.5", "--replay", "walk.lmrec"])
        #expect(replay.sensors == .replay(path: "walk.lmrec", speed: 2.5, loops: true))
        #expect(replay.gpsd == nil)
        #expect(replay.geolocationFile == nil)
        let placed = try configuration(["--replay", "walk.lmrec", "--place", "1,2"])
        #expect(placed.place?.latitude == 1)
    }

    @Test func `The walk of a simulation is optional`() throws {
        #expect(try configuration(["--simulate"]).sensors == .simulation(walk: nil))
        #expect(try configuration(["--simulate", "--log-level", "info"]).sensors == .simulation(walk: nil))
        #expect(try configuration(["--simulate", "square"]).sensors == .simulation(walk: "square"))
    }

    @Test(arguments: [
        (["--check-config"], CommandLineOptions.Action.checkConfiguration), (["--version"], .printVersion),
        (["--help"], .printHelp),
    ])
    func `Options that print end without a bus`(arguments: [String], action: CommandLineOptions.Action) throws {
        #expect(try CommandLineOptions(arguments).action == action)
    }

    @Test(arguments: [
        (["--bus"], "--bus needs a value"), (["--bus", "both"], "is no bus"), (["--bus", "--loop"], "needs a value"),
        (["--speed", "2"], "only with --replay"), (["--loop"], "only with --replay"),
        (["--replay", "a", "--speed", "0"], "is no speed"), (["--replay", "a", "--speed", "fast"], "is no speed"),
        (["--replay", "a", "--simulate"], "exclude each other"), (["--replay", "a", "--iio-uri", "local:"], "exclude"),
        (["--gpsd", "a", "--no-gpsd"], "exclude each other"), (["--gpsd", "host:0"], "is no gpsd address"),
        (["--gpsd", "host:65536"], "is no gpsd address"), (["--gpsd", "[::1"], "is no gpsd address"),
        (["--place", "95,8"], "latitude 95.0 is outside"), (["--place", "8,-181"], "longitude -181.0 is outside"),
        (["--place", "8"], "has 1 numbers"), (["--place", "47,37,8,54"], "has 4 numbers"),
        (["--place", "nan,8"], "'nan' is no number"), (["--place", "0x1p3,8"], "is no number"),
        (["--place", "1,2,1e9"], "altitude"), (["--iio-uri", "local"], "is no libiio context"),
        (["--idle-exit", "-1"], "is no time"), (["--idle-exit", "1.5"], "is no time"),
        (["--log-level", "loud"], "is no log level"), (["--version=1"], "takes no value"), (["--magnetic"], "unknown"),
        (["run"], "unknown argument 'run'"), (["--sensor-proxy=no"], "takes no value"),
    ])
    func `A wrong argument is named with what would be right`(arguments: [String], part: String) throws {
        let error = #expect(throws: UsageError.self) { try configuration(arguments) }
        let text = try #require(error).description
        #expect(text.contains(part), "\(text)")
        #expect(!text.contains("\n"))
    }

    @Test func `The help names every option`() {
        for option in [
            "--bus", "--iio-uri", "--replay", "--speed", "--loop", "--simulate", "--place", "--gpsd", "--no-gpsd",
            "--magnetic-model", "--state-dir", "--config", "--idle-exit", "--log-level", "--check-config", "--version",
        ] {
            #expect(CommandLineOptions.help.contains(option))
        }
    }
}
