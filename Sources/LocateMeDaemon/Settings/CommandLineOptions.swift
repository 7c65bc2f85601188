/// The arguments of `locatemed`.
public struct CommandLineOptions: Hashable, Sendable {
    /// What the process is to do.
    public enum Action: Hashable, Sendable {
        /// Serve the bus.
        case run
        /// Read the configuration, say what is wrong, end.
        case checkConfiguration
        /// Print the version, end.
        case printVersion
        /// Print the help, end.
        case printHelp
    }

    /// What to do.
    public private(set) var action: Action = .run
    /// The configuration file named by `--config`; nil: the default files.
    public private(set) var configurationFile: String?
    private var settings: [Override] = []

    private struct Override: Hashable, Sendable {
        var option: String
        var setting: String
        var value: String
    }

    /// Reads arguments, the program's name left out. Values follow their option as the next argument or after `=`.
    public init(_ arguments: [String]) throws(UsageError) {
        var rest = arguments[...]
        var contexts: [String] = []
        var nmea: [String] = []
        var outputs: [Override] = []
        while let argument = rest.popFirst() {
            var option = argument
            var inline: String?
            if argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") {
                option = String(argument[..<equals])
                inline = String(argument[argument.index(after: equals)...])
            }
            switch option {
            case "--help", "-h": action = .printHelp
            case "--version": action = .printVersion
            case "--check-config": if action == .run { action = .checkConfiguration }
            case "--loop": settings.append(Override(option: option, setting: "loop", value: "yes"))
            case "--no-gpsd": settings.append(Override(option: option, setting: "gpsd", value: "none"))
            case "--geoclue", "--modemmanager":
                settings.append(Override(option: option, setting: String(option.dropFirst(2)), value: "yes"))
            case "--simulate":
                var walk = inline
                if walk == nil, let next = rest.first, !next.hasPrefix("-") { walk = rest.popFirst() }
                settings.append(Override(option: option, setting: "simulate", value: walk ?? ""))
                continue
            case "--config": configurationFile = try Self.value(of: option, inline, &rest)
            case "--nmea": nmea.append(try Self.value(of: option, inline, &rest))
            case "--nmea-out", "--signalk-out":
                outputs.append(
                    Override(
                        option: option, setting: String(option.dropFirst(2)),
                        value: try Self.value(of: option, inline, &rest)))
            case "--iio-uri": contexts.append(try Self.value(of: option, inline, &rest))
            case "--bus", "--replay", "--speed", "--place", "--gpsd", "--magnetic-model", "--state-dir", "--idle-exit",
                "--log-level", "--nmea-out-sentences", "--nmea-out-rate", "--nmea-out-place-rate",
                "--nmea-out-orientation":
                settings.append(
                    Override(
                        option: option, setting: String(option.dropFirst(2)),
                        value: try Self.value(of: option, inline, &rest)))
            case "--sensor-proxy":
                settings.append(Override(option: option, setting: "sensor-proxy", value: "yes"))
            default:
                throw UsageError("unknown argument '\(argument)'; see locatemed --help")
            }
            let flags = [
                "--help", "-h", "--version", "--check-config", "--loop", "--no-gpsd", "--geoclue", "--modemmanager",
                "--sensor-proxy",
            ]
            if inline != nil, flags.contains(option) {
                throw UsageError("\(option) takes no value")
            }
        }
        if !contexts.isEmpty {
            settings.append(
                Override(option: "--iio-uri", setting: "iio-uri", value: contexts.joined(separator: " ")))
        }
        if !nmea.isEmpty {
            settings.append(Override(option: "--nmea", setting: "nmea", value: nmea.joined(separator: " ")))
        }
        settings += outputs
        try refuseContradictions()
    }

    /// Applies the arguments over a configuration. With a replay or a simulation, places come from there too, so
    /// gpsd and the geolocation file are left out unless the arguments name them.
    public func apply(to configuration: inout DaemonConfiguration) throws(UsageError) {
        var complaints: [UsageError] = []
        apply(to: &configuration, complaints: &complaints)
        if let first = complaints.first { throw first }
    }

    /// As the other, but goes on after what is wrong, which is added to `complaints`.
    public func apply(to configuration: inout DaemonConfiguration, complaints: inout [UsageError]) {
        if names("--replay") || names("--simulate") {
            configuration.gpsd = nil
            configuration.nmea = []
            configuration.usesGeoClue = false
            configuration.usesModemManager = false
            configuration.geolocationFile = nil
            configuration.place = nil
        }
        // Like every other option, those given replace those of the file.
        if names("--nmea-out") { configuration.marine.outputs = [] }
        if names("--signalk-out") { configuration.marine.signalKOutputs = [] }
        // --speed and --loop change what --replay has set, so that comes first.
        let ordered = settings.filter { $0.option == "--replay" } + settings.filter { $0.option != "--replay" }
        for override in ordered {
            guard let setting = Setting(rawValue: override.setting) else { continue }
            do {
                try configuration.set(setting, to: override.value)
            } catch {
                complaints.append(UsageError("\(override.option): \(error)"))
            }
        }
    }

    private func names(_ option: String) -> Bool { settings.contains { $0.option == option } }

    private func refuseContradictions() throws(UsageError) {
        for (one, other) in [
            ("--replay", "--simulate"), ("--replay", "--iio-uri"), ("--simulate", "--iio-uri"), ("--gpsd", "--no-gpsd"),
        ] where names(one) && names(other) {
            throw UsageError("\(one) and \(other) exclude each other")
        }
        for option in ["--speed", "--loop"] where names(option) && !names("--replay") {
            throw UsageError("\(option) works only with --replay")
        }
    }

    private static func value(
        of option: String, _ inline: String?, _ rest: inout ArraySlice<String>
    ) throws(UsageError) -> String {
        if let inline { return inline }
        guard let next = rest.first, !next.hasPrefix("--") else { throw UsageError("\(option) needs a value") }
        rest.removeFirst()
        return next
    }
}
