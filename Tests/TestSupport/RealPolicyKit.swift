import Foundation

/// The real polkitd on a private bus, with the policy files and rules of this package and rules of its own: its folders are bound
/// over in a mount namespace, so nothing of the machine is touched.
public final class RealPolicyKit: @unchecked Sendable {
    // Sound: set once in `init`, then used by the test's thread alone.
    private let folder: URL
    private let daemon: RunningCommand
    private let bus: PrivateBus
    private var connections: [RunningCommand] = []

    /// Starts it and waits until it owns its name. `owner` stands in for the service's user, which is not everywhere.
    public init(_ bus: PrivateBus, owner: String = "root") throws {
        self.bus = bus
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("polkit-\(UUID().uuidString)")
        let manager = FileManager.default
        for name in ["actions", "rules"] {
            try manager.createDirectory(
                at: folder.appendingPathComponent(name), withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o755])
        }
        // polkitd gives up root and must still reach them.
        try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        for name in ["org.locateme.policy", "net.hadess.SensorProxy.policy"] {
            let policy = try String(contentsOf: Repository.file("polkit/\(name)"), encoding: .utf8)
            try policy.replacingOccurrences(of: "unix-user:locateme", with: "unix-user:\(owner)").write(
                to: folder.appendingPathComponent("actions/\(name)"), atomically: true, encoding: .utf8)
        }
        try manager.copyItem(
            at: Repository.file("polkit/net.hadess.SensorProxy.rules"),
            to: folder.appendingPathComponent("rules/50-net.hadess.SensorProxy.rules"))
        let script = """
            mount --bind '\(folder.path)/actions' /usr/share/polkit-1/actions
            mount --bind '\(folder.path)/rules' /etc/polkit-1/rules.d
            exec /usr/lib/polkit-1/polkitd --no-debug
            """
        daemon = try Command.start(
            "/usr/bin/unshare", ["--mount", "--propagation", "private", "/bin/sh", "-c", script],
            environment: bus.environment)
        try Self.wait("polkitd") {
            (try? Self.call(
                bus, "org.freedesktop.DBus", "/org/freedesktop/DBus", "NameHasOwner", "org.freedesktop.PolicyKit1"))?
                .contains("true") == true
        }
    }

    deinit {
        for connection in connections { connection.signal(SIGKILL) }
        daemon.signal(SIGKILL)
        _ = daemon.wait()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Adds a rule that permits an action to a user; polkitd notices it by itself and tells.
    public func permit(_ action: String, to user: String) throws {
        let rule = """
            polkit.addRule(function(action, subject) {
                if (action.id == "\(action)" && subject.user == "\(user)") return polkit.Result.YES;
            });
            """
        let name = "50-\(UUID().uuidString).rules"
        let file = folder.appendingPathComponent("rules/\(name)")
        try rule.write(to: file, atomically: false, encoding: .utf8)
    }

    /// Takes all rules back, those of the package too.
    public func withdrawRules() throws {
        let rules = folder.appendingPathComponent("rules")
        for name in try FileManager.default.contentsOfDirectory(atPath: rules.path) {
            try FileManager.default.removeItem(at: rules.appendingPathComponent(name))
        }
    }

    /// A connection of another user, which stays until the test ends.
    public func connectAs(_ user: String) throws -> (name: String, process: Int32) {
        let program = """
            import gi, time
            from gi.repository import Gio
            bus = Gio.bus_get_sync(Gio.BusType.SYSTEM)
            print(bus.get_unique_name(), flush=True)
            time.sleep(600)
            """
        let process = try Command.start(
            "/usr/bin/setpriv",
            ["--reuid", user, "--regid", "nogroup", "--clear-groups", "/usr/bin/python3", "-c", program],
            environment: bus.environment)
        connections.append(process)
        try Self.wait("a connection of \(user)") { process.outputSoFar.contains("\n") }
        return (process.outputSoFar.trimmingCharacters(in: .whitespacesAndNewlines), process.processID)
    }

    private static func call(
        _ bus: PrivateBus, _ destination: String, _ path: String, _ member: String, _ argument: String
    ) throws -> String {
        try Command.run(
            "/usr/bin/gdbus",
            [
                "call", "--address", bus.address, "-d", destination, "-o", path, "-m", "\(destination).\(member)",
                argument,
            ]
        ).output
    }

    private static func wait(_ what: String, until condition: () -> Bool) throws {
        let deadline = Date(timeIntervalSinceNow: 30)
        while !condition() {
            guard Date() < deadline else { throw PrivateBus.StartError(text: "\(what) did not come") }
            usleep(50_000)
        }
    }
}
