import Glibc
import LocateMeDaemon
import MessageBus

/// The configuration in force: the files', with the command line over them.
struct Configuration {
    static let standardFile = "/etc/locateme/locateme.conf"
    static let standardFolder = "/etc/locateme/conf.d"

    /// What is set.
    var values = DaemonConfiguration()
    /// What was ignored in the files.
    var warnings: [String] = []

    /// Reads the file of `--config`, which must exist, or the standard ones as far as they do. Throws the first thing that is
    /// wrong.
    init(_ options: CommandLineOptions) throws(UsageError) {
        var complaints: [UsageError] = []
        self.init(options, complaints: &complaints)
        if let first = complaints.first { throw first }
    }

    /// As the other, but goes on after what is wrong, which is added to `complaints`.
    init(_ options: CommandLineOptions, complaints: inout [UsageError]) {
        for file in options.configurationFile.map({ [$0] }) ?? Self.standardFiles {
            do throws(UsageError) {
                let text = try Files.text(file)
                warnings += ConfigurationText.apply(text, file: file, to: &values, complaints: &complaints)
            } catch {
                complaints.append(error)
            }
        }
        options.apply(to: &values, complaints: &complaints)
    }

    private static var standardFiles: [String] {
        let extra = Files.names(in: standardFolder, suffix: ".conf").map { "\(standardFolder)/\($0)" }
        return (access(standardFile, F_OK) == 0 ? [standardFile] : []) + extra
    }

    /// Where state is kept: as set, as systemd says, or the usual place of the bus; nil if there is none.
    var stateDirectory: String? {
        func environment(_ name: String) -> String? {
            guard let value = getenv(name), value.pointee != 0 else { return nil }
            return String(cString: value)
        }
        if let set = values.stateDirectory { return set }
        if let given = environment("STATE_DIRECTORY") { return given.split(separator: ":").first.map(String.init) }
        if values.bus == .system { return "/var/lib/locateme" }
        if let home = environment("XDG_STATE_HOME") { return home + "/locateme" }
        return environment("HOME").map { $0 + "/.local/state/locateme" }
    }
}
