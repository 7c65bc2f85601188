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

    @Test func `Arguments override the file`() throws {
        var (configuration, _) = try read("[daemon]\nlog-level = error\nidle-exit = 9\n")
        try CommandLineOptions(["--log-level", "debug"]).apply(to: &configuration)
        #expect(configuration.logLevel == .debug)
        #expect(configuration.idleExitSeconds == 9)
    }
}
