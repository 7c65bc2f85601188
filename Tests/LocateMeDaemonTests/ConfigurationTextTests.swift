import LocateMeModel
import NMEASentences
import Testing

@testable import LocateMeDaemon

struct ConfigurationTextTests {
    private func read(_ text: String) throws -> (DaemonConfiguration, [String]) {
        var configuration = DaemonConfiguration()
        let warnings = try ConfigurationText.apply(text, file: "locateme.conf", to: &configuration)
        return (configuration, warnings)
    }

    @Test func `Sections, comments, blanks and both line ends are read`() throws {
        let (configuration, warnings) = try read(
            "# comment\r\n; comment\r\n\r\n[daemon]\r\n  log-level = debug  \r\nidle-exit=30\n\n[ place ]\n"
                + "place = 47.377, 8.542, 408\ngpsd = none\n[sensors]\niio-uri = local: ip:192.0.2.7\n")
        #expect(warnings.isEmpty)
        #expect(configuration.logLevel == .debug)
        #expect(configuration.idleExitSeconds == 30)
        #expect(configuration.place == ConfiguredPlace(latitude: 47.377, longitude: 8.542, altitude: 408))
        #expect(configuration.gpsd == nil)
        #expect(configuration.sensors == .devices(uris: ["local:", "ip:192.0.2.7"]))
    }

    @Test(arguments: [
        ("[daemon]\ncolour = blue\n", "locateme.conf:2: unknown key 'colour'"),
        ("[place]\nlog-level = debug\n", "locateme.conf:2: 'log-level' belongs into section [daemon]"),
        ("log-level = debug\n", "belongs into section [daemon]"),
        ("[daemon]\nreplay = x\n", "unknown key 'replay'"),
    ])
    func `An unknown key is warned about and ignored`(text: String, warning: String) throws {
        let (configuration, warnings) = try read(text)
        #expect(configuration == DaemonConfiguration())
        #expect(warnings.count == 1)
        #expect(warnings.first?.contains(warning) == true)
    }

    @Test(arguments: [
        ("[daemon\n", "locateme.conf:1: '[daemon' is no section"), ("\n\nlog-level\n", "locateme.conf:3:"),
        ("[daemon]\n= 3\n", "locateme.conf:2: a key is missing"),
        ("[daemon]\nlog-level = loud\n", "locateme.conf:2: log-level: 'loud' is no log level"),
        ("[place]\nplace = 47,377\n", "longitude 377.0 is outside"), ("[place]\nplace =\n", "is no number"),
        ("[daemon]\nbus = maybe\n", "is no bus"), ("[sensors]\niio-uri =\n", "needs libiio contexts"),
        ("\u{0}\u{1}garbage", "locateme.conf:1:"),
    ])
    func `A wrong line is named by file and number`(text: String, part: String) throws {
        let error = #expect(throws: UsageError.self) { _ = try read(text) }
        #expect(try #require(error).description.contains(part))
    }

    @Test func `NMEA output is read, and tells nothing of the place unless that is named`() throws {
        let (plain, _) = try read("[nmea-out]\nnmea-out = tcp:0.0.0.0:2000\nnmea-out = pty:/run/locateme/compass\n")
        #expect(
            plain.marine.outputs == [
                .server(host: "0.0.0.0", port: 2000), .pseudoterminal(link: "/run/locateme/compass"),
            ])
        #expect(plain.marine.sentences == [.hdg, .hdm, .rot] && !plain.marine.tellsWhere)
        #expect(plain.marine.rateHertz == 10 && plain.marine.placeRateHertz == 1)
        var (full, _) = try read(
            "[nmea-out]\nnmea-out = udp:192.0.2.255\nnmea-out-sentences = HDG, HDT,RMC\nnmea-out-rate = 5\nnmea-out-place-rate = 0.5\n"
        )
        #expect(full.marine.sentences == [.hdg, .hdt, .rmc] && full.marine.tellsWhere)
        #expect(full.marine.rateHertz == 5 && full.marine.placeRateHertz == 0.5)
        #expect(full.marine.signalKOutputs.isEmpty && full.marine.orientation == .portrait)
        try CommandLineOptions([
            "--nmea-out", "tcp", "--nmea-out=udp:[::1]:4000", "--signalk-out", "tcp", "--signalk-out=tcp:3858",
            "--nmea-out-orientation", "landscape-left",
        ]).apply(to: &full)
        // The port is that of the Signal K specification.
        #expect(
            full.marine.signalKOutputs == [
                .server(host: "localhost", port: 8375), .server(host: "localhost", port: 3858),
            ])
        #expect(full.marine.orientation == .landscapeLeft)
        #expect(
            full.marine.outputs == [.server(host: "localhost", port: 10110), .datagrams(host: "::1", port: 4000)])
    }

    @Test(arguments: [
        ("nmea-out = -", "is no output"), ("nmea-out = file:/x", "is no output"),
        ("nmea-out = tcp:boat.lan:1", "names are not looked up"),
        ("nmea-out-sentences = HDG,GLL", "is no list of sentences"),
        ("nmea-out-sentences =", "is no list of sentences"),
        ("nmea-out-rate = 51", "is no rate"), ("nmea-out-rate = nan", "is no rate"),
        ("nmea-out-place-rate = 0", "is no rate"), ("signalk-out = -", "is no output"),
        ("nmea-out-orientation = sideways", "is no orientation"),
    ])
    func `A wrong NMEA output is refused with what would be right`(line: String, part: String) throws {
        let error = #expect(throws: UsageError.self) { _ = try read("[nmea-out]\n\(line)\n") }
        #expect(try #require(error).description.contains(part))
    }

    @Test func `Arguments override the file`() throws {
        var (configuration, _) = try read("[daemon]\nlog-level = error\nidle-exit = 9\n")
        try CommandLineOptions(["--log-level", "debug"]).apply(to: &configuration)
        #expect(configuration.logLevel == .debug)
        #expect(configuration.idleExitSeconds == 9)
    }
}
