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

    /// Reads the file of `--config`, which must exist, or the standard ones as far as they do.
    init(_ options: CommandLineOptions) throws(UsageError) {
        if let file = options.configurationFile {
            warnings += try ConfigurationText.apply(try Files.text(file), file: file, to: &values)
        } else {
            let extra = Files.names(in: Self.standardFolder, suffix: ".conf").map { "\(Self.standardFolder)/\($0)" }
            let main = access(Self.standardFile, F_OK) == 0 ? [Self.standardFile] : []
            for file in main + extra {
                warnings += try ConfigurationText.apply(try Files.text(file), file: file, to: &values)
            }
        }
        try options.apply(to: &values)
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
